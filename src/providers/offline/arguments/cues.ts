/**
 * How strongly the words beside a value name a parameter. Nearer words count more; function words cost nothing;
 * a sentence's end, another value or (to the right) a comma or "and" closes the view. Values in a row ("6 cm and
 * 10 cm") share what stands before the row.
 */
import { everydaySynonyms } from "../../../lib/ranking/synonyms.ts";
import { CONJUNCTIONS, PREPOSITIONS } from "../reading/english-words.ts";
import { countersOf } from "../reading/japanese-counters.ts";
import type { Reading } from "../reading/reading.ts";
import { endsSentence, type Token } from "../reading/tokens.ts";
import type { Parameter } from "./parameter.ts";

export interface Cue {
  /** 0 to 1: how much of the parameter's name stands beside the value. */
  readonly left: number;
  readonly right: number;
  /** 0 to 1: the same for words of its description. */
  readonly described: number;
  /** The name stands right at the value: `edition 1`, `edition = 1`, `1 edition`. */
  readonly direct: boolean;
}

interface Near {
  readonly stem: string;
  readonly token: Token;
  readonly weight: number;
  readonly direct: boolean;
}

const LEFT_DECAY = [1, 0.75, 0.55, 0.4, 0.3, 0.2];
const RIGHT_DECAY = [1, 0.8, 0.5, 0.3];
const ALIKE = 0.6;

export function cueOf(parameter: Parameter, reading: Reading, first: number, last: number): Cue {
  const left = leftOf(reading.tokens, first);
  const right = rightOf(reading.tokens, last);
  return {
    left: share(parameter.words, left),
    right: share(parameter.words, right),
    described: Math.min(1, describedBy(parameter, left) + describedBy(parameter, right)),
    direct: [...left, ...right].some(({ direct, stem }) => direct && (parameter.words.get(stem) ?? 0) >= 1),
  };
}

function leftOf(tokens: readonly Token[], first: number): readonly Near[] {
  const near: Near[] = [];
  let index = rowStart(tokens, first) - 1;
  const inRow = index + 1 !== first || opensRow(tokens, first);
  let distance = 0;
  let touching = true;
  for (; index >= 0 && distance < LEFT_DECAY.length; index -= 1) {
    const token = tokens[index];
    if (token === undefined || endsSentence(token)) break;
    if (token.type === "literal") break;
    if (token.text === "," || token.text === "、") {
      distance += 2;
      touching = false;
      continue;
    }
    if (token.type === "mark") continue;
    if (!token.content) {
      if (CONJUNCTIONS.has(token.lower)) distance += inRow ? 0 : 1;
      if (token.unspaced || /^(?:of|is|as|to|at|be|was|are|equals?|=|a|an|the)$/.test(token.lower)) {
        // Prepositions and verbs may be names of parameters themselves ("from", "to").
        near.push({ stem: token.stem, token, weight: 0.5, direct: false });
        continue;
      }
      near.push({ stem: token.stem, token, weight: LEFT_DECAY[Math.floor(distance)] ?? 0, direct: false });
      touching = false;
      distance += 0.5;
      continue;
    }
    // In a row the names come in order too, so nearness must not decide.
    const weight = inRow ? 0.8 : (LEFT_DECAY[Math.floor(distance)] ?? 0);
    near.push({ stem: token.stem, token, weight, direct: touching && distance === 0 });
    distance += 1;
    touching = false;
  }
  return near;
}

/** The first value of a row: values of one type with nothing between them but commas, "and" and units. */
function rowStart(tokens: readonly Token[], first: number): number {
  let start = first;
  const type = tokens[first]?.literal?.type;
  for (let index = first - 1; index >= 0 && type !== undefined; index -= 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.literal?.type === type) start = index;
    else if (token.type === "literal") break;
    else if (token.text !== "," && token.text !== "、" && token.lower !== "and" && token.lower !== "と") {
      if (start - index > 2 || !isUnitWord(tokens, index)) break;
    }
  }
  return start;
}

function opensRow(tokens: readonly Token[], first: number): boolean {
  const type = tokens[first]?.literal?.type;
  for (let index = first + 1; type !== undefined && index <= first + 3; index += 1)
    if (tokens[index]?.literal?.type === type) return rowStart(tokens, index) <= first;
  return false;
}

function isUnitWord(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.literal;
  return (
    before?.type === "number" &&
    before.number.unit !== undefined &&
    /^(?:,|and)$/.test(tokens[index + 1]?.lower ?? "")
  );
}

function rightOf(tokens: readonly Token[], last: number): readonly Near[] {
  const near: Near[] = [];
  let distance = 0;
  for (let index = last + 1; index < tokens.length && distance < RIGHT_DECAY.length; index += 1) {
    const token = tokens[index];
    if (token === undefined || endsSentence(token) || token.type === "literal") break;
    if (token.text === "," || token.text === "、" || CONJUNCTIONS.has(token.lower)) break;
    if (token.type === "mark") continue;
    if (!token.content) {
      if (PREPOSITIONS.has(token.lower)) distance += 1.5;
      else distance += 0.5;
      continue;
    }
    const weight = RIGHT_DECAY[Math.floor(distance)] ?? 0;
    near.push({ stem: token.stem, token, weight, direct: distance === 0 });
    for (const counter of countersOf(token.text))
      near.push({ stem: counter, token, weight, direct: distance === 0 });
    distance += 1;
  }
  return near;
}

function share(words: ReadonlyMap<string, number>, near: readonly Near[]): number {
  let matched = 0;
  let total = 0;
  for (const [word, weight] of words) {
    total += weight;
    let best = 0;
    for (const one of near) {
      const likeness = one.stem === word ? 1 : likenessOf(one.stem, word);
      best = Math.max(best, one.weight * likeness);
    }
    matched += weight * best;
  }
  return total === 0 ? 0 : matched / total;
}

function describedBy(parameter: Parameter, near: readonly Near[]): number {
  let best = 0;
  let sum = 0;
  for (const { stem, token, weight } of near) {
    if (!token.content || !parameter.descriptionWords.has(stem)) continue;
    best = Math.max(best, weight);
    sum += weight;
  }
  return Math.min(1, best * 0.6 + sum * 0.2);
}

export function likenessOf(left: string, right: string): number {
  if (Math.min(left.length, right.length) >= 4 && (left.startsWith(right) || right.startsWith(left)))
    return 0.7;
  const likeness = everydaySynonyms().get(left)?.get(right) ?? 0;
  return likeness >= ALIKE ? likeness * 0.8 : 0;
}
