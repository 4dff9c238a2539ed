/** For tests: a developer server on a new folder, called as the kit calls it. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerDefinition } from "../kit/server.ts";
import type { ToolProgress, ToolResult } from "../kit/tool.ts";
import { createDeveloperServer, type DeveloperServerOptions } from "./server.ts";

export interface TemporaryServer extends AsyncDisposable {
  readonly folder: string;
  readonly definition: ServerDefinition;
  call(tool: string, args: object, options?: CallOptions): Promise<ToolResult>;
  /** The text of the answer, whether it is an error or not. */
  say(tool: string, args: object, options?: CallOptions): Promise<string>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (update: ToolProgress) => void;
}

export function startTemporaryServer(options: Partial<DeveloperServerOptions> = {}): TemporaryServer {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "developer-test-")));
  const definition = createDeveloperServer({ workingDirectory: folder, version: "0.0.0", ...options });
  const call = async (name: string, args: object, { signal, onProgress }: CallOptions = {}) => {
    const tool = definition.tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return await tool.call(args, {
      signal: signal ?? new AbortController().signal,
      progress: (update) => onProgress?.(update),
    });
  };
  return {
    folder,
    definition,
    call,
    say: async (name, args, callOptions) => textOf(await call(name, args, callOptions)),
    async [Symbol.asyncDispose]() {
      await definition.close?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function textOf(result: ToolResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
