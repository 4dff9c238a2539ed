/**
 * The phrases of a request that a text parameter may take: as they stand, and what remains of them when the
 * tool's and the parameter's own words are taken off their ends ("rock concerts" → "rock").
 */
import { everydaySynonyms } from "../../../lib/ranking/synonyms.ts";
import type { Phrase } from "../reading/phrases.ts";
import type { Reading } from "../reading/reading.ts";
import type { Parameter } from "./parameter.ts";

/** What the offers of one call share. */
export interface Surroundings {
  /** Stems of the tool's name, title and description. */
  readonly vocabulary: ReadonlySet<string>;
  /** Stems of its name and title alone. */
  readonly names: ReadonlySet<string>;
  readonly parameters: readonly Parameter[];
}

/** Praise and order that say how, not what: "the best", "latest", "nearby". */
const MODIFIERS = new Set(
  `highest lowest best top rated cheapest latest newest current nearby nearest closest popular famous good great
  largest biggest longest shortest smallest oldest heaviest
  new available upcoming recent average total exact specific detailed local historical following next last past`.split(
    /\s+/,
  ),
);

/** "the biggest" is no value by itself. */
export function isModifier({ kind, text }: Phrase): boolean {
  return kind !== "quoted" && MODIFIERS.has(text.toLowerCase());
}

export function candidatesFor(
  parameter: Parameter,
  reading: Reading,
  around: Surroundings,
): readonly Phrase[] {
  const found = new Map<string, Phrase>();
  const add = (phrase: Phrase) => {
    const key = `${phrase.first}-${phrase.last}`;
    if (!found.has(key)) found.set(key, phrase);
  };
  for (const phrase of reading.phrases) {
    add(phrase);
    if (phrase.kind !== "chunk" && phrase.kind !== "name") continue;
    add(trim(phrase, parameter, reading, (stem) => parameter.words.has(stem)));
    add(trim(phrase, parameter, reading, (stem) => isOwnWord(stem, parameter, around)));
    add(trim(phrase, parameter, reading, (stem) => isDescribed(stem, parameter, around)));
  }
  return [...found.values()];
}

/** A word of the tool or the parameter, unless the parameter gives it as an example of a value. */
export function isOwnWord(stem: string, parameter: Parameter, around: Surroundings): boolean {
  if (parameter.exampleWords.has(stem)) return false;
  return around.vocabulary.has(stem) || parameter.words.has(stem) || isTranslated(stem, around);
}

/** 天気 is the tool's word too, though the tool says "weather". */
function isTranslated(word: string, around: Surroundings): boolean {
  if (/^[\x00-\x7f]/.test(word)) return false;
  for (const [other, likeness] of everydaySynonyms().get(word) ?? [])
    if (likeness >= 0.6 && around.vocabulary.has(other)) return true;
  return false;
}

function isDescribed(stem: string, parameter: Parameter, around: Surroundings): boolean {
  const described = parameter.descriptionWords.has(stem) && !parameter.exampleWords.has(stem);
  return described || isOwnWord(stem, parameter, around);
}

function trim(
  phrase: Phrase,
  parameter: Parameter,
  { tokens, folded }: Reading,
  isOwn: (stem: string) => boolean,
): Phrase {
  let { first, last } = phrase;
  const own = (index: number) => {
    const token = tokens[index];
    return token !== undefined && (isOwn(token.stem) || (!token.capital && MODIFIERS.has(token.lower)));
  };
  const lower = (index: number) => tokens[index]?.capital !== true || tokens[index]?.opensSentence === true;
  const isOwnName = (index: number) => parameter.words.has(tokens[index]?.stem ?? "");
  // "the Lawyer John Doe" loses its first word, "Natural History Museum" keeps its last: that is part of the name.
  while (first < last && own(first) && (lower(first) || (first + 1 < last && !isOwnName(first)))) first += 1;
  while (last > first && own(last) && lower(last)) last -= 1;
  const from = tokens[first];
  const to = tokens[last];
  if (from === undefined || to === undefined) return phrase;
  if (first === phrase.first && last === phrase.last) return phrase;
  const text = folded.slice(from.start, to.end).replace(/'s$/, "");
  return { ...phrase, text, first, last, start: from.start, end: to.end, within: phrase };
}
