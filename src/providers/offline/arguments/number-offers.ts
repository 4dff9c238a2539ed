/**
 * Numbers for numeric parameters: by the words beside them, by unit, by currency and percent, by range, and by
 * looking like a year.
 */

import type { CalendarDate } from "../reading/dates.ts";
import { PREPOSITIONS } from "../reading/english-words.ts";
import type { NumberValue } from "../reading/numbers.ts";
import type { Reading } from "../reading/reading.ts";
import { convertUnit } from "../reading/units.ts";
import { cueOf } from "./cues.ts";
import type { Offer } from "./offer.ts";
import { identifierWords, type Parameter } from "./parameter.ts";
import { roleAt } from "./roles.ts";

export function numberOffers(parameter: Parameter, reading: Reading): readonly Offer[] {
  const offers: Offer[] = [];
  reading.tokens.forEach((token, index) => {
    const { literal } = token;
    if (literal === undefined || reading.tallies.has(index)) return;
    const spans = [{ start: literal.start, end: literal.end }];
    if (literal.type === "number") {
      const value = valueFor(parameter, literal.number);
      if (value === undefined) return;
      const inWords = !/\d/.test(literal.value) && !literal.number.implied && parameter.words.size < 2;
      const score = scoreOf(parameter, reading, index, literal.number, value) - (inWords ? 0.7 : 0);
      const placed = parameter.role !== undefined && roleAt(reading, index, index) !== undefined;
      if (score > -1) offers.push({ parameter, value, score, spans, placed });
    } else if (literal.type === "date") {
      const part = datePart(parameter, literal.date);
      // Year, month and day share one date.
      if (part !== undefined) offers.push({ parameter, value: part, score: 3, spans: [] });
    } else if (literal.type === "time") {
      const part = timePart(parameter, literal.time);
      if (part !== undefined) offers.push({ parameter, value: part, score: 3, spans: [] });
    }
  });
  return offers;
}

/** The number as this parameter wants it: converted, as a fraction of one, or not at all. */
function valueFor(parameter: Parameter, number: NumberValue): number | undefined {
  let { value } = number;
  const { unit } = parameter;
  if (number.unit !== undefined && unit !== undefined && number.unit.dimension === unit.dimension) {
    value = convertUnit(value, number.unit, unit) ?? value;
  }
  if (number.percent && wantsFraction(parameter)) value = Number((value / 100).toPrecision(12));
  if (parameter.type === "integer" && !Number.isInteger(value)) return undefined;
  const { minimum, maximum } = parameter.schema;
  if (typeof minimum === "number" && value < minimum) return undefined;
  if (typeof maximum === "number" && value > maximum) return undefined;
  if (parameter.closed && !parameter.choices.some((choice) => choice.value === value)) return undefined;
  return value;
}

function wantsFraction(parameter: Parameter): boolean {
  if (parameter.type === "integer") return false;
  const said = `${parameter.name} ${parameter.description}`.toLowerCase();
  if (/decimal|fraction|0\.\d/.test(said)) return true;
  return !/percent|%/.test(said);
}

function scoreOf(
  parameter: Parameter,
  reading: Reading,
  index: number,
  number: NumberValue,
  value: number,
): number {
  const cue = cueOf(parameter, reading, index, index);
  const { kinds, unit, role } = parameter;
  let score = 0.6 + 3 * Math.max(cue.left, cue.right) + Math.min(cue.left, cue.right) + 1.2 * cue.described;
  if (cue.direct) score += 1;

  if (number.unit !== undefined && unit !== undefined) {
    if (number.unit.name === unit.name) score += 2;
    else if (number.unit.dimension === unit.dimension) score += 1.2;
    else score -= 2;
  } else if (number.unit !== undefined && number.unit.dimension !== "money") {
    score -= kinds.has("count") || kinds.has("year") || kinds.has("money") ? 1.5 : 0;
    if (number.unit.dimension === "time" && (kinds.has("duration") || kinds.has("time"))) score += 1.5;
  }
  if (number.implied && unit?.dimension !== "time" && !kinds.has("duration")) score -= 3;
  if (number.currency !== undefined || number.unit?.dimension === "money") {
    score += kinds.has("money") ? 1.5 : -0.8;
  }
  if (number.percent) score += kinds.has("rate") ? 1.5 : -1.2;
  else if (
    kinds.has("rate") &&
    !kinds.has("money") &&
    Math.abs(value) > 1 &&
    parameter.type === "number" &&
    cue.left < 0.3
  )
    score -= 0.6;
  if (number.yearLike) score += kinds.has("year") || kinds.has("date") ? 2.5 : cue.direct ? 0 : -1.5;
  else if (kinds.has("year") && !kinds.has("duration") && unit?.name === "year" && number.unit === undefined)
    score -= 2.5;
  if (number.ordinal && !cue.direct && cue.right < 0.4 && reading.language === "en") score -= 1.2;

  const place = roleAt(reading, index, index);
  if (role !== undefined && place !== undefined) score += place === role ? 2 : -2;
  if (kinds.has("count")) score += countsSomething(parameter, reading, index, number);
  // "the first 20 lines" says how many, not where to begin.
  else if (FEW.test(reading.tokens[index - 1]?.lower ?? "") && role !== undefined) score -= 4;
  return score;
}

const FEW = /^(?:top|first|上位|最初|先頭)$/;

/** "5 restaurants", "top 10": a bare number before a noun, or after "top"; more when it is the noun that is meant. */
function countsSomething(parameter: Parameter, reading: Reading, index: number, number: NumberValue): number {
  const { unit, percent, yearLike, currency } = number;
  if (unit !== undefined || percent || yearLike || currency !== undefined) return 0;
  const top = FEW.test(reading.tokens[index - 1]?.lower ?? "") ? 1 : 0;
  for (const token of reading.tokens.slice(index + 1, index + 5)) {
    if (token.type !== "word" || !token.content || PREPOSITIONS.has(token.lower)) break;
    if (/s$/.test(token.lower)) return parameter.descriptionWords.has(token.stem) ? 1.6 : 1;
  }
  return top;
}

function datePart(parameter: Parameter, date: CalendarDate): number | undefined {
  if (date.relative) return undefined;
  const head = identifierWords(parameter.name).at(-1);
  if (parameter.words.has("per")) return undefined;
  if (head === "year") return date.year;
  if (head === "month") return date.month;
  return head === "day" ? date.day : undefined;
}

function timePart(
  parameter: Parameter,
  time: { readonly hour: number; readonly minute: number },
): number | undefined {
  if (parameter.words.has("hour")) return time.hour;
  return parameter.words.has("minut") ? time.minute : undefined;
}
