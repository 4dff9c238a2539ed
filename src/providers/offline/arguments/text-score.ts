/**
 * How well a phrase fits a text parameter: by its form (quoted, a name, a path …), by the words beside it, by
 * its part in the sentence, and by what it is not: words that only name the tool are no values.
 */
import type { CalendarDate } from "../reading/dates.ts";
import type { Literal } from "../reading/literals.ts";
import type { Phrase } from "../reading/phrases.ts";
import type { Reading } from "../reading/reading.ts";
import { type Cue, cueOf } from "./cues.ts";
import { kindScore } from "./kind-score.ts";
import type { Parameter } from "./parameter.ts";
import { roleAt } from "./roles.ts";
import { isOwnWord, type Surroundings } from "./text-candidates.ts";

/** Nouns that stand for what is asked, never for a value. */
const VAGUE =
  /^(?:names?|amount|percentage|number|list|information|info|details?|data|type|kind|way|part|basis|rest|least|most|results?|values?|total|options?|less|more|next|last|past|previous|current|following|upcoming|available|similar|different|example|question|answer)$/i;

/** A phrase held against a parameter. */
export interface Match {
  readonly parameter: Parameter;
  readonly phrase: Phrase;
  readonly reading: Reading;
  readonly around: Surroundings;
}

/** Which end of a range or a conversion the phrase is, where the request says so. */
export function roleOf(match: Match): "start" | "end" | undefined {
  const { phrase, reading } = match;
  return conversionRole(match) ?? roleAt(reading, phrase.first, phrase.last);
}

export function textScore(match: Match): number {
  const { parameter, phrase } = match;
  let score = formScore(match) + bestCue(match) + kindScore(match);
  const isWords = phrase.kind === "chunk" || phrase.kind === "name";
  if (isWords && isToolTalk(match)) score -= 2.5;
  if (phrase.kind === "chunk" && hasOwnEnds(match)) score -= 1;
  if (isWords && VAGUE.test(phrase.text)) score -= 1.5;
  if (phrase.part) score -= 0.8;
  if (isWords && labels(match)) score -= 1.2;
  const place = roleOf(match);
  if (parameter.role !== undefined && place !== undefined) score += place === parameter.role ? 2 : -2.5;
  if (phrase.kind !== "literal" && isExample(parameter, phrase)) score += 2;
  return score;
}

/** A piece of a name has no neighbours of its own; a piece of a phrase has the phrase's too. */
function bestCue({ parameter, phrase, reading }: Match): number {
  if (phrase.part) return 0;
  const own = cueScore(parameter, cueOf(parameter, reading, phrase.first, phrase.last));
  if (phrase.within === undefined) return own;
  const { first, last } = phrase.within;
  return Math.max(own, cueScore(parameter, cueOf(parameter, reading, first, last)));
}

/** "player X" names a person, "Tennis player" does not: what stands before a noun describes it. */
function cueScore(parameter: Parameter, cue: Cue): number {
  const isPerson = parameter.kinds.has("person");
  const direct = cue.direct && (!isPerson || cue.left > 0) ? 0.8 : 0;
  return 2.6 * cue.left + (isPerson ? 0.4 : 2) * cue.right + 0.8 * cue.described + direct;
}

function formScore({ parameter, phrase, reading }: Match): number {
  // An optional parameter needs more than that something was quoted.
  if (phrase.kind === "quoted") return parameter.required ? 2.8 : 2;
  const tokens = reading.tokens.slice(phrase.first, phrase.last + 1);
  const literal = tokens[0]?.literal;
  if (phrase.kind === "literal")
    return literal === undefined ? 0 : literalScore(parameter, literal, phrase, reading);
  if (tokens.length === 1 && /[a-z][A-Z]|_/.test(phrase.text)) return 1.6;
  const [first] = tokens;
  const opensAlone = first?.opensSentence === true && tokens.length === 1 && phrase.kind === "chunk";
  const long = 0.1 * Math.max(0, tokens.length - 3);
  if (first?.capital !== true || opensAlone) return 0.3 - long;
  // "Amazon rainforest", "ATP synthase": a name and what it is, one thing longer than the name alone.
  return tokens.every((token) => token.capital) ? 1.2 : 1.3 - long;
}

function literalScore(parameter: Parameter, literal: Literal, phrase: Phrase, reading: Reading): number {
  const { kinds } = parameter;
  switch (literal.type) {
    case "date":
      if (kinds.has("date")) return 4;
      return kinds.has("time") ? 1 : isMonth(parameter, literal.date) ? 3 : -2;
    case "time":
      return kinds.has("time") ? 4 : kinds.has("date") ? 0 : -2;
    case "url":
      if (kinds.has("url")) return 4;
      return kinds.has("path") || kinds.has("text") || kinds.has("query") ? 0 : -1;
    case "email":
      return kinds.has("email") ? 4 : -1;
    case "path":
      if (/^file ?names?\b/i.test(parameter.description)) return 4;
      if (kinds.has("path")) return isFileForFolder(parameter, phrase.text) ? 0 : 4;
      return kinds.has("url") ? -1.5 : -0.5;
    case "expression":
      return kinds.has("expression") ? 4 : -1;
    case "pattern":
      if (parameter.words.has("glob") || /\bglob\b/i.test(parameter.description)) return 5.5;
      return kinds.has("query") ? 4 : -1;
    case "address":
      return kinds.has("place") ? 4 : 0;
    case "identifier":
      return kinds.has("identifier") ? 2.8 : 1;
    case "number":
      return numberScore(parameter, phrase, reading);
    case "quoted":
    case "json":
      return 0;
  }
}

/** `package.json` is no folder to list. */
function isFileForFolder({ description }: Parameter, path: string): boolean {
  const wantsFolder =
    /^(?:the |an? |only (?:below|in|under) )?(?:\w+ )?(?:directory|folder)\b|^(?:ディレクトリ|フォルダ)/i.test(
      description,
    );
  return wantsFolder && /\.\w{1,8}$/.test(path);
}

/** "in December", for a parameter that wants a month. */
function isMonth({ words }: Parameter, { month, day, year }: CalendarDate): boolean {
  return words.has("month") && month !== undefined && day === undefined && year === undefined;
}

function numberScore({ kinds, words }: Parameter, phrase: Phrase, reading: Reading): number {
  const literal = reading.tokens[phrase.first]?.literal;
  if (literal?.type !== "number") return 0;
  const { ordinal, yearLike, unit, implied } = literal.number;
  if (reading.tallies.has(phrase.first)) return -9;
  if (implied) return kinds.has("date") ? 2.2 : -9;
  if (kinds.has("identifier")) return ordinal ? -1 : 1.2;
  if (
    words.has("lat") ||
    words.has("latitud") ||
    words.has("lon") ||
    words.has("long") ||
    words.has("longitud")
  )
    return 1;
  if (kinds.has("place") || kinds.has("person") || kinds.has("organisation")) return -5;
  if (kinds.has("year")) return yearLike ? 3 + 0.1 * (phrase.last - phrase.first) : -1;
  if (ordinal) return -3;
  return kinds.has("duration") && unit?.dimension === "time" ? 2.5 : -1.2;
}

/** In "how many ounces in 2 pounds" and "500 US dollars in yen" the number's unit is what is converted from. */
function conversionRole({ parameter, phrase, reading }: Match): "start" | "end" | undefined {
  if (!parameter.kinds.has("currency") && !parameter.kinds.has("unit")) return undefined;
  if (reading.tokens[phrase.first - 1]?.literal?.type === "number") return "start";
  const lead = reading.tokens.slice(Math.max(0, phrase.first - 2), phrase.first).map(({ lower }) => lower);
  return /\b(?:how (?:many|much)|in|into|to)$/.test(lead.join(" ")) ? "end" : undefined;
}

/** "user 'Sam'", "IP address 192.168.0.1": words right before a value say what it is. */
function labels({ phrase, reading }: Match): boolean {
  const type = reading.tokens[phrase.last + 1]?.literal?.type;
  return type === "quoted" || type === "identifier" || type === "email" || type === "url" || type === "path";
}

/** "rock concerts" for a genre: the tool's own word is still on it. */
function hasOwnEnds({ parameter, phrase, reading, around }: Match): boolean {
  if (phrase.first === phrase.last) return false;
  return [phrase.first, phrase.last].some((index) => {
    const token = reading.tokens[index];
    return token !== undefined && !token.capital && isOwnWord(token.stem, parameter, around);
  });
}

/** All its words are the tool's or a parameter's own: the request names the tool with them, or labels a value. */
function isToolTalk({ parameter, phrase, reading, around }: Match): boolean {
  const isLabel = (stem: string) =>
    !parameter.exampleWords.has(stem) && around.parameters.some(({ words }) => words.get(stem) === 1);
  return reading.tokens
    .slice(phrase.first, phrase.last + 1)
    .every((token) => !token.content || isOwnWord(token.stem, parameter, around) || isLabel(token.stem));
}

/** The description gives this very text as an example. */
function isExample({ description }: Parameter, { text }: Phrase): boolean {
  if (text.length < 4) return false;
  const at = description.toLowerCase().indexOf(text.toLowerCase());
  const lead = /(?:e\.g|for example|such as|like|eg\.|for instance|'|"|i\.e)[^.]{0,60}$/i;
  return at >= 0 && lead.test(description.slice(0, at));
}
