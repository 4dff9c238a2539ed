/**
 * The builtin servers by name, each loaded only when it is served. `kari mcp NAME` ends up here: in a child process
 * of this same program, or alone for another host.
 */
import { UsageError } from "../lib/usage-error.ts";
import type { ServerCommand } from "../servers/kit/command.ts";
import { VERSION } from "./version.ts";

interface Builtin {
  readonly summary: string;
  /** Whether it may list resources of priority 1.0: only then is it asked for them before the first question. */
  readonly activeResources: boolean;
  load(): Promise<ServerCommand>;
}

const BUILTINS: Readonly<Record<string, Builtin>> = {
  developer: {
    summary: "a shell, files and an editor that keeps encodings",
    activeResources: false,
    load: async () => (await import("../servers/developer/command.ts")).developerCommand(VERSION),
  },
  code: {
    summary: "files and statistics of a project",
    activeResources: true,
    load: async () => (await import("../servers/code/command.ts")).codeCommand(VERSION),
  },
  wakashu: {
    summary: "ranked collections of words and pictures",
    activeResources: false,
    load: async () => (await import("../servers/wakashu/command.ts")).wakashuCommand(VERSION),
  },
};

export function builtinNames(): readonly string[] {
  return Object.keys(BUILTINS);
}

export function builtinSummary(name: string): string | undefined {
  return find(name)?.summary;
}

export function hasActiveResources(name: string): boolean {
  return find(name)?.activeResources ?? true;
}

/** Resolves when the client is gone (stdio) or the process is told to end (HTTP). Loads nothing of the agent. */
export async function serveBuiltin(name: string, args: readonly string[]): Promise<void> {
  const builtin = find(name);
  if (!builtin)
    throw new UsageError(`There is no builtin server "${name}". There are: ${builtinNames().join(", ")}.`);
  const [command, { runServer }] = await Promise.all([builtin.load(), import("../servers/kit/command.ts")]);
  await runServer(command, args, process.env);
}

function find(name: string): Builtin | undefined {
  return Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
}
