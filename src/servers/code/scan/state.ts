/**
 * What the scanner remembers while it reads a file: counters, the kind of the line so far, the token before, and
 * the brackets that are open with what each of them is for. One object is reused for all files.
 */
import type { Lexicon } from "./lexicon.ts";

export const LineKind = { blank: 0, comment: 1, code: 2 } as const;

/** What an open bracket is for. */
export const Bracket = {
  parenthesis: 0,
  square: 1,
  brace: 2,
  /** `name(`: arguments or parameters. */
  call: 3,
  /** `if (` and its like, and attributes: what follows is no operator. */
  condition: 4,
  /** A brace whose arrows are cases. */
  arms: 5,
  /** A brace in which `case` declares. */
  enum: 6,
  /** The body of a function. */
  function: 7,
  /** Code inside a string; the string goes on after it. */
  interpolation: 8,
  /** Code inside a tag, or between tags; the markup goes on after it. */
  tagCode: 9,
  childCode: 10,
  /** An element that waits for its end tag. */
  element: 11,
  /** The arguments of a macro. */
  macro: 12,
  /** C++: `A() : b{1} {`, the first of the two. */
  initializer: 13,
} as const;

/** How far we are between a function's parameters and its body. */
export const Tail = { none: 0, parameters: 1, type: 2 } as const;

/** What the next brace at the same depth will be. */
export const NextBrace = { plain: 0, arms: 1, enum: 2, macro: 3, type: 4 } as const;

/** What came before: an operand, or something after which an operand must come. */
export const Previous = { expects: 0, operand: 1 } as const;

export interface ScanCounts {
  readonly lines: number;
  readonly code: number;
  readonly comments: number;
  readonly decisions: number;
  readonly functions: number;
}

/** Deeper brackets are counted and not remembered. */
const MAX_DEPTH = 4096;
const PAREN_CLOSE = 0x29;
const SQUARE_CLOSE = 0x5d;
const BRACE_CLOSE = 0x7d;

export class Scan implements ScanCounts {
  bytes: Uint8Array = new Uint8Array(1);
  end = 0;
  at = 0;
  lexicon: Lexicon;
  lines = 0;
  code = 0;
  comments = 0;
  decisions = 0;
  functions = 0;
  kind: number = LineKind.blank;
  previous: number = Previous.expects;
  /** Where the last token ended: the index of its last byte, -1 at the start. */
  lastAt = -1;
  /** Where the token before a last word ended. */
  beforeAt = -1;
  /** The marks of the last word, 0 when the last token was no keyword. */
  lastMarks = 0;
  tail: number = Tail.none;
  /** After `new`, until its parenthesis. */
  creating = false;
  nextBrace: number = NextBrace.plain;
  nextBraceDepth = 0;
  depth = 0;
  readonly kinds = new Uint8Array(MAX_DEPTH);
  readonly closers = new Uint8Array(MAX_DEPTH);
  readonly values = new Int32Array(MAX_DEPTH);
  /** The value of the bracket that was closed last. */
  popped = 0;
  /** How many macros' arguments we are in. */
  macros = 0;
  functionDepth = 0;
  /** Where the parameters of a closure began, -1 outside. */
  barDepth = -1;
  /** Positions of `?` that belong to conditional types, found ahead. */
  readonly conditionals: number[] = [];
  /** TypeScript: the end of the last arrow that was part of a type. */
  typeArrowAt = -1;
  /** Here-documents announced on this line, as string rules; their texts begin with the next. */
  readonly heredocs: number[] = [];
  /** Where markup that never ended began, so that it is read again as something else. */
  checkpoint: Checkpoint | undefined;
  notMarkup = -1;
  rewinds = 0;
  /** A `case` or `default` waits for its arrow, which is then no function. */
  labelled = false;

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  begin(bytes: Uint8Array, length: number, lexicon: Lexicon): void {
    this.bytes = bytes;
    this.end = length;
    bytes[length] = 0;
    this.lexicon = lexicon;
    this.at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    this.lines = this.code = this.comments = this.decisions = this.functions = 0;
    this.kind = LineKind.blank;
    this.previous = Previous.expects;
    this.lastAt = this.beforeAt = -1;
    this.lastMarks = 0;
    this.tail = Tail.none;
    this.creating = this.labelled = false;
    this.nextBrace = NextBrace.plain;
    this.depth = this.macros = this.functionDepth = 0;
    this.barDepth = this.typeArrowAt = -1;
    this.conditionals.length = 0;
    this.heredocs.length = 0;
    this.checkpoint = undefined;
    this.notMarkup = -1;
    this.rewinds = 0;
  }

  /** An unterminated last line counts. */
  finish(): void {
    if (this.end === 0) return;
    const last = this.bytes[this.end - 1];
    if (last !== 0x0a && last !== 0x0d) this.endLine();
  }

  endLine(): void {
    this.lines += 1;
    if (this.kind === LineKind.code) this.code += 1;
    else if (this.kind === LineKind.comment) this.comments += 1;
    this.kind = LineKind.blank;
  }

  /** A line end inside a string or comment: `at` is on it. Leaves `at` on the first byte of the next line. */
  crossLine(at: number): number {
    const next = this.bytes[at] === 0x0d && this.bytes[at + 1] === 0x0a ? at + 2 : at + 1;
    this.lines += 1;
    if (this.kind === LineKind.code) this.code += 1;
    else if (this.kind === LineKind.comment) this.comments += 1;
    this.kind = LineKind.blank;
    return next;
  }

  /** A token that is complete and after which an operand must come. */
  afterOperator(): void {
    this.previous = Previous.expects;
    this.lastAt = this.at - 1;
    this.lastMarks = 0;
    this.tail = Tail.none;
  }

  afterOperand(): void {
    this.previous = Previous.operand;
    this.lastAt = this.at - 1;
    this.lastMarks = 0;
    this.tail = Tail.none;
  }

  /** Whether the text that ends at `at` (its last byte) is this whole word. */
  endsWith(word: string, at: number): boolean {
    const start = at - word.length + 1;
    if (start < 0) return false;
    for (let i = 0; i < word.length; i += 1) if (this.bytes[start + i] !== word.charCodeAt(i)) return false;
    return start === 0 || this.lexicon.wordBytes[this.bytes[start - 1] as number] === 0;
  }

  /** Between `class` or `interface` and its body. */
  inTypeHeader(): boolean {
    return this.nextBrace === NextBrace.type && this.nextBraceDepth === this.depth;
  }

  lastByte(): number {
    return this.lastAt < 0 ? 0 : (this.bytes[this.lastAt] as number);
  }

  top(): number {
    return this.depth === 0 || this.depth > MAX_DEPTH
      ? Bracket.brace
      : (this.kinds[this.depth - 1] as number);
  }

  push(kind: number, closer: number, value = 0): void {
    if (this.depth < MAX_DEPTH) {
      this.kinds[this.depth] = kind;
      this.closers[this.depth] = closer;
      this.values[this.depth] = value;
    }
    this.depth += 1;
    if (kind === Bracket.macro) this.macros += 1;
    else if (kind === Bracket.function) this.functionDepth += 1;
  }

  /**
   * Closes the innermost bracket of that kind and says what it was for. Brackets that were left open above it
   * (both branches of an `#if`, a broken file) go with it; one that matches nothing changes nothing.
   */
  pop(closer: number): number {
    let depth = this.depth;
    if (depth > MAX_DEPTH) {
      this.depth -= 1;
      return Bracket.brace;
    }
    const lowest = Math.max(0, depth - 32);
    while (depth > lowest && this.closers[depth - 1] !== closer) depth -= 1;
    if (depth === lowest) return Bracket.brace;
    while (this.depth >= depth) this.drop();
    this.popped = this.values[this.depth] as number;
    return this.kinds[this.depth] as number;
  }

  saveCheckpoint(): void {
    const { at, lines, code, comments, decisions, functions, kind, depth } = this;
    this.checkpoint = { at, lines, code, comments, decisions, functions, kind, depth };
  }

  /** Back to the checkpoint; what is there is then not read as markup. */
  restoreCheckpoint(checkpoint: Checkpoint): void {
    while (this.depth > checkpoint.depth) this.drop();
    Object.assign(this, checkpoint);
    this.notMarkup = checkpoint.at;
    this.checkpoint = undefined;
    this.rewinds += 1;
    this.previous = Previous.expects;
    this.lastAt = checkpoint.at - 1;
  }

  drop(): void {
    this.depth -= 1;
    const kind = this.kinds[this.depth];
    if (kind === Bracket.macro) this.macros -= 1;
    else if (kind === Bracket.function) this.functionDepth -= 1;
  }
}

interface Checkpoint {
  readonly at: number;
  readonly lines: number;
  readonly code: number;
  readonly comments: number;
  readonly decisions: number;
  readonly functions: number;
  readonly kind: number;
  readonly depth: number;
}

export const Closer = { parenthesis: PAREN_CLOSE, square: SQUARE_CLOSE, brace: BRACE_CLOSE } as const;
