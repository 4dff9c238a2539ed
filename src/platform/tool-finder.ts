/** Finds tools by words, with the offline planner's ranker. Loaded at the first search: the thesaurus is not small. */
import type { ToolDefinition } from "../conversation/index.ts";
import { createCallableIndex } from "../lib/ranking/callable-index.ts";

export interface FindOptions {
  readonly limit: number;
  readonly extension?: string;
}

export interface ToolFinder {
  /** Best first. `tools` is everything there is now; only what changed since the last time is indexed. */
  find(query: string, tools: readonly ToolDefinition[], options: FindOptions): readonly ToolDefinition[];
}

/** A query is a few words; what is longer only costs time. */
const MAX_QUERY = 2000;

export function createToolFinder(): ToolFinder {
  const index = createCallableIndex<ToolDefinition>();
  return {
    find(query, tools, { limit, extension }) {
      const { ranker, tools: known } = index.sync(tools);
      const exact = known.get(query);
      const ranked = ranker
        .rank(query.slice(0, MAX_QUERY), extension === undefined ? limit + 1 : known.size)
        .flatMap(({ id }) => known.get(id) ?? []);
      const found = exact === undefined ? ranked : [exact, ...ranked.filter((tool) => tool !== exact)];
      return found.filter((tool) => !extension || tool.extension === extension).slice(0, limit);
    },
  };
}
