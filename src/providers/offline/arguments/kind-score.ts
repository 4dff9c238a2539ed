/**
 * How well a phrase fits the kind of thing a parameter means: a person, a company, a language, a colour … The
 * numbers are weights of one scale (offer.ts), set on development data; each line is one rule.
 */
import { stem } from "../../../lib/ranking/stem.ts";
import { currencyCode, isCountry, isLanguage, stateCode } from "../reading/known-names.ts";
import type { Phrase } from "../reading/phrases.ts";
import type { Reading } from "../reading/reading.ts";
import { unitOf } from "../reading/units.ts";
import { identifierWords, type Parameter } from "./parameter.ts";
import { placeScore } from "./place-score.ts";
import type { Match } from "./text-score.ts";

const COLORS =
  /^(?:red|green|blue|yellow|black|white|orange|purple|pink|brown|gr[ae]y|cyan|magenta|gold|silver|violet|beige)$/i;
const WEEKDAY = /^(?:sun|mon|tues|wednes|thurs|fri|satur)days?$/i;

export function kindScore(match: Match): number {
  const { parameter, phrase, reading, around } = match;
  const { kinds } = parameter;
  const { text, preposition = "" } = phrase;
  if (phrase.kind === "literal") return 0;
  const isName = phrase.kind === "name";
  const isChunk = phrase.kind === "chunk";
  const isQuoted = phrase.kind === "quoted";
  const isOwn = isName && phrase.last > phrase.first && saysWhatItIs(parameter, text);
  let score = kinds.has("place") ? placeScore(match) : isOwn ? 0 : notAPlace(match);
  if (kinds.has("person") && !kinds.has("place")) score += personScore(phrase);
  if (kinds.has("organisation") && isName) score += isCountry(text) ? -0.9 : 0.6;
  if (kinds.has("language")) score += isLanguage(text) ? 3.5 : -1;
  if (kinds.has("currency")) score += currencyCode(text) !== undefined ? 3.5 : -1;
  if (kinds.has("unit")) score += unitOf(text) === undefined ? -1.5 : preposition === "in" ? 3 : 1;
  if (kinds.has("date") || kinds.has("url")) score -= isQuoted ? 0.5 : 2;
  if (kinds.has("email")) score -= text.includes("@") ? 0 : 4;
  if (kinds.has("path")) score += pathScore(phrase, reading);
  if (kinds.has("identifier")) score += isChunk ? -0.8 : isName && /^[A-Z\d.-]{2,6}$/.test(text) ? 1 : 0;
  if (kinds.has("expression") && isChunk) score -= 0.5;
  if (kinds.has("topic") || kinds.has("query"))
    score += /^(?:about|on|regarding|concerning|for|of|as|object)$/.test(preposition) ? 1.2 : 0.2;
  if (kinds.has("text") && isQuoted) score += 1.5;
  if (kinds.has("title") && /^(?:of|for|about|object)$/.test(preposition)) score += 0.4;
  if (kinds.size === 0 && preposition === "object") score += 0.4;
  if (kinds.has("color")) score += COLORS.test(text) ? 3 : -0.5;
  if (kinds.has("category")) score += isChunk ? 0.4 : isName ? -0.2 : 0;
  if (!kinds.has("unit") && unitOf(text) !== undefined && text.length > 1) score -= 2;
  if (!kinds.has("date") && !kinds.has("time") && WEEKDAY.test(text)) score -= 2;
  // "Battle of Stalingrad" for a battle: the name says itself what it is, and so does another parameter's.
  if (isOwn) score += 1;
  if (around.parameters.some((other) => other !== parameter && saysWhatItIs(other, text))) score -= 1;
  return score;
}

/** After "in" and its like a name is a place, and goes to a parameter that wants one. */
function notAPlace({ parameter, phrase, around }: Match): number {
  const { kind, preposition = "", text } = phrase;
  if (kind !== "name") return 0;
  let score = isCountry(text) ? -0.7 : 0;
  if (preposition === "in") {
    if (isCountry(text) || stateCode(text) !== undefined) score -= 0.8;
    if (!parameter.kinds.has("date")) score -= 0.5;
  }
  const wanted = around.parameters.some((other) => other.kinds.has("place"));
  return wanted && /^(?:in|at|near)$/.test(preposition) ? score - 1 : score;
}

function personScore({ kind, text, preposition = "", first, last }: Phrase): number {
  let score = 0;
  if (kind === "name") score += last > first ? 1.2 : 0.3;
  if (preposition === "by") score += 1.2;
  else if (/^(?:of|with|for)$/.test(preposition)) score += 0.6;
  return isCountry(text) ? score - 2 : score;
}

function saysWhatItIs(parameter: Parameter, text: string): boolean {
  return identifierWords(text).some((word) => parameter.words.get(stem(word)) === 1);
}

/** "files in src", srcのファイル: one bare word where a folder must stand. */
function pathScore({ kind, text, preposition = "", last }: Phrase, reading: Reading): number {
  if (kind === "quoted") return /[./\\]/.test(text) ? 1 : -1.2;
  const bare = /^[\w.@-]+$/.test(text) && !WORKPLACE.test(text);
  const after = reading.folded.slice(reading.tokens[last]?.end);
  if (bare && /^(?:in|under|inside|within)$/.test(preposition)) return 3;
  if (bare && /^の(?:ファイル|フォルダ|ディレクトリ|中|一覧|下)/.test(after)) return 3;
  return kind === "name" ? -1 : -2;
}

const WORKPLACE =
  /^(?:project|repo|repository|directory|folder|workspace|computer|machine|disk|current|working|code|codebase|files?|system|here)$/i;
