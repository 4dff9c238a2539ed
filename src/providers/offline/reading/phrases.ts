/**
 * What a text argument may be: quoted text, names, noun phrases, and literals as they were written. Every
 * phrase knows the preposition (or the Japanese particle) that gives it its part in the sentence.
 */
import { DETERMINERS, isVerb, PREPOSITIONS } from "./english-words.ts";
import { countersOf } from "./japanese-counters.ts";
import { isCountry, stateCode } from "./known-names.ts";
import type { Token } from "./tokens.ts";
import { unitOf } from "./units.ts";

export interface Phrase {
  readonly kind: "quoted" | "name" | "chunk" | "literal";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Indexes of its first and last token. */
  readonly first: number;
  readonly last: number;
  /** "in", "from", "by" …; a Japanese particle is given as the preposition it answers to. */
  readonly preposition: string | undefined;
  /** A piece of a longer name ("Tordesillas" of "Treaty of Tordesillas"). */
  readonly part: boolean;
  /** The longer phrase that this one was cut out of: the words beside that one count too. */
  readonly within?: { readonly first: number; readonly last: number };
}

/** から → from … The particle that follows a phrase, as the preposition that would stand before it. */
const PARTICLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    から: "from",
    より: "from",
    まで: "to",
    へ: "to",
    に: "to",
    で: "in",
    の: "of",
    を: "object",
    が: "subject",
    は: "subject",
    と: "with",
    について: "about",
    に関する: "about",
    における: "in",
  }),
);
/** May stand inside a name: "Museum of Modern Art", "Lord of the Rings". */
const INSIDE_NAMES = new Set([
  "of",
  "the",
  "de",
  "la",
  "del",
  "da",
  "van",
  "von",
  "&",
  "v.",
  "vs.",
  "vs",
  "v",
]);

export function phrasesOf(text: string, tokens: readonly Token[]): readonly Phrase[] {
  const phrases: Phrase[] = [];
  const add = (kind: Phrase["kind"], first: number, last: number, value?: string, part = false) => {
    const from = tokens[first];
    const to = tokens[last];
    if (from === undefined || to === undefined) return;
    const written = value ?? text.slice(from.start, to.end).replace(/'s$/, "");
    if (phrases.some((other) => other.first === first && other.last === last)) return;
    phrases.push({
      kind,
      text: written,
      start: from.start,
      end: to.end,
      first,
      last,
      preposition: prepositionOf(tokens, first, last),
      part,
    });
  };

  tokens.forEach((token, index) => {
    const { literal } = token;
    if (literal === undefined) return;
    if (literal.type === "quoted") add("quoted", index, index, literal.value);
    else if (literal.type !== "json") add("literal", index, index, literal.value);
  });
  // "2019-2020" may be one thing, a season, though it is two numbers as well.
  tokens.forEach((token, index) => {
    if (token.literal?.type !== "number" || !token.literal.number.yearLike) return;
    if (/^[-/]$/.test(tokens[index + 1]?.text ?? "") && tokens[index + 2]?.literal?.type === "number")
      add("literal", index, index + 2, text.slice(token.start, tokens[index + 2]?.end));
  });
  for (const [first, last] of nameRuns(tokens)) {
    add("name", first, last);
    for (let split = first; split <= last; split += 1)
      if (INSIDE_NAMES.has(tokens[split]?.lower ?? "") && split > first) {
        add("name", first, split - 1, undefined, true);
        const rest = tokens[split + 1]?.lower === "the" ? split + 2 : split + 1;
        if (rest <= last) add("name", rest, last, undefined, true);
      }
    // "Seattle, Washington": a place and what it lies in.
    if (tokens[last + 1]?.text === "," && startsName(tokens, last + 2)) {
      const end = nameEnd(tokens, last + 2);
      const inRow = /^(?:,|and|or)$/.test(tokens[first - 1]?.lower ?? "") || opensList(tokens, end);
      if (!inRow) add("name", first, end);
    }
  }
  for (const [first, last] of chunks(tokens)) add("chunk", first, last);
  return phrases;
}

/** "Alex, Sam and Robert": the comma belongs to a list. "Boston, MA, and Washington" does not: MA is a code. */
function opensList(tokens: readonly Token[], end: number): boolean {
  const region = tokens[end]?.text ?? "";
  if (/^\p{Lu}{2}$/u.test(region) || isCountry(region) || stateCode(region) !== undefined) return false;
  const after = tokens[end + 1]?.text === "," ? end + 2 : end + 1;
  const joined =
    /^(?:and|or|,)$/.test(tokens[after]?.lower ?? "") ||
    (after === end + 2 && tokens[after]?.capital === true);
  return joined && (tokens[after]?.capital === true || tokens[after + 1]?.capital === true);
}

function nameRuns(tokens: readonly Token[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    if (!startsName(tokens, index)) continue;
    const last = nameEnd(tokens, index);
    runs.push([index, last]);
    const first = tokens[index];
    if (first?.opensSentence && last > index && tokens[index + 1]?.capital) runs.push([index + 1, last]);
    index = last;
  }
  return runs;
}

function startsName(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined || !token.capital || token.unspaced) return false;
  if (token.text.length === 1) return isLabel(tokens, index);
  if (!token.content && !/^\p{Lu}{2,}$/u.test(token.text)) return isCapitalArticle(tokens, index);
  if (!token.opensSentence) return true;
  const next = tokens[index + 1];
  return (
    !isVerb(token.lower, undefined) &&
    (next?.capital === true || /'s$/.test(token.lower) || next?.type === "mark")
  );
}

/** "product A", "stock X": a letter after the noun that it labels. */
function isLabel(tokens: readonly Token[], index: number): boolean {
  const previous = tokens[index - 1];
  return previous?.content === true && tokens[index + 1]?.content !== true;
}

/** "The Alchemist" in the middle of a sentence is a title. */
function isCapitalArticle(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  return token?.text === "The" && !token.opensSentence && tokens[index + 1]?.capital === true;
}

function nameEnd(tokens: readonly Token[], start: number): number {
  let last = start;
  for (let index = start + 1; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (/'s$/.test(tokens[last]?.lower ?? "")) break;
    if (token.capital && !token.unspaced) last = index;
    else if (!INSIDE_NAMES.has(token.lower)) break;
    else if (index - last > 2) break;
  }
  return last;
}

/** Runs of content words; determiners before them are left out, literals end them. */
function chunks(tokens: readonly Token[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  let first = -1;
  for (let index = 0; index <= tokens.length; index += 1) {
    const token = tokens[index];
    const inside =
      token !== undefined &&
      (token.content || joins(index)) &&
      !counts(index) &&
      tokens[index + 1]?.text !== "=";
    const script = tokens[index - 1]?.unspaced === token?.unspaced;
    const possessive = /'s$/.test(tokens[index - 1]?.lower ?? "");
    if (inside && (first < 0 || (script && !possessive))) {
      if (first < 0) first = index;
      continue;
    }
    if (first >= 0) found.push([first, index - 1]);
    first = inside ? index : -1;
  }
  return found;

  /** 2名, 22度: what a number counts is no phrase of its own. */
  function counts(index: number): boolean {
    const token = tokens[index];
    if (token?.unspaced !== true) return false;
    if (/^[分間目]$/.test(token.text) && counts(index - 1)) return true;
    if (tokens[index - 1]?.literal?.type !== "number") return false;
    return countersOf(token.text).length > 0 || unitOf(token.text) !== undefined;
  }

  /** "points per game" is one phrase. */
  function joins(index: number): boolean {
    return first >= 0 && tokens[index]?.lower === "per" && tokens[index + 1]?.content === true;
  }
}

function prepositionOf(tokens: readonly Token[], first: number, last: number): string | undefined {
  const next = tokens[last + 1];
  if (next?.unspaced) {
    const two = `${next.text}${tokens[last + 2]?.unspaced ? tokens[last + 2]?.text : ""}`;
    const three = `${two}${tokens[last + 3]?.unspaced ? tokens[last + 3]?.text : ""}`;
    const particle = PARTICLES.get(three) ?? PARTICLES.get(two) ?? PARTICLES.get(next.text);
    if (particle !== undefined) return particle;
  }
  for (let index = first - 1; index >= 0 && index >= first - 6; index -= 1) {
    const token = tokens[index];
    if (token === undefined) return undefined;
    if (token.type === "word" && PREPOSITIONS.has(token.lower)) return token.lower;
    if (token.type === "word" && (DETERMINERS.has(token.lower) || token.content)) continue;
    if (token.type === "mark" && /^["'(]$/.test(token.text)) continue;
    // "play Bohemian Rhapsody": what a verb is done to.
    return token.type === "word" && isVerb(token.lower, tokens[index - 1]?.lower) ? "object" : undefined;
  }
  return undefined;
}
