/**
 * The request as a row of tokens: words, marks and literals. A literal is one token whatever its length, so that
 * "the words beside a value" means the same for `5` and for `C:/data/cars.csv`.
 */

import { stem } from "../../../lib/ranking/stem.ts";
import { isStopWord } from "../../../lib/ranking/stop-words.ts";
import { segmentWords } from "../../../lib/ranking/tokenize.ts";
import { endsPhrase } from "./english-words.ts";
import type { Literal } from "./literals.ts";

export interface Token {
  readonly type: "word" | "mark" | "literal";
  readonly text: string;
  readonly lower: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
  readonly literal?: Literal;
  /** Written without spaces around it: Japanese and its neighbours. */
  readonly unspaced: boolean;
  /** A word that is neither a function word nor a request verb: it may name something. */
  readonly content: boolean;
  /** Begins with a capital letter, and may be a name. */
  readonly capital: boolean;
  readonly opensSentence: boolean;
}

const PIECE =
  /(?:\p{Lu}\.){2,}|(?:Mr|Mrs|Ms|Dr|Prof|St|Inc|Ltd|Co|Corp|Jr|Sr|vs?|No)\.(?:'s)?(?=\s|$|,)|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:[-'&.+/][\p{L}\p{N}]+)*[+#]*|\d+|\S/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]/u;
const UNSPACED_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]+/gu;
const SENTENCE_END = /^[.?!。！？;\n]$/;

export function tokensOf(text: string, literals: readonly Literal[]): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let opens = true;
  for (const literal of literals) {
    gap(at, literal.start);
    const value = text.slice(literal.start, literal.end);
    push("literal", value, literal.start, literal);
    at = literal.end;
  }
  gap(at, text.length);
  return tokens;

  function gap(start: number, end: number): void {
    let index = start;
    for (const match of text.slice(start, end).matchAll(UNSPACED_RUN)) {
      spaced(index, start + match.index);
      index = start + match.index;
      for (const word of segmentWords(match[0])) {
        push("word", word, index);
        index += word.length;
      }
    }
    spaced(index, end);
  }

  function spaced(start: number, end: number): void {
    for (const match of text.slice(start, end).matchAll(PIECE))
      push(/^[\p{L}\d]/u.test(match[0]) ? "word" : "mark", match[0], start + match.index);
  }

  function push(type: Token["type"], piece: string, start: number, literal?: Literal): void {
    const lower = piece.toLowerCase();
    const unspaced = type === "word" && UNSPACED.test(piece);
    const bare = lower.replace(/'s?$/, "");
    const before = tokens.at(-1);
    const previous = opens || before?.type === "mark" ? undefined : before?.lower;
    tokens.push({
      type,
      text: piece,
      lower,
      stem: stem(bare),
      start,
      end: start + piece.length,
      ...(literal === undefined ? {} : { literal }),
      unspaced,
      content:
        type === "word" &&
        (unspaced
          ? !/^\p{Script=Hiragana}+$/u.test(piece) && !isStopWord(piece)
          : !endsPhrase(lower, previous)),
      capital: type === "word" && /^\p{Lu}/u.test(piece),
      opensSentence: opens,
    });
    if (type === "mark" && SENTENCE_END.test(piece)) opens = true;
    else if (type !== "mark") opens = false;
  }
}

export function endsSentence(token: Token): boolean {
  return token.type === "mark" && SENTENCE_END.test(token.text);
}
