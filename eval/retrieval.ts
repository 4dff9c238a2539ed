/** Recall at 1, 5 and 10 of the ranker: the share of a query's relevant tools among the first so many. */
import { documentOf } from "../src/lib/ranking/document.ts";
import { createRanker } from "../src/lib/ranking/ranker.ts";
import { everydaySynonyms } from "../src/lib/ranking/synonyms.ts";
import type { RetrievalSet } from "./retrieval-data.ts";

export interface RetrievalScore {
  readonly name: string;
  readonly queries: number;
  readonly tools: number;
  /** Percent. */
  readonly recall: Readonly<Record<1 | 5 | 10, number>>;
}

const CUTS = [1, 5, 10] as const;

export function scoreRetrieval(set: RetrievalSet): RetrievalScore {
  const synonyms = everydaySynonyms();
  const shared = createRanker(set.pool.map(documentOf), { synonyms });
  const sums = { 1: 0, 5: 0, 10: 0 };
  let tools = shared.size;
  for (const { query, relevant, pool } of set.queries) {
    const ranker = pool === undefined ? shared : createRanker(pool.map(documentOf), { synonyms });
    tools = Math.max(tools, ranker.size);
    const found = ranker.rank(query, 10).map(({ id }) => id);
    for (const cut of CUTS) {
      const best = found.slice(0, cut);
      sums[cut] += relevant.filter((id) => best.includes(id)).length / Math.max(1, relevant.length);
    }
  }
  const percent = (sum: number) => (100 * sum) / Math.max(1, set.queries.length);
  return {
    name: set.name,
    queries: set.queries.length,
    tools,
    recall: { 1: percent(sums[1]), 5: percent(sums[5]), 10: percent(sums[10]) },
  };
}
