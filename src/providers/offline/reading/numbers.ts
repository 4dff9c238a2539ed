/**
 * Numbers of a request with what stands at them: sign, currency, percent, multiplier, unit, ordinal. Digits,
 * English number words and kanji numerals before a counter (三位, 第十二回). A number inside a word (`DNA123`) is
 * no number.
 */
import { englishNumber, isNumberWord, kanjiNumber, multiplierOf } from "./numerals.ts";
import { convertUnit, type Unit, unitOf } from "./units.ts";

export interface NumberValue {
  readonly value: number;
  readonly unit?: Unit;
  readonly percent: boolean;
  /** ISO 4217, from a sign before it. */
  readonly currency?: string;
  /** "3rd", "third", 第3: a place in an order. */
  readonly ordinal: boolean;
  /** 1900 to 2199, four bare digits. */
  readonly yearLike: boolean;
  /** "next week": one week, though no number was said. */
  readonly implied: boolean;
}

export interface NumberSpan {
  readonly start: number;
  readonly end: number;
  readonly number: NumberValue;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  $: "USD",
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
  "₹": "INR",
};
const DIGITS =
  /(?<![A-Za-z\d_.])([-+](?=[\d.$]))?([$€£¥₹]\s?)?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(e[-+]?\d+)?/giu;
const COUNTERS = "位回件個人年月日時分秒番行頁章巻歳円本枚台通度点名目つ首編冊ページ号";
const KANJI = new RegExp(`(第)?([〇一二三四五六七八九十百千万億]{1,12})(?=[${COUNTERS}])(?!日間)`, "gu");
const IMPLIED =
  /\b(?:next|past|last|previous|coming|upcoming|following|this)\s+(second|minute|hour|day|week|month|quarter|year|decade|century)\b/gi;
const ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const TIMES_WORDS: ReadonlyMap<string, number> = new Map([
  ["once", 1],
  ["twice", 2],
  ["thrice", 3],
]);

export function findNumbers(text: string): readonly NumberSpan[] {
  const found = [...digits(text), ...kanji(text), ...words(text), ...implied(text)];
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  const free: NumberSpan[] = [];
  for (const span of found) if ((free.at(-1)?.end ?? 0) <= span.start) free.push(span);
  return joinCompound(free, text);
}

function digits(text: string): NumberSpan[] {
  const found: NumberSpan[] = [];
  for (const match of text.matchAll(DIGITS)) {
    const [whole, sign = "", currencySign, plain = "", exponent = ""] = match;
    const start = match.index;
    // "1-3": the sign is a range's dash when a digit stands before it.
    const joined = sign !== "" && /[\p{L}\p{N}]/u.test(text[start - 1] ?? " ");
    let value = Number(`${joined ? "" : sign}${plain.replaceAll(",", "")}${exponent}`);
    const after = afterNumber(text, start + whole.length);
    if (after === undefined || Number.isNaN(value)) continue;
    if (after.multiplier !== 1) value = Number((value * after.multiplier).toPrecision(15));
    const currency = CURRENCIES[(currencySign ?? "").trim()];
    const bare = plain.length === 4 && !plain.includes(".") && after.length === 0 && currency === undefined;
    found.push({
      start: joined ? start + 1 : start,
      end: start + whole.length + after.length,
      number: {
        value,
        percent: after.percent,
        ordinal: after.ordinal || text[start - 1] === "第",
        yearLike:
          (bare || (plain.length === 4 && after.unit?.name === "year")) && value >= 1000 && value < 2200,
        implied: false,
        ...(after.unit === undefined ? {} : { unit: after.unit }),
        ...(currency === undefined ? {} : { currency }),
      },
    });
  }
  return found;
}

interface After {
  readonly length: number;
  readonly multiplier: number;
  readonly percent: boolean;
  readonly ordinal: boolean;
  readonly unit: Unit | undefined;
}

/** What belongs to the number on its right. Undefined when the digits turn out to be part of a word (`2x2`). */
function afterNumber(text: string, end: number): After | undefined {
  const rest = text.slice(end, end + 40);
  const percent = /^\s?(?:%|percent\b|パーセント)/i.exec(rest)?.[0];
  if (percent !== undefined)
    return { length: percent.length, multiplier: 1, percent: true, ordinal: false, unit: undefined };
  const degrees = /^\s?(?:degrees?\s?|°\s?)(celsius|fahrenheit|kelvin|[cf])\b/i.exec(rest);
  if (degrees !== null)
    return { ...plainAfter, length: degrees[0].length, unit: unitOf(scaleName(degrees[1] ?? "")) };
  if (/^\s?K\b/.test(rest) && /temperature|kelvin|heat|gas|thermal|温度/i.test(text))
    return { ...plainAfter, length: rest.indexOf("K") + 1, unit: unitOf("kelvin") };
  const ordinal = /^(?:st|nd|rd|th)\b|^番目/i.exec(rest)?.[0];
  if (ordinal !== undefined)
    return { length: ordinal.length, multiplier: 1, percent: false, ordinal: true, unit: undefined };
  const attached = /^[\p{L}µμ°²³^/]+/u.exec(rest)?.[0];
  const kanjiMultiplier = /^[万億兆千百]/.exec(rest)?.[0];
  if (kanjiMultiplier !== undefined)
    return scaled(text, end, kanjiMultiplier, multiplierOf(kanjiMultiplier) ?? 1);
  if (attached !== undefined && /^[a-zµμ°²³^/]/i.test(attached)) {
    const letters = /^[a-zµμ°²³^/]+\d?/i.exec(rest)?.[0] ?? attached;
    const multiplier = /^[MB]$/.test(letters) ? (letters === "M" ? 1e6 : 1e9) : multiplierOf(letters);
    if (multiplier !== undefined) return scaled(text, end, letters, multiplier);
    const unit = unitOf(letters) ?? unitOf(letters.replace(/[²³]$/, ""));
    return unit === undefined ? undefined : { ...plainAfter, length: letters.length, unit };
  }
  const word = /^[\s-]{1,2}([\p{L}µ°²³/^]+\d?)/u.exec(rest);
  const multiplier = word?.[1] === undefined || word[1].length < 3 ? undefined : multiplierOf(word[1]);
  if (word !== null && multiplier !== undefined) return scaled(text, end, word[0], multiplier);
  const japanese = attached === undefined ? undefined : japaneseUnit(attached);
  // "in" apart from the number is the preposition, never inches.
  const unit = japanese ?? (word?.[1] === undefined || word[1] === "in" ? undefined : unitOf(word[1]));
  return { ...plainAfter, unit };
}

function scaleName(letter: string): string {
  const lower = letter.toLowerCase();
  if (lower === "c") return "celsius";
  return lower === "f" ? "fahrenheit" : lower;
}

const plainAfter = { length: 0, multiplier: 1, percent: false, ordinal: false } as const;

function scaled(text: string, end: number, suffix: string, multiplier: number): After {
  const next = /^\s?([\p{L}²³/]+)/u.exec(text.slice(end + suffix.length, end + suffix.length + 30))?.[1];
  return {
    ...plainAfter,
    length: suffix.length,
    multiplier,
    unit: next === undefined || next === "in" ? undefined : unitOf(next),
  };
}

function japaneseUnit(text: string): Unit | undefined {
  for (let length = Math.min(8, text.length); length > 0; length -= 1) {
    const unit = unitOf(text.slice(0, length));
    if (unit !== undefined) return unit;
  }
  return undefined;
}

function kanji(text: string): NumberSpan[] {
  const found: NumberSpan[] = [];
  for (const match of text.matchAll(KANJI)) {
    const value = kanjiNumber(match[2] ?? "");
    if (value === undefined) continue;
    const start = match.index + (match[1] ?? "").length;
    const end = match.index + match[0].length;
    found.push({ start, end, number: { ...plainNumber(value), ordinal: match[1] !== undefined } });
  }
  return found;
}

function words(text: string): NumberSpan[] {
  const found: NumberSpan[] = [];
  const tokens = Array.from(text.matchAll(/[A-Za-z]+/g), (match) => ({
    lower: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined || /[\w-]/.test(text[token.start - 1] ?? " ")) continue;
    const ordinal = ORDINAL_WORDS.indexOf(token.lower);
    if (ordinal >= 0) found.push({ ...token, number: { ...plainNumber(ordinal + 1), ordinal: true } });
    const times = TIMES_WORDS.get(token.lower);
    if (times !== undefined) found.push({ ...token, number: plainNumber(times) });
    if (!isNumberWord(token.lower)) continue;
    let last = index;
    while (isNumberWord(tokens[last + 1]?.lower ?? "") && gapIsSmall(text, tokens[last], tokens[last + 1]))
      last += 1;
    const run = tokens.slice(index, last + 1).map(({ lower }) => lower);
    const end = tokens[last]?.end ?? token.end;
    const next = tokens[last + 1];
    // "the one with": a pronoun. A number word stands before what it counts.
    const counts =
      run.length > 1 ||
      token.lower !== "one" ||
      (next !== undefined &&
        /^\s\w{3,}/.test(text.slice(end)) &&
        !/^(?:with|that|which|who|for|from|and|of|is)$/.test(next.lower));
    const value = englishNumber(run);
    if (value !== undefined && counts) {
      const unit = next !== undefined && gapIsSmall(text, { end }, next) ? unitOf(next.lower) : undefined;
      const percent = next?.lower === "percent";
      found.push({
        start: token.start,
        end,
        number: { ...plainNumber(value), percent, ...(unit === undefined ? {} : { unit }) },
      });
    }
    index = last;
  }
  return found;
}

function gapIsSmall(
  text: string,
  left: { end: number } | undefined,
  right: { start: number } | undefined,
): boolean {
  return left !== undefined && right !== undefined && /^[\s-]{1,2}$/.test(text.slice(left.end, right.start));
}

function implied(text: string): NumberSpan[] {
  const found: NumberSpan[] = [];
  for (const match of text.matchAll(IMPLIED)) {
    const unit = unitOf(match[1] ?? "");
    if (unit === undefined) continue;
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      number: { ...plainNumber(1), unit, implied: true },
    });
  }
  return found;
}

function plainNumber(value: number): NumberValue {
  return { value, percent: false, ordinal: false, yearLike: false, implied: false };
}

/** "5ft 10in" is one length, "2 hours 30 minutes" one time: a larger unit, then a smaller one, side by side. */
function joinCompound(spans: readonly NumberSpan[], text: string): readonly NumberSpan[] {
  const joined: NumberSpan[] = [];
  for (const span of spans) {
    const previous = joined.at(-1);
    const large = previous?.number.unit;
    const small = span.number.unit;
    const between = previous === undefined ? "" : text.slice(previous.end, span.start);
    if (
      previous !== undefined &&
      large?.factor !== undefined &&
      small?.factor !== undefined &&
      large.dimension === small.dimension &&
      large.factor > small.factor &&
      /^\s?(?:\p{L}{1,8}\s?)?(?:and\s)?$/u.test(between)
    ) {
      const whole = convertUnit(previous.number.value, large, small);
      if (whole !== undefined) {
        const number = { ...span.number, value: Number((whole + span.number.value).toPrecision(12)) };
        joined[joined.length - 1] = { start: previous.start, end: span.end, number };
        continue;
      }
    }
    joined.push(span);
  }
  return joined;
}
