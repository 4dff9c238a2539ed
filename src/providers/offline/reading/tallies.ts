/**
 * Numbers that only count the values beside them: "two numbers: 40 and 50", "three sides are 5, 4 and 3". Such a
 * number is no value of its own.
 */
import { endsSentence, type Token } from "./tokens.ts";

const REACH = 8;

/** Indexes of the tokens that are tallies. */
export function findTallies(tokens: readonly Token[]): ReadonlySet<number> {
  const tallies = new Set<number>();
  tokens.forEach((token, index) => {
    if (token.literal?.type !== "number") return;
    const { value, unit, percent, currency } = token.literal.number;
    if (value < 2 || value > 10 || unit !== undefined || percent || currency !== undefined) return;
    const next = nextValue(tokens, index);
    if (next !== undefined && rowLength(tokens, next) === value) tallies.add(index);
  });
  return tallies;
}

function nextValue(tokens: readonly Token[], index: number): number | undefined {
  // What is counted stands between: "two numbers, …".
  if (tokens[index + 1]?.type !== "word") return undefined;
  for (let at = index + 2; at <= index + REACH && at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || endsSentence(token)) return undefined;
    if (token.type === "literal" || (token.capital && !token.opensSentence)) return at;
  }
  return undefined;
}

/** How many values of the same sort stand in a row from here on, with commas, "and" and units between. */
function rowLength(tokens: readonly Token[], start: number): number {
  const type = tokens[start]?.literal?.type;
  const isMember = (token: Token | undefined) =>
    token !== undefined && (type === undefined ? token.capital : token.literal?.type === type);
  let length = 0;
  let open = true;
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined || endsSentence(token)) break;
    if (isMember(token)) {
      if (open) length += 1;
      open = type !== undefined;
    } else if (/^(?:,|、|and|or|と)$/.test(token.lower)) open = true;
    else if (!(type === "number" && isUnitLike(tokens, index)) && !isLabel(tokens, index, type)) break;
  }
  return length;
}

function isUnitLike(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 1]?.literal?.type === "number" && /^(?:,|and)$/.test(tokens[index + 1]?.lower ?? "");
}

/** "A(3,4) and B(1,2)", "Group A [3, 4]": a name before a bracketed value. */
function isLabel(tokens: readonly Token[], index: number, type: string | undefined): boolean {
  return type === "json" && [1, 2].some((step) => tokens[index + step]?.literal?.type === "json");
}
