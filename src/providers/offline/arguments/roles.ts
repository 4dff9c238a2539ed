/**
 * From and to: which end of a range a value is. "from 1 to 3", "between A and B", "1-3", 1位から3位まで.
 */
import type { Reading } from "../reading/reading.ts";
import type { Token } from "../reading/tokens.ts";

export type Role = "start" | "end";

const START_WORDS = /^(?:from|between|since|starting|after|beginning|over|above|least)$/;
const END_WORDS = /^(?:to|until|till|through|up|ending|before|under|below|most|than|within|into|maximum)$/;

export function roleAt(reading: Reading, first: number, last: number): Role | undefined {
  const { tokens } = reading;
  const next = tokens[last + 1];
  const afterUnit = next?.unspaced && tokens[last + 2]?.unspaced ? tokens[last + 2] : undefined;
  for (const token of [next, afterUnit]) {
    if (token?.text === "から" || token?.text === "以上" || token?.text === "以降") return "start";
    if (token?.text === "まで" || token?.text === "以下" || token?.text === "以前" || token?.text === "以内")
      return "end";
  }
  if (next?.lower === "to" && hasValue(tokens[last + 2])) return "start";
  if (isRangeMark(next) && hasValue(tokens[last + 2])) return "start";
  const previous = tokens[first - 1];
  if (isRangeMark(previous) && hasValue(tokens[first - 2])) return "end";
  if (precededByFrom(tokens, first)) return "end";
  // "between A and B": the second value.
  if (previous?.lower === "and" && opensBetween(tokens, first - 1)) return "end";
  for (let index = first - 1; index >= 0 && index >= first - 3; index -= 1) {
    const token = tokens[index];
    if (token === undefined || token.type !== "word") return undefined;
    if (START_WORDS.test(token.lower)) return "start";
    if (END_WORDS.test(token.lower)) return "end";
    if (token.content && index < first - 2) return undefined;
  }
  return undefined;
}

function isRangeMark(token: Token | undefined): boolean {
  return token !== undefined && /^[-~〜–]$/.test(token.text);
}

function hasValue(token: Token | undefined): boolean {
  return token?.literal?.type === "number" || token?.literal?.type === "date";
}

/** 1位から3位: the value before から made this one the end. */
function precededByFrom(tokens: readonly Token[], first: number): boolean {
  const previous = tokens[first - 1];
  return previous?.text === "から" && tokens[first]?.literal !== undefined;
}

function opensBetween(tokens: readonly Token[], and: number): boolean {
  for (let index = and - 1; index >= 0 && index > and - 9; index -= 1) {
    const lower = tokens[index]?.lower;
    if (lower === "between") return true;
    if (lower === "and" || lower === ".") return false;
  }
  return false;
}
