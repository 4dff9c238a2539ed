/** `kari tools`: what the extensions offer, and a call by hand. No model is needed or loaded. */
import { readFileSync } from "node:fs";
import { type OpenedProfile, openProfile } from "../../app/open-profile.ts";
import { isJsonObject, type JsonObject, type ToolDefinition } from "../../conversation/index.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { type Command, choice, type Invocation, noMore, positiveInteger, text } from "../command.ts";
import { extensionFlags, extensionsFrom } from "../session-flags.ts";
import { contentsOf, createContentWriter } from "../show-content.ts";

export const toolsCommand: Command = {
  summary: "List the tools of all extensions, search them, or call one.",
  usage: "kari tools (list | search WORDS [--limit N] | call NAME [--args JSON])",
  options: {
    format: { type: "string", value: "F", help: "text (the default) or json" },
    limit: { type: "string", value: "N", help: "search: how many at most (10)" },
    args: {
      type: "string",
      value: "JSON",
      help: "the arguments of the call: JSON, or @FILE, or - for standard input",
    },
    ...extensionFlags,
  },
  examples: [
    "kari tools list",
    "kari tools list --format json",
    "kari tools search count lines of code",
    `kari tools call developer__shell --args '{"command":"echo hi"}'`,
  ],
  async run(invocation) {
    const [verb] = invocation.positionals;
    if (verb === "list") return await list(invocation);
    if (verb === "search") return await search(invocation);
    if (verb === "call") return await call(invocation);
    throw new UsageError(
      `kari tools ${verb ?? ""}: it is "kari tools list", "kari tools search WORDS" or "kari tools call NAME".`,
    );
  },
};

const DEFAULT_FOUND = 10;

async function list(invocation: Invocation): Promise<number> {
  noMore(invocation.positionals, 1);
  return await show(invocation, async (opened) => opened.tools());
}

/** With the ranker that a model's search and the offline planner use. */
async function search(invocation: Invocation): Promise<number> {
  const words = invocation.positionals.slice(1).join(" ").trim();
  if (words === "") throw new UsageError("What should the tool do? kari tools search count lines of code");
  const limit = positiveInteger(invocation.values, "limit") ?? DEFAULT_FOUND;
  return await show(invocation, async (opened) => await opened.search(words, { limit }));
}

async function show(
  { values }: Invocation,
  choose: (opened: OpenedProfile) => Promise<readonly ToolDefinition[]>,
): Promise<number> {
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const opened = await openProfile(extensionsFrom(values));
  try {
    const failures = await opened.ready();
    const tools = await choose(opened);
    if (format === "json") console.log(JSON.stringify({ tools, failures }, null, 2));
    else
      for (const tool of tools)
        console.log(`${tool.name}\n    ${firstLine(tool.description ?? tool.title ?? "")}`);
    for (const failure of failures) console.error(`kari: ${failure}`);
    return failures.length > 0 ? 1 : 0;
  } finally {
    await opened.close();
  }
}

async function call({ values, positionals }: Invocation): Promise<number> {
  const [, name, extra] = positionals;
  if (name === undefined) throw new UsageError("Which tool? kari tools list shows them.");
  if (extra !== undefined)
    throw new UsageError(`"${extra}" is one word too many: arguments go behind --args, as JSON.`);
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const args = parseArguments(text(values, "args") ?? "{}");
  const writer = createContentWriter(process.stdout, process.stderr, process.env);
  const opened = await openProfile(extensionsFrom(values));
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  try {
    const response = await opened.call(name, args, {
      signal: interrupt.signal,
      onProgress: ({ message, progress }) =>
        process.stderr.write(`… ${terminalText(message ?? String(progress))}\n`),
    });
    if (format === "json") console.log(JSON.stringify(response, null, 2));
    else if (response.isError) await writer.writeError(contentsOf(response));
    else await writer.write(contentsOf(response));
    return interrupt.signal.aborted ? 130 : response.isError ? 1 : 0;
  } finally {
    await opened.close();
  }
}

function parseArguments(given: string): JsonObject {
  const source =
    given === "-"
      ? readFileSync(0, "utf8")
      : given.startsWith("@")
        ? readFileSync(given.slice(1), "utf8")
        : given;
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new UsageError(`--args is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isJsonObject(value)) throw new UsageError(`--args must be a JSON object such as {"command":"ls"}.`);
  return value;
}

function firstLine(description: string): string {
  return terminalText(description.split("\n", 1)[0] ?? "");
}
