/**
 * The beginning and the end of a long text, measured in tokens: a thousand characters of Japanese cost a model four
 * times what a thousand of English do. Characters are never halved.
 */
import { estimateTokens } from "../lib/token-estimate.ts";

export interface Ends {
  readonly head: string;
  readonly tail: string;
  /** Characters between them. */
  readonly hidden: number;
}

/** No character of any script is estimated at less than a quarter of a token. */
const MOST_CHARACTERS_PER_TOKEN = 4;

/** Undefined when the two together are as long as the text. */
export function endsOf(
  text: string,
  tokens: { readonly head: number; readonly tail: number },
): Ends | undefined {
  const head = firstTokens(text.slice(0, tokens.head * MOST_CHARACTERS_PER_TOKEN), tokens.head);
  const tail = lastTokens(text.slice(-tokens.tail * MOST_CHARACTERS_PER_TOKEN), tokens.tail);
  const hidden = text.length - head.length - tail.length;
  return hidden <= 0 ? undefined : { head, tail, hidden };
}

function firstTokens(text: string, tokens: number): string {
  const length = longest(text.length, (count) => estimateTokens(text.slice(0, count)) <= tokens);
  return text.slice(0, isLowHalf(text, length) ? length - 1 : length);
}

function lastTokens(text: string, tokens: number): string {
  const length = longest(text.length, (count) => estimateTokens(text.slice(text.length - count)) <= tokens);
  const start = text.length - length;
  return text.slice(isLowHalf(text, start) ? start + 1 : start);
}

/** The largest count that fits, by halving: an estimate grows with the length. */
function longest(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isLowHalf(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}
