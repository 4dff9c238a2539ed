/**
 * All tools of all extensions under the names the model uses, and the way back. The exposed name is `key__tool`
 * where every provider accepts that, else a shortened form with a hash. A name is looked up, never split.
 * Order is stable: a tool keeps its place, new ones come at the end, so that the prompt's prefix stays the same.
 */
import { createHash } from "node:crypto";
import type { Tool, ToolDefinition } from "../conversation/index.ts";

/** What all providers accept: OpenAI and Anthropic agree on the characters, 64 is the shortest limit. */
const ACCEPTED = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;

export class ToolTable {
  readonly #byName = new Map<string, ToolDefinition>();

  /** In stable order. */
  all(): readonly ToolDefinition[] {
    return [...this.#byName.values()];
  }

  find(name: string): ToolDefinition | undefined {
    return this.#byName.get(name);
  }

  /** Makes `tools` the tools of this extension: changed ones keep their place, missing ones go. */
  assign(extension: string, tools: readonly Tool[]): void {
    const wanted = new Map<string, ToolDefinition>();
    for (const tool of tools) {
      const name = exposedName(extension, tool.name);
      if (!wanted.has(name)) wanted.set(name, { ...tool, name, extension, toolName: tool.name });
    }
    for (const [name, definition] of this.#byName) {
      if (definition.extension === extension && !wanted.has(name)) this.#byName.delete(name);
    }
    for (const [name, definition] of wanted) this.#byName.set(name, definition);
  }

  remove(extension: string): void {
    this.assign(extension, []);
  }
}

export function exposedName(extension: string, tool: string): string {
  const plain = `${extension}__${tool}`;
  if (ACCEPTED.test(plain)) return plain;
  const hash = createHash("sha256").update(`${extension}\0${tool}`).digest("hex").slice(0, 8);
  const readable = tool.normalize("NFKD").replace(/[^A-Za-z0-9_-]+/g, "_");
  return `${`${extension}__${readable}`.slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`;
}
