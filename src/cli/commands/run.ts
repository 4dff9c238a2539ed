/** `kari run`: one request, events to the screen or as JSON, an exit code for scripts. */
import { readFileSync } from "node:fs";
import { type BuildSessionOptions, buildSession } from "../../app/build-session.ts";
import type { AgentEvent, Message, Outcome, Usage } from "../../conversation/index.ts";
import { openBrowser } from "../../lib/open-browser.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { askForApproval, askLine, describeSampling, parseAnswer } from "../ask-approval.ts";
import { askElicitation, NOBODY_THERE } from "../ask-elicitation.ts";
import { attachWords } from "../attach-words.ts";
import { type Command, choice, type OptionValues, text } from "../command.ts";
import { createDeferredOutput, outputAfter } from "../deferred-output.ts";
import { exitCodeOf } from "../exit-code.ts";
import { createEventPrinter } from "../print-events.ts";
import { extensionFlags, modelFlags, sessionOptionsFrom } from "../session-flags.ts";

export const runCommand: Command = {
  summary: "Send one request and exit when it is answered.",
  usage: "kari run (-t TEXT | -i FILE | -i -) [options]",
  options: {
    text: { type: "string", short: "t", value: "TEXT", help: "the request" },
    input: {
      type: "string",
      short: "i",
      value: "FILE",
      help: "read the request from a file, or - for standard input",
    },
    "output-format": {
      type: "string",
      value: "F",
      help: "text (the default), json (one object at the end), stream-json (a line per event)",
    },
    "no-session": { type: "boolean", help: "keep nothing on disk" },
    ...modelFlags,
    ...extensionFlags,
  },
  examples: [
    'kari run -t "show me package.json of this project"',
    'kari run --approve all --fake-model examples/list-files.json -t "現在のディレクトリのファイル一覧を表示して"',
    'git diff | kari run -i - --output-format json --with-extension "memory:npx -y @modelcontextprotocol/server-memory"',
  ],
  async run({ values, positionals }) {
    if (positionals.length > 0)
      throw new UsageError(`"${positionals[0]}" is not an option; give the request with -t "…".`);
    const format = choice(values, "output-format", ["text", "json", "stream-json"]) ?? "text";
    const request = readRequest(values);
    const options = requireAsked(sessionOptionsFrom(values));
    const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
    const approve = options.approve ?? (canAsk ? "ask" : "read-only");
    const session = await buildSession({
      ...options,
      approve: approve === "ask" && !canAsk ? "read-only" : approve,
    });
    const interrupt = new AbortController();
    const stop = () => interrupt.abort();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
    try {
      // What comes from a file or a pipe was not typed: an @ in it means nothing.
      const typed = text(values, "text") !== undefined;
      const input = typed ? await attachWords(request, session, interrupt.signal) : request;
      return await follow(session.send(input, { signal: interrupt.signal }), format, canAsk);
    } finally {
      await session.close();
    }
  },
};

/** Who adds an extension to one request wants it there when the request is answered. */
function requireAsked(options: BuildSessionOptions): BuildSessionOptions {
  const extensions = options.extensions?.map((extension) =>
    extension.type === "builtin" ? extension : { ...extension, required: true },
  );
  return { ...options, extensions };
}

function readRequest(values: OptionValues): string {
  const words = text(values, "text");
  const file = text(values, "input");
  if (words !== undefined && file !== undefined)
    throw new UsageError("Give the request once: with -t or with -i.");
  if (words === undefined && file === undefined)
    throw new UsageError('What is the request? Give it with -t "…", -i FILE or -i -.');
  const request = words ?? readFileOrInput(file ?? "-");
  if (request.trim() === "") throw new UsageError("The request is empty.");
  return request;
}

function readFileOrInput(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(
      `The request could not be read from ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const TERMINAL = {
  ask: (prompt: string) => askLine(prompt, process.stdin, process.stderr),
  say: (text: string) => void process.stderr.write(`${text}\n`),
  open: (url: string) => openBrowser(url, process.env),
};

async function follow(
  events: AsyncIterable<AgentEvent>,
  format: "text" | "json" | "stream-json",
  canAsk: boolean,
): Promise<number> {
  const log = createDeferredOutput(process.stderr);
  const printer = createEventPrinter(outputAfter(log, process.stdout), log, process.env);
  const messages: Message[] = [];
  const usage: Usage[] = [];
  let permissionNeeded = false;
  let outcome: Outcome = { type: "cancelled" };
  for await (const event of events) {
    // Whoever is asked, and whoever reads the end, has everything before it on the screen.
    if (event.type.endsWith("-request") || event.type === "run-end") log.flush();
    if (format === "stream-json") process.stdout.write(`${JSON.stringify(event)}\n`);
    else if (format === "text") await printer.print(event);
    if (event.type === "message") messages.push(event.message);
    else if (event.type === "turn-end") usage.push(event.usage);
    else if (event.type === "tool-refused") permissionNeeded = true;
    else if (event.type === "approval-request")
      event.reply(await askForApproval(event.approval, process.stdin, process.stderr));
    else if (event.type === "elicitation-request")
      event.reply(canAsk ? await askElicitation(event.elicitation, TERMINAL) : NOBODY_THERE);
    else if (event.type === "sampling-request") {
      TERMINAL.say(describeSampling(event.sampling));
      event.reply(parseAnswer((await TERMINAL.ask("Let it? [y]es, [n]o: ")) ?? "n"));
    } else if (event.type === "run-end") outcome = event.outcome;
    else if (event.type === "notice" && format === "json") process.stderr.write(`${event.text}\n`);
  }
  log.flush();
  if (format === "json")
    process.stdout.write(`${JSON.stringify({ outcome, usage: total(usage), messages })}\n`);
  if (permissionNeeded && format !== "text")
    process.stderr.write("kari: a tool needed a yes that nobody could give (--approve).\n");
  return exitCodeOf(outcome, permissionNeeded);
}

function total(parts: readonly Usage[]): Usage {
  const sum = (key: keyof Usage) => parts.reduce((value, part) => value + (part[key] ?? 0), 0);
  return {
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    cacheReadTokens: sum("cacheReadTokens"),
    cacheWriteTokens: sum("cacheWriteTokens"),
  };
}
