/**
 * Text for text parameters: every phrase that may be meant, written as the parameter wants it (a date in its
 * format, a currency or country as its code, a city with its state) and scored.
 */
import { type ClockTime, dateFormatOf, writeDate } from "../reading/dates.ts";
import { cityWithState, countryCode, currencyCode, languageCode } from "../reading/known-names.ts";
import type { Phrase } from "../reading/phrases.ts";
import type { Reading } from "../reading/reading.ts";
import { unitOf } from "../reading/units.ts";
import type { Offer } from "./offer.ts";
import type { Parameter } from "./parameter.ts";
import { wantsCityAndState } from "./place-score.ts";
import { requestBody } from "./request-body.ts";
import { candidatesFor, isModifier, type Surroundings } from "./text-candidates.ts";
import { roleOf, textScore } from "./text-score.ts";

export function textOffers(parameter: Parameter, reading: Reading, around: Surroundings): readonly Offer[] {
  const offers: Offer[] = [];
  for (const phrase of candidatesFor(parameter, reading, around)) {
    const value = written(parameter, phrase, reading);
    if (value === undefined || !/[\p{L}\p{N}]/u.test(value) || isModifier(phrase)) continue;
    const match = { parameter, phrase, reading, around };
    offers.push({
      parameter,
      value,
      score: textScore(match),
      spans: [{ start: phrase.start, end: phrase.end }],
      placed: parameter.role !== undefined && roleOf(match) !== undefined,
    });
  }
  const body = requestBody(parameter, reading, around);
  if (body !== undefined) offers.push(body);
  const unit = sharedUnit(parameter, reading);
  if (unit !== undefined) offers.push(unit);
  return offers;
}

function written(parameter: Parameter, phrase: Phrase, reading: Reading): string | undefined {
  const literal = phrase.kind === "literal" ? reading.tokens[phrase.first]?.literal : undefined;
  const { kinds, description } = parameter;
  if (literal?.type === "date") {
    const { day, year } = literal.date;
    const format = dateFormatOf(description) ?? (parameter.schema["format"] === "date" ? ISO : undefined);
    if (format === undefined && (day === undefined || year === undefined)) return literal.value;
    return writeDate(literal.date, format ?? ISO, reading.now);
  }
  if (literal?.type === "time") return writeTime(literal.time, literal.value, description);
  if (literal?.type === "number") {
    // "next month" is no number here, but it may be a date in words.
    if (literal.number.implied)
      return kinds.has("date") && dateFormatOf(description) === undefined ? literal.value : undefined;
    return kinds.has("duration") || kinds.has("time") ? withUnit(phrase, reading) : phrase.text;
  }
  const { text } = phrase;
  const wantsCode = /\bcodes?\b|\bISO\b|abbreviation|two-letter|three-letter/i.test(description);
  if (kinds.has("currency")) return currencyCode(text) ?? text;
  if (wantsCode && kinds.has("country")) return countryCode(text) ?? text;
  if (wantsCode && kinds.has("language")) return languageCode(text) ?? text;
  if (kinds.has("place") && wantsCityAndState(parameter)) return cityWithState(text) ?? text;
  return text;
}

const ISO = "yyyy-mm-dd";

/** "3pm" as 15:00 where the parameter says HH:MM, else as it was said. */
function writeTime({ hour, minute }: ClockTime, said: string, description: string): string {
  if (!/\bHH:MM\b|24[- ]hour|\b\d{2}:\d{2}\b/i.test(description)) return said;
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** "2 weeks" for a duration given as text. */
function withUnit(phrase: Phrase, reading: Reading): string {
  const next = reading.tokens[phrase.last + 1];
  return next !== undefined && unitOf(next.lower) !== undefined ? `${phrase.text} ${next.text}` : phrase.text;
}

/** "a radius of 4 inches": where all numbers have one unit, that is the unit of the input. */
function sharedUnit(parameter: Parameter, reading: Reading): Offer | undefined {
  if (!parameter.kinds.has("unit") || parameter.role !== undefined) return undefined;
  if (/\b(?:output|result|return|convert|display)/i.test(parameter.description)) return undefined;
  const units = reading.literals.flatMap((literal) =>
    literal.type === "number" && literal.number.unit !== undefined ? [literal] : [],
  );
  const first = units[0];
  if (first === undefined || units.some(({ number }) => number.unit?.name !== first.number.unit?.name))
    return undefined;
  const index = reading.tokens.findIndex(({ literal }) => literal === first);
  const word = reading.tokens[index + 1];
  const said = word !== undefined && unitOf(word.lower) === first.number.unit ? word.text : undefined;
  const value = said ?? first.number.unit?.name ?? "";
  return { parameter, value, score: 2.7, spans: [] };
}
