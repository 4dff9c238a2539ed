/**
 * A BM25 index over short documents with weighted fields. Adding and removing a document touches only its own
 * terms. Ranking is deterministic: equal scores keep the order in which documents were added. A term of the
 * query counts once per document with its best spelling (itself, a synonym, a shared beginning), so a thesaurus
 * can widen a query without drowning it.
 */
import { type Synonyms, synonymsOf } from "./synonyms.ts";
import { tokenize } from "./tokenize.ts";

export interface Field {
  readonly text: string;
  readonly weight: number;
}

export interface RankDocument {
  readonly id: string;
  readonly fields: readonly Field[];
}

export interface Ranked {
  readonly id: string;
  readonly score: number;
}

export interface Ranker {
  readonly size: number;
  /** Replaces a document of the same id. */
  add(document: RankDocument): void;
  remove(id: string): void;
  rank(query: string, limit: number): readonly Ranked[];
}

export interface RankerOptions {
  readonly synonyms?: Synonyms;
  /** Saturation of repeated terms, and how much long documents are held back. */
  readonly k1?: number;
  readonly b?: number;
}

/** Which documents have a term, and how much of it: two arrays side by side, because ranking walks them most. */
interface Posting {
  readonly slots: number[];
  readonly amounts: number[];
}

interface Entry {
  readonly id: string;
  readonly slot: number;
  readonly order: number;
  readonly length: number;
  readonly terms: ReadonlyMap<string, number>;
}

const PREFIX_WEIGHT = 0.5;
const PREFIX_LENGTH = 5;

export function createRanker(documents: readonly RankDocument[] = [], options: RankerOptions = {}): Ranker {
  const { k1 = 1.2, b = 0.4, synonyms } = options;
  const entries = new Map<string, Entry>();
  /** By slot; a removed document's slot is used again. */
  const slots: (Entry | undefined)[] = [];
  const freeSlots: number[] = [];
  const postings = new Map<string, Posting>();
  const prefixes = new Map<string, Set<string>>();
  let totalLength = 0;
  let order = 0;

  const ranker: Ranker = {
    get size() {
      return entries.size;
    },
    add,
    remove,
    rank,
  };
  for (const document of documents) add(document);
  return ranker;

  function add(document: RankDocument): void {
    remove(document.id);
    const terms = new Map<string, number>();
    let length = 0;
    for (const { text, weight } of document.fields)
      for (const token of tokenize(text)) {
        const amount = token.weight * weight;
        terms.set(token.term, (terms.get(token.term) ?? 0) + amount);
        length += amount;
      }
    const slot = freeSlots.pop() ?? slots.length;
    const entry = { id: document.id, slot, order: order++, length, terms };
    slots[slot] = entry;
    entries.set(document.id, entry);
    totalLength += length;
    for (const [term, amount] of terms) {
      let posting = postings.get(term);
      if (posting === undefined) {
        posting = { slots: [], amounts: [] };
        postings.set(term, posting);
        if (term.length >= PREFIX_LENGTH) shelf(term).add(term);
      }
      posting.slots.push(slot);
      posting.amounts.push(amount);
    }
  }

  function remove(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entries.delete(id);
    slots[entry.slot] = undefined;
    freeSlots.push(entry.slot);
    totalLength -= entry.length;
    for (const term of entry.terms.keys()) {
      const posting = postings.get(term);
      if (posting === undefined) continue;
      const at = posting.slots.indexOf(entry.slot);
      posting.slots.splice(at, 1);
      posting.amounts.splice(at, 1);
      if (posting.slots.length > 0) continue;
      postings.delete(term);
      prefixes.get(term.slice(0, PREFIX_LENGTH))?.delete(term);
    }
  }

  function shelf(term: string): Set<string> {
    const prefix = term.slice(0, PREFIX_LENGTH);
    let terms = prefixes.get(prefix);
    if (terms === undefined) {
      terms = new Set();
      prefixes.set(prefix, terms);
    }
    return terms;
  }

  function rarity(count: number): number {
    return Math.log(1 + (entries.size - count + 0.5) / (count + 0.5));
  }

  function rank(query: string, limit: number): readonly Ranked[] {
    const wanted = new Map<string, number>();
    for (const { term, weight } of tokenize(query)) wanted.set(term, Math.max(wanted.get(term) ?? 0, weight));
    const average = totalLength / Math.max(1, entries.size) || 1;
    const scores = new Float64Array(slots.length);
    const best = new Float64Array(slots.length);
    const norms = Float64Array.from(slots, (entry) => k1 * (1 - b + (b * (entry?.length ?? 0)) / average));
    for (const [term, weight] of wanted) {
      best.fill(0);
      // A word that documents here do use is as rare as it is, whatever its relatives are.
      const ceiling = rarity(postings.get(term)?.slots.length ?? 0);
      for (const [spelling, likeness] of spellings(term)) {
        const posting = postings.get(spelling);
        if (posting === undefined) continue;
        const value = likeness * Math.min(ceiling, rarity(posting.slots.length)) * (k1 + 1);
        for (let index = 0; index < posting.slots.length; index += 1) {
          const slot = posting.slots[index] ?? 0;
          const amount = posting.amounts[index] ?? 0;
          const score = (value * amount) / (amount + (norms[slot] ?? 0));
          if (score > (best[slot] ?? 0)) best[slot] = score;
        }
      }
      for (let slot = 0; slot < best.length; slot += 1)
        scores[slot] = (scores[slot] ?? 0) + weight * (best[slot] ?? 0);
    }
    return greatest(scores, Math.max(0, limit));
  }

  /** The best few, without sorting the rest. */
  function greatest(scores: Float64Array, limit: number): readonly Ranked[] {
    const found: { readonly entry: Entry; readonly score: number }[] = [];
    for (const entry of slots) {
      const score = entry === undefined ? 0 : (scores[entry.slot] ?? 0);
      if (entry === undefined || score <= 0) continue;
      const last = found.length < limit ? undefined : found.at(-1);
      if (found.length >= limit && (last === undefined || !isBefore(entry, score, last.entry, last.score)))
        continue;
      let at = found.length;
      while (at > 0) {
        const other = found[at - 1];
        if (other === undefined || !isBefore(entry, score, other.entry, other.score)) break;
        at -= 1;
      }
      found.splice(at, 0, { entry, score });
      if (found.length > limit) found.pop();
    }
    return found.map(({ entry, score }) => ({ id: entry.id, score }));
  }

  function isBefore(entry: Entry, score: number, other: Entry, otherScore: number): boolean {
    return score > otherScore || (score === otherScore && entry.order < other.order);
  }

  function spellings(term: string): readonly (readonly [string, number])[] {
    const found: (readonly [string, number])[] = [[term, 1]];
    if (synonyms !== undefined) found.push(...synonymsOf(synonyms, term));
    if (postings.has(term) || term.length < PREFIX_LENGTH) return found;
    for (const other of prefixes.get(term.slice(0, PREFIX_LENGTH)) ?? []) found.push([other, PREFIX_WEIGHT]);
    return found;
  }
}
