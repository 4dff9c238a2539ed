/** Finds the command, shows help, and turns errors into one clear message and the right exit code. */

import { VERSION } from "../app/version.ts";
import { nearest } from "../lib/nearest.ts";
import { UsageError } from "../lib/usage-error.ts";
import { type Command, describeCommand, readArguments } from "./command.ts";

interface Entry {
  readonly summary: string;
  load(): Promise<Command>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  session: {
    summary: "talk with Kari (the default)",
    load: async () => (await import("./commands/session.ts")).sessionCommand,
  },
  run: {
    summary: "one request, then exit; for scripts too",
    load: async () => (await import("./commands/run.ts")).runCommand,
  },
  mcp: {
    summary: "be one of the builtin MCP servers",
    load: async () => (await import("./commands/mcp.ts")).mcpCommand,
  },
  tools: {
    summary: "list and call tools, without a model",
    load: async () => (await import("./commands/tools.ts")).toolsCommand,
  },
  resources: {
    summary: "list and read resources, without a model",
    load: async () => (await import("./commands/resources.ts")).resourcesCommand,
  },
  extensions: {
    summary: "show, add, remove, switch or import extensions",
    load: async () => (await import("./commands/extensions.ts")).extensionsCommand,
  },
  configure: {
    summary: "the first set-up, by questions",
    load: async () => (await import("./commands/configure.ts")).configureCommand,
  },
  config: {
    summary: "read and change settings, keep secrets",
    load: async () => (await import("./commands/config.ts")).configCommand,
  },
  doctor: {
    summary: "check everything, and say what to do",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
};

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

export async function runCommand(name: string | undefined, args: readonly string[]): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") return print(overview());
  // Without a command, whatever follows belongs to `session`.
  if (name === undefined || name.startsWith("-"))
    return await start("session", name === undefined ? [] : [name, ...args]);
  return await start(name, args);
}

async function start(name: string, args: readonly string[]): Promise<number> {
  try {
    const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!entry) throw new UsageError(unknownCommand(name));
    const command = await entry.load();
    if (asksForHelp(command.passThrough ? args.slice(0, 1) : args)) return print(describeCommand(command));
    if (command.passThrough) return await command.run({ values: {}, positionals: args });
    return await command.run(readArguments(args, command.options));
  } catch (error) {
    if (error instanceof UsageError) return fail(error.message, EXIT_USAGE);
    return fail(error instanceof Error ? error.message : String(error), EXIT_FAILED);
  }
}

/** A `--help` after `--` or as an option's value is not a question to us, but nobody writes that by accident. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args
    .slice(0, end < 0 ? undefined : end)
    .some((argument) => argument === "--help" || argument === "-h");
}

function unknownCommand(name: string): string {
  const near = nearest(name, Object.keys(COMMANDS), 1)[0];
  return `There is no command "${name}".${near ? ` Did you mean "kari ${near}"?` : ""} See kari --help.`;
}

function overview(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  kari ${name.padEnd(12)}${summary}`);
  return [
    `Kari (雁) ${VERSION}: an AI agent and the MCP servers it works with.`,
    `Commands:\n${lines.join("\n")}`,
    "kari COMMAND --help tells more; kari --version prints the version.",
    'Examples:\n  kari\n  kari run -t "show me package.json"\n  kari tools list --format json\n  kari mcp developer',
  ].join("\n\n");
}

function print(message: string): number {
  console.log(message);
  return 0;
}

function fail(message: string, code: number): number {
  console.error(`kari: ${message}`);
  return code;
}
