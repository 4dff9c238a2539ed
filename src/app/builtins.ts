/**
 * The builtin servers by name, each loaded only when it is served. `kari mcp NAME` ends up here: in a child process
 * of this same program, or alone for another host.
 */
import type { ServerDefinition } from "../servers/kit/index.ts";
import { VERSION } from "./version.ts";

export interface BuiltinContext {
  readonly workingDirectory: string;
}

interface Builtin {
  readonly summary: string;
  create(context: BuiltinContext): Promise<ServerDefinition>;
}

const BUILTINS: Readonly<Record<string, Builtin>> = {
  developer: {
    summary: "shell, files and an editor that keeps encodings",
    create: async ({ workingDirectory }) => {
      const { createDeveloperServer } = await import("../servers/developer/index.ts");
      return createDeveloperServer({ workingDirectory, version: VERSION });
    },
  },
};

export function builtinNames(): readonly string[] {
  return Object.keys(BUILTINS);
}

export function builtinSummary(name: string): string | undefined {
  return Object.hasOwn(BUILTINS, name) ? BUILTINS[name]?.summary : undefined;
}

export async function createBuiltin(
  name: string,
  context: BuiltinContext,
): Promise<ServerDefinition | undefined> {
  return Object.hasOwn(BUILTINS, name) ? await BUILTINS[name]?.create(context) : undefined;
}
