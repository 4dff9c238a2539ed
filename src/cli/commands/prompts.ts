/** `kari prompts`: the prompts that extensions offer, listed and filled in by hand. No model is needed or loaded. */
import { type OpenedProfile, openProfile } from "../../app/open-profile.ts";
import { nearest } from "../../lib/nearest.ts";
import { cutToWidth } from "../../lib/text-width.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { type Command, choice, type Invocation, text } from "../command.ts";
import { EXIT_INTERRUPTED, interruptSignal } from "../interrupt.ts";
import { type Asked, askEach, chosenServers, matches, sayFailures } from "../listing.ts";
import { extensionFlags, extensionsFrom } from "../session-flags.ts";
import { createContentWriter } from "../show-content.ts";
import { table } from "../table.ts";

/** In columns; JSON has it whole. */
const MAX_NAME = 100;

export const promptsCommand: Command = {
  summary: "List the prompts of all extensions, or fill one in.",
  usage: "kari prompts (list | get NAME [ARGUMENT=VALUE …]) [options]",
  options: {
    format: { type: "string", value: "F", help: "text (the default) or json" },
    extension: { type: "string", value: "NAME", help: "only this extension" },
    filter: { type: "string", value: "WORD", help: "list: only what contains this" },
    ...extensionFlags,
  },
  examples: [
    "kari prompts list",
    "kari prompts get review file=src/main.ts",
    "kari prompts get greet name=小町 --extension shelf --format json",
  ],
  async run(invocation) {
    const [verb] = invocation.positionals;
    if (verb === "list") return await list(invocation);
    if (verb === "get") return await get(invocation);
    throw new UsageError(`kari prompts ${verb ?? ""}: it is "kari prompts list" or "kari prompts get NAME".`);
  },
};

async function list({ values }: Invocation): Promise<number> {
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const signal = interruptSignal();
  const opened = await openProfile(extensionsFrom(values));
  try {
    const filter = text(values, "filter");
    const all = await listAll(opened, text(values, "extension"), signal);
    const answers = all.map((answer) => ({
      ...answer,
      prompts: answer.prompts.filter((one) => matches(filter, [one.name, one.title, one.description])),
    }));
    if (format === "json") console.log(JSON.stringify(answers, null, 2));
    else {
      const rows = answers.flatMap(({ extension, prompts }) =>
        prompts.map(({ name, title, description, arguments: args }) => [
          extension,
          cutToWidth(name, MAX_NAME),
          args.map((one) => (one.required ? one.name : `[${one.name}]`)).join(" "),
          description ?? title ?? "",
        ]),
      );
      if (rows.length > 0) console.log(table(["EXTENSION", "PROMPT", "ARGUMENTS", "WHAT"], rows));
      else console.error("No prompts.");
    }
    return signal.aborted ? EXIT_INTERRUPTED : sayFailures(answers);
  } finally {
    await opened.close();
  }
}

async function get({ values, positionals }: Invocation): Promise<number> {
  const [, name, ...pairs] = positionals;
  if (name === undefined) throw new UsageError("Which prompt? kari prompts list shows them.");
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const args = parsePairs(pairs);
  const writer = createContentWriter(process.stdout, process.stderr, process.env);
  const signal = interruptSignal();
  const opened = await openProfile(extensionsFrom(values));
  try {
    const answers = await listAll(opened, text(values, "extension"), signal);
    if (signal.aborted) return EXIT_INTERRUPTED;
    const { extension, prompt } = findPrompt(name, answers);
    checkArguments(prompt, args);
    const server = opened.servers().find(({ key }) => key === extension);
    if (!server) throw new Error(`The extension ${extension} is gone.`);
    const result = await server.getPrompt(name, args, { signal });
    if (format === "json") console.log(JSON.stringify({ extension, name, ...result }, null, 2));
    else
      for (const { role, content } of result.messages) {
        console.log(`${role}:`);
        await writer.write([content]);
      }
    return 0;
  } catch (error) {
    if (signal.aborted) return EXIT_INTERRUPTED;
    throw error;
  } finally {
    await opened.close();
  }
}

type Prompts = Awaited<ReturnType<ReturnType<OpenedProfile["servers"]>[number]["listPrompts"]>>;
type Prompt = Prompts[number];
type Answers = readonly Asked<{ readonly prompts: Prompts }>[];

async function listAll(
  opened: OpenedProfile,
  only: string | undefined,
  signal: AbortSignal,
): Promise<Answers> {
  return await askEach(chosenServers(opened, only), { prompts: [] }, async (server) => {
    // A builtin's list is part of this build: it need not be started to say that it has none.
    const hasNone = server.kind === "builtin" && server.listing !== undefined && !server.listing.hasPrompts;
    return { prompts: hasNone ? [] : await server.listPrompts({ signal }) };
  });
}

function findPrompt(name: string, answers: Answers): { extension: string; prompt: Prompt } {
  const found = answers.flatMap(({ extension, prompts }) =>
    prompts.filter((prompt) => prompt.name === name).map((prompt) => ({ extension, prompt })),
  );
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  if (first)
    throw new UsageError(
      `Several extensions have a prompt "${name}": ${found.map(({ extension }) => extension).join(", ")}. Name one with --extension.`,
    );
  sayFailures(answers);
  const names = answers.flatMap(({ prompts }) => prompts.map((prompt) => prompt.name));
  const near = nearest(name, names);
  throw new UsageError(
    `There is no prompt "${name}". ${near.length > 0 ? `Did you mean ${near.join(", ")}?` : `Prompts: ${names.join(", ") || "none"}.`}`,
  );
}

function checkArguments(prompt: Prompt, args: Readonly<Record<string, string>>): void {
  const known = prompt.arguments.map(({ name }) => name);
  const missing = prompt.arguments.filter(({ name, required }) => required && !Object.hasOwn(args, name));
  if (missing.length > 0) {
    const wanted = missing.map(({ name, description }) => (description ? `${name} (${description})` : name));
    throw new UsageError(
      `The prompt ${prompt.name} needs ${wanted.join(", ")}: kari prompts get ${prompt.name} ${missing.map(({ name }) => `${name}=…`).join(" ")}`,
    );
  }
  const odd = Object.keys(args).find((name) => !known.includes(name));
  if (odd !== undefined)
    throw new UsageError(
      `The prompt ${prompt.name} has no argument "${odd}". It has: ${known.join(", ") || "none"}.`,
    );
}

function parsePairs(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`"${pair}" is not an argument: write NAME=VALUE.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
