/**
 * Which other words a word may stand for. Built once from groups of words, one group a line; the keys are stems,
 * as the index has them.
 */
import { stem } from "./stem.ts";
import { RELATED, SAME } from "./thesaurus.ts";

/** Per stem: the other stems, and how alike they are (1 is the word itself). */
export type Synonyms = ReadonlyMap<string, ReadonlyMap<string, number>>;

const SAME_WEIGHT = 0.7;
const RELATED_WEIGHT = 0.4;
/** A translation stands nearer than a synonym of the same language. */
const TRANSLATION_WEIGHT = 0.9;

const NONE: ReadonlyMap<string, number> = new Map();
let everyday: Synonyms | undefined;

/** The thesaurus that comes with the program, built on first use. */
export function everydaySynonyms(): Synonyms {
  everyday ??= createSynonyms([
    { groups: RELATED, weight: RELATED_WEIGHT },
    { groups: SAME, weight: SAME_WEIGHT },
  ]);
  return everyday;
}

export function createSynonyms(
  tables: readonly { readonly groups: string; readonly weight: number }[],
): Synonyms {
  const synonyms = new Map<string, Map<string, number>>();
  for (const { groups, weight } of tables)
    for (const line of groups.split("\n")) {
      const stems = new Set(line.split(/\s+/).filter(Boolean).map(stem));
      for (const word of stems) {
        const others = synonyms.get(word) ?? new Map<string, number>();
        synonyms.set(word, others);
        for (const other of stems) {
          if (other === word) continue;
          const translated = weight === SAME_WEIGHT && isLatin(other) !== isLatin(word);
          others.set(other, Math.max(translated ? TRANSLATION_WEIGHT : weight, others.get(other) ?? 0));
        }
      }
    }
  return synonyms;
}

export function synonymsOf(synonyms: Synonyms, term: string): ReadonlyMap<string, number> {
  return synonyms.get(term) ?? NONE;
}

function isLatin(word: string): boolean {
  return /^[a-z]/.test(word);
}
