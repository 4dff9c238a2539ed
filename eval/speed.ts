/**
 * How long the ranker takes with 5,000 made-up tools: indexing once, then ranking requests. The tools are made of
 * the thesaurus's own words, so that every request meets many of them.
 */
import { type Describable, documentOf } from "../src/lib/ranking/document.ts";
import { createRanker } from "../src/lib/ranking/ranker.ts";
import { everydaySynonyms } from "../src/lib/ranking/synonyms.ts";

export interface SpeedScore {
  readonly tools: number;
  /** Milliseconds. */
  readonly indexing: number;
  readonly median: number;
  readonly ninetyFifth: number;
  /** Of the processor, a request: what a busy machine does not lengthen. */
  readonly cpu: number;
}

const TOOLS = 5000;
const ROUNDS = 200;

export function measureRanking(): SpeedScore {
  const words = [...everydaySynonyms().keys()];
  const word = (seed: number) => words[(seed * 7919) % words.length] ?? "";
  const sentence = (seed: number, length: number) =>
    Array.from({ length }, (_, index) => word(seed * 31 + index * 17)).join(" ");
  const tools = Array.from({ length: TOOLS }, (_, index): Describable => {
    const properties = { [word(index + 1)]: { type: "string", description: sentence(index + 2, 8) } };
    return {
      id: `t${index}`,
      name: `${word(index)}_${word(index + 5)}`,
      description: sentence(index, 20),
      schema: { properties },
    };
  });
  const started = performance.now();
  const ranker = createRanker(tools.map(documentOf), { synonyms: everydaySynonyms() });
  const indexing = performance.now() - started;
  const cpuBefore = process.cpuUsage();
  const times = Array.from({ length: ROUNDS }, (_, round) => {
    const before = performance.now();
    ranker.rank(sentence(round, 15), 10);
    return performance.now() - before;
  }).sort((left, right) => left - right);
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    tools: ranker.size,
    indexing,
    median: times[ROUNDS / 2] ?? 0,
    ninetyFifth: times[Math.floor(ROUNDS * 0.95)] ?? 0,
    cpu: (user + system) / 1000 / ROUNDS,
  };
}
