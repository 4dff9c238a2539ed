/**
 * One request, read once: its text, its literals, its tokens, and the phrases that may be values. Everything
 * later (choosing a tool, filling arguments, follow-ups) works on this and never on the raw text.
 */
import { findLiterals, type Literal, type Span } from "./literals.ts";
import { type Phrase, phrasesOf } from "./phrases.ts";
import { findTallies } from "./tallies.ts";
import { type RequestText, readText } from "./text.ts";
import { type Token, tokensOf } from "./tokens.ts";

export interface Reading extends RequestText {
  readonly literals: readonly Literal[];
  readonly tokens: readonly Token[];
  readonly phrases: readonly Phrase[];
  /** Tokens that only count the values after them; they are no values. */
  readonly tallies: ReadonlySet<number>;
  /** For relative dates. */
  readonly now: Date;
}

export function readRequest(text: string, now: Date): Reading {
  return read(readText(text), now);
}

function read(request: RequestText, now: Date): Reading {
  const literals = findLiterals(request.folded, now);
  const tokens = tokensOf(request.folded, literals);
  const tallies = findTallies(tokens);
  return { ...request, literals, tokens, tallies, phrases: phrasesOf(request.folded, tokens), now };
}

/** The same request without some of its words: they named a tool, and are no values. Spans stay where they are. */
export function withoutSpans(reading: Reading, spans: readonly Span[]): Reading {
  if (spans.length === 0) return reading;
  let folded = reading.folded;
  for (const { start, end } of spans) {
    // Quotes around a name go with it.
    const quoted = /["'`「『“]/.test(folded[start - 1] ?? "") && /["'`」』”]/.test(folded[end] ?? "");
    const from = quoted ? start - 1 : start;
    const to = quoted ? end + 1 : end;
    folded = `${folded.slice(0, from)}${" ".repeat(to - from)}${folded.slice(to)}`;
  }
  return read({ ...reading, folded }, reading.now);
}
