/**
 * Lists: written out in brackets, several choices of an enum, numbers or phrases in a row ("A, B and C"), or one
 * value where the parameter wants a list.
 */
import { isJsonObject, type JsonValue } from "../../../conversation/index.ts";
import type { Phrase } from "../reading/phrases.ts";
import type { Reading } from "../reading/reading.ts";
import type { Token } from "../reading/tokens.ts";
import { choiceMatches } from "./choice-offers.ts";
import { cueOf } from "./cues.ts";
import type { Offer } from "./offer.ts";
import type { Parameter } from "./parameter.ts";
import { candidatesFor, type Surroundings } from "./text-candidates.ts";
import { textOffers } from "./text-offers.ts";

export function listOffers(parameter: Parameter, reading: Reading, around: Surroundings): readonly Offer[] {
  const item = parameter.item?.type ?? "any";
  const offers: Offer[] = [...bracketed(parameter, reading)];
  if (item === "array") offers.push(...listRows(parameter, reading));
  if (item === "integer" || item === "number") offers.push(...numberRows(parameter, reading));
  else if (item === "string" || item === "any") {
    offers.push(...chosen(parameter, reading));
    if (!isClosed(parameter)) offers.push(...phraseRows(parameter, reading, around));
  }
  return offers;
}

function isClosed(parameter: Parameter): boolean {
  return parameter.item?.closed === true || parameter.closed;
}

function bracketed(parameter: Parameter, reading: Reading): readonly Offer[] {
  const offers: Offer[] = [];
  reading.tokens.forEach((token, index) => {
    const { literal } = token;
    if (literal?.type !== "json" || !Array.isArray(literal.value)) return;
    const value: readonly JsonValue[] = literal.value;
    if (!value.every((one) => fits(one, parameter.item))) return;
    const cue = cueOf(parameter, reading, index, index);
    const score = 3 + 2.5 * Math.max(cue.left, cue.right) + cue.described;
    offers.push({ parameter, value, score, spans: [{ start: literal.start, end: literal.end }] });
  });
  return offers;
}

/** "(1,2), (3,4) and (1,3)" for a list of lists. */
function listRows(parameter: Parameter, reading: Reading): readonly Offer[] {
  const row = reading.literals.filter((literal) => literal.type === "json" && Array.isArray(literal.value));
  const value = row.flatMap((literal) => (literal.type === "json" ? [literal.value] : []));
  if (row.length < 2 || !value.every((one) => fits(one, parameter.item))) return [];
  return [{ parameter, value, score: 3, spans: row.map(({ start, end }) => ({ start, end })) }];
}

function fits(value: JsonValue, item: Parameter | undefined): boolean {
  switch (item?.type) {
    case undefined:
    case "any":
      return true;
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
  }
}

function chosen(parameter: Parameter, reading: Reading): readonly Offer[] {
  const source = parameter.choices.length > 0 ? parameter : (parameter.item ?? parameter);
  const matches = choiceMatches(source, reading);
  if (matches.length === 0) return [];
  const ordered = [...matches].sort((left, right) => left.span.start - right.span.start);
  return [
    {
      parameter,
      value: ordered.map(({ choice }) => choice.value),
      score: Math.max(...matches.map(({ score }) => score)),
      spans: ordered.map(({ span }) => span),
    },
  ];
}

/** Two numbers or more with nothing but commas, "and", "to" and units between them. */
function numberRows(parameter: Parameter, reading: Reading): readonly Offer[] {
  const offers: Offer[] = [];
  const { tokens } = reading;
  for (let first = 0; first < tokens.length; first += 1) {
    if (!isNumber(tokens[first])) continue;
    const row = [first];
    for (let index = first + 1; index < tokens.length; index += 1) {
      const token = tokens[index];
      if (isNumber(token)) row.push(index);
      else if (!isBetween(token)) break;
    }
    const last = row.at(-1) ?? first;
    if (row.length > 1) {
      const values = row.map((index) => numberAt(tokens[index]));
      const whole = parameter.item?.type !== "integer" || values.every(Number.isInteger);
      const cue = cueOf(parameter, reading, first, last);
      const score = 1.4 + 2.5 * Math.max(cue.left, cue.right) + cue.described;
      const spans = row.flatMap((index) => {
        const token = tokens[index];
        return token === undefined ? [] : [{ start: token.start, end: token.end }];
      });
      if (whole) offers.push({ parameter, value: values, score, spans });
    }
    first = last;
  }
  return offers;
}

function isNumber(token: Token | undefined): boolean {
  return token?.literal?.type === "number" && !token.literal.number.implied;
}

function numberAt(token: Token | undefined): number {
  if (token?.literal?.type !== "number") return Number.NaN;
  const { number } = token.literal;
  return number.percent ? Number((number.value / 100).toPrecision(12)) : number.value;
}

function isBetween(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    (/^[,、~-]$/.test(token.text) ||
      /^(?:and|to|と|から|x|=|it's|latitude|longitude|lat|long|lon|degrees?|north|south|east|west)$/.test(
        token.lower,
      ))
  );
}

function phraseRows(parameter: Parameter, reading: Reading, around: Surroundings): readonly Offer[] {
  const one: Parameter = { ...parameter, type: "string" };
  const singles = candidatesFor(one, reading, around).filter(({ text }) => !text.includes(","));
  return textOffers(one, reading, around).map((offer) => {
    const start = singles.find(
      (phrase) => phrase.start === offer.spans[0]?.start && phrase.end === offer.spans[0]?.end,
    );
    const row = start === undefined ? [] : rowOf(start, singles, reading);
    if (row.length < 2) return { ...offer, parameter, value: [offer.value] };
    return {
      parameter,
      value: row.map(({ text }) => text),
      score: offer.score + 0.8,
      spans: row.map(({ start: from, end }) => ({ start: from, end })),
    };
  });
}

/** The phrases that stand in one row with this one, itself included, in order. */
function rowOf(phrase: Phrase, phrases: readonly Phrase[], reading: Reading): readonly Phrase[] {
  const row = [phrase];
  for (let last = phrase; ; ) {
    const gap = gapAfter(reading.tokens, last.last);
    const next = gap === undefined ? undefined : likeIn(phrases, gap, phrase.kind);
    if (next === undefined) break;
    row.push(next);
    last = next;
  }
  for (let first = phrase; ; ) {
    const previous = phrases.find(
      (other) => other.kind === phrase.kind && gapAfter(reading.tokens, other.last) === first.first,
    );
    if (previous === undefined || row.includes(previous)) break;
    row.unshift(previous);
    first = previous;
  }
  return row;
}

function likeIn(phrases: readonly Phrase[], first: number, kind: Phrase["kind"]): Phrase | undefined {
  return phrases.find((other) => other.first === first && other.kind === kind);
}

/** The index after ",", "and", ", and", と …; undefined when something else follows. */
function gapAfter(tokens: readonly Token[], last: number): number | undefined {
  let index = last + 1;
  while (/^(?:,|、|and|or|&|と|や|a|an|the)$/.test(tokens[index]?.lower ?? "")) index += 1;
  return index > last + 1 && index < tokens.length ? index : undefined;
}
