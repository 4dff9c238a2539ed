/**
 * Callable things of several owners, indexed once: the next `sync` adds and removes only what changed. A definition
 * that is the same object is the same thing. The offline planner and tool search choose with it.
 */
import { documentOf } from "./document.ts";
import { createRanker, type Ranker } from "./ranker.ts";
import { everydaySynonyms } from "./synonyms.ts";

export interface Callable {
  /** Unique among all owners. */
  readonly name: string;
  readonly extension: string;
  /** The name under which the owner knows it. */
  readonly toolName: string;
  readonly title?: string;
  readonly annotations?: { readonly title?: string };
  readonly description?: string;
  readonly inputSchema: unknown;
}

export interface CallableIndex<T extends Callable> {
  readonly ranker: Ranker;
  readonly tools: ReadonlyMap<string, T>;
}

export function createCallableIndex<T extends Callable>(): { sync(tools: readonly T[]): CallableIndex<T> } {
  const ranker = createRanker([], { synonyms: everydaySynonyms() });
  const known = new Map<string, T>();
  return {
    sync(tools) {
      const names = new Set(tools.map((tool) => tool.name));
      for (const name of known.keys())
        if (!names.has(name)) {
          known.delete(name);
          ranker.remove(name);
        }
      for (const tool of tools) {
        if (known.get(tool.name) === tool) continue;
        known.set(tool.name, tool);
        ranker.add(
          documentOf({
            id: tool.name,
            name: `${tool.toolName} ${tool.extension}`,
            title: tool.title ?? tool.annotations?.title,
            description: tool.description,
            schema: tool.inputSchema,
          }),
        );
      }
      return { ranker, tools: known };
    },
  };
}
