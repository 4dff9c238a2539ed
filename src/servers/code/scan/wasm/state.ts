/**
 * What the scanner remembers while it reads a file: counters, the kind of the line so far, the token before, and
 * the brackets that are open with what each of them is for. There is one, at a fixed place in memory. Positions are
 * addresses: the file lies at `FILE_AT`, and "none" is the address before it.
 */
import { CLOSERS_AT, FILE_AT, KINDS_AT, MAX_DEPTH, PADDING, STATE_AT, VALUES_AT } from "../tables.ts";
import { byteAt, isText, isWordByte, matches } from "./memory.ts";

export enum LineKind {
  blank,
  comment,
  code,
}

/** What an open bracket is for. */
export enum Bracket {
  parenthesis,
  square,
  brace,
  /** `name(`: arguments or parameters. */
  call,
  /** `if (` and its like, and attributes: what follows is no operator. */
  condition,
  /** A brace whose arrows are cases. */
  arms,
  /** A brace in which `case` declares. */
  enumeration,
  /** The body of a function. */
  body,
  /** Code inside a string, or inside a here-document; the text goes on after it. */
  interpolation,
  heredocCode,
  /** Code inside a tag, or between tags; the markup goes on after it. */
  tagCode,
  childCode,
  /** An element that waits for its end tag. */
  element,
  /** The arguments of a macro. */
  macro,
  /** C++: `A() : b{1} {`, the first of the two. */
  initializer,
}

export enum Closer {
  none = 0,
  parenthesis = 0x29,
  square = 0x5d,
  brace = 0x7d,
}

/** How far we are between a function's parameters and its body. */
export enum Tail {
  none,
  parameters,
  resultType,
}

/** What the next brace at the same depth will be. */
export enum NextBrace {
  plain,
  arms,
  enumeration,
  typeBody,
}

/** What came before: an operand, or something after which an operand must come. */
export enum Previous {
  expects,
  operand,
}

/** The address that stands for "nowhere": before the file's first byte. */
export const NOWHERE = FILE_AT - 1;

const LOOKS_PER_BYTE = 16;
const FEW_LOOKS = 65536;

export class Scan {
  // The counts: scanner.ts on the other side reads these five.
  lines: i32 = 0;
  code: i32 = 0;
  comments: i32 = 0;
  decisions: i32 = 0;
  functions: i32 = 0;
  at: i32 = 0;
  end: i32 = 0;
  kind: i32 = 0;
  previous: i32 = 0;
  /** Where the last token ended: its last byte. */
  lastAt: i32 = 0;
  /** Where the token before a last word ended. */
  beforeAt: i32 = 0;
  /** The marks of the last word, 0 when the last token was no keyword. */
  lastMarks: i32 = 0;
  tail: i32 = 0;
  /** After `new`, until its parenthesis. */
  creating: bool = false;
  nextBrace: i32 = 0;
  nextBraceDepth: i32 = 0;
  depth: i32 = 0;
  /** The value of the bracket that was closed last. */
  popped: i32 = 0;
  /** How many macros' arguments we are in. */
  macros: i32 = 0;
  functionDepth: i32 = 0;
  /** Where the parameters of a closure began, -1 outside. */
  barDepth: i32 = 0;
  /** TypeScript: whether a `?` of a conditional type was found ahead; behind the file is a bit for each byte. */
  conditionals: bool = false;
  /** TypeScript: the end of the last arrow that was part of a type. */
  typeArrowAt: i32 = 0;
  /** Here-documents announced on this line: how many, and where in the ring the first is. */
  heredocs: i32 = 0;
  firstHeredoc: i32 = 0;
  /** Where markup that never ended began, so that it is read again as something else; and how things were there. */
  savedAt: i32 = 0;
  savedLines: i32 = 0;
  savedCode: i32 = 0;
  savedComments: i32 = 0;
  savedDecisions: i32 = 0;
  savedFunctions: i32 = 0;
  savedKind: i32 = 0;
  savedDepth: i32 = 0;
  notMarkup: i32 = 0;
  rewinds: i32 = 0;
  /** How many bytes may still be looked at ahead of their turn. */
  looksLeft: i32 = 0;

  begin(length: i32): void {
    this.end = FILE_AT + length;
    memory.fill(this.end, 0, PADDING);
    this.at = isText(FILE_AT, "\xef\xbb\xbf") ? FILE_AT + 3 : FILE_AT;
    this.lines = this.code = this.comments = this.decisions = this.functions = 0;
    this.kind = LineKind.blank;
    this.previous = Previous.expects;
    this.lastAt = this.beforeAt = NOWHERE;
    this.lastMarks = 0;
    this.tail = Tail.none;
    this.creating = false;
    this.nextBrace = NextBrace.plain;
    this.depth = this.macros = this.functionDepth = this.popped = 0;
    this.barDepth = -1;
    this.typeArrowAt = NOWHERE;
    this.conditionals = false;
    this.heredocs = this.firstHeredoc = 0;
    this.savedAt = this.notMarkup = NOWHERE;
    this.rewinds = 0;
    this.looksLeft = LOOKS_PER_BYTE * length + FEW_LOOKS;
  }

  /** Asked for each byte of a look ahead: a file in which every word wants to look to the end is read in time, too. */
  mayLook(): bool {
    this.looksLeft -= 1;
    return this.looksLeft >= 0;
  }

  /** An unterminated last line counts. */
  finish(): void {
    if (this.end === FILE_AT) return;
    const last = byteAt(this.end - 1);
    if (last !== 0x0a && last !== 0x0d) this.endLine();
  }

  endLine(): void {
    this.lines += 1;
    if (this.kind === LineKind.code) this.code += 1;
    else if (this.kind === LineKind.comment) this.comments += 1;
    this.kind = LineKind.blank;
  }

  /** A line end inside a string or comment: `at` is on it. Gives the first byte of the next line. */
  crossLine(at: i32): i32 {
    const next = byteAt(at) === 0x0d && byteAt(at + 1) === 0x0a ? at + 2 : at + 1;
    this.endLine();
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
  endsWith(word: string, at: i32): bool {
    const start = at - word.length + 1;
    return start >= FILE_AT && isText(start, word) && beginsWord(start);
  }

  /** The same for a word of the lexicon. */
  endsWithBytes(word: i32, length: i32, at: i32): bool {
    const start = at - length + 1;
    return start >= FILE_AT && matches(start, word, length) && beginsWord(start);
  }

  /** Between `class` or `interface` and its body. */
  inTypeHeader(): bool {
    return this.nextBrace === NextBrace.typeBody && this.nextBraceDepth === this.depth;
  }

  lastByte(): i32 {
    return this.lastAt < FILE_AT ? 0 : byteAt(this.lastAt);
  }

  top(): i32 {
    return this.depth === 0 || this.depth > MAX_DEPTH
      ? Bracket.brace
      : <i32>load<u8>(this.depth - 1, KINDS_AT);
  }

  /** The value of the innermost bracket; only of one that is remembered. */
  topValue(): i32 {
    return this.depth > MAX_DEPTH ? 0 : load<i32>((this.depth - 1) << 2, VALUES_AT);
  }

  setTopValue(value: i32): void {
    if (this.depth <= MAX_DEPTH) store<i32>((this.depth - 1) << 2, value, VALUES_AT);
  }

  push(kind: i32, closer: i32, value: i32): void {
    const depth = this.depth;
    if (depth < MAX_DEPTH) {
      store<u8>(depth, kind, KINDS_AT);
      store<u8>(depth, closer, CLOSERS_AT);
      store<i32>(depth << 2, value, VALUES_AT);
    }
    this.depth = depth + 1;
    if (kind === Bracket.macro) this.macros += 1;
    else if (kind === Bracket.body) this.functionDepth += 1;
  }

  /**
   * Closes the innermost bracket of that kind and says what it was for. Brackets that were left open above it
   * (both branches of an `#if`, a broken file) go with it; one that matches nothing changes nothing.
   */
  pop(closer: i32): i32 {
    let depth = this.depth;
    if (depth > MAX_DEPTH) {
      this.depth = depth - 1;
      return Bracket.brace;
    }
    const lowest = max(0, depth - 32);
    while (depth > lowest && <i32>load<u8>(depth - 1, CLOSERS_AT) !== closer) depth -= 1;
    if (depth === lowest) return Bracket.brace;
    while (this.depth >= depth) this.drop();
    this.popped = load<i32>(this.depth << 2, VALUES_AT);
    return load<u8>(this.depth, KINDS_AT);
  }

  drop(): void {
    this.depth -= 1;
    if (this.depth >= MAX_DEPTH) return;
    const kind: i32 = load<u8>(this.depth, KINDS_AT);
    if (kind === Bracket.macro) this.macros -= 1;
    else if (kind === Bracket.body) this.functionDepth -= 1;
  }

  saveCheckpoint(): void {
    this.savedAt = this.at;
    this.savedLines = this.lines;
    this.savedCode = this.code;
    this.savedComments = this.comments;
    this.savedDecisions = this.decisions;
    this.savedFunctions = this.functions;
    this.savedKind = this.kind;
    this.savedDepth = this.depth;
  }

  /** Back to the checkpoint; what is there is then not read as markup. */
  restoreCheckpoint(): void {
    while (this.depth > this.savedDepth) this.drop();
    this.at = this.notMarkup = this.savedAt;
    this.lines = this.savedLines;
    this.code = this.savedCode;
    this.comments = this.savedComments;
    this.decisions = this.savedDecisions;
    this.functions = this.savedFunctions;
    this.kind = this.savedKind;
    this.depth = this.savedDepth;
    this.savedAt = NOWHERE;
    this.rewinds += 1;
    this.previous = Previous.expects;
    this.lastAt = this.at - 1;
  }
}

export const scan = changetype<Scan>(STATE_AT);

function beginsWord(start: i32): bool {
  return start === FILE_AT || !isWordByte(byteAt(start - 1));
}
