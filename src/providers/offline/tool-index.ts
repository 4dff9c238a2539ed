/**
 * The tools of a conversation, indexed once: the next request adds and removes only what changed. A definition
 * that is the same object is the same tool.
 */
import type { ToolDefinition } from "../../conversation/index.ts";
import { documentOf } from "../../lib/ranking/document.ts";
import { createRanker, type Ranker } from "../../lib/ranking/ranker.ts";
import { everydaySynonyms } from "../../lib/ranking/synonyms.ts";

export interface ToolIndex {
  readonly ranker: Ranker;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
}

export function createToolIndex(): { sync(tools: readonly ToolDefinition[]): ToolIndex } {
  const ranker = createRanker([], { synonyms: everydaySynonyms() });
  const known = new Map<string, ToolDefinition>();
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
