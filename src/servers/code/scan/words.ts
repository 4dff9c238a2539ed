/**
 * What a word does: decides, begins a function, opens a block of a kind, or is only a name that looks like a
 * keyword (`promise.catch`, `{ if: 1 }`, `$case`).
 */
import { matches, scanString } from "./literals.ts";
import { findConditionalType } from "./questions.ts";
import { scanCppRawString, scanHashString } from "./raw-strings.ts";
import { Bracket, LineKind, NextBrace, Previous, type Scan, Tail } from "./state.ts";
import { WordMark } from "./word-table.ts";

const DOT = 0x2e;
const COLON = 0x3a;
const QUESTION = 0x3f;
const UNDERSCORE = 0x5f;

/** `scan.at` is behind the word. */
export function scanWord(scan: Scan, start: number): void {
  const { lexicon, bytes } = scan;
  if (lexicon.suffixes) includeSuffix(scan);
  const marks = lexicon.words.marks(bytes, start, scan.at - start);
  if (marks === 0) return plainWord(scan);
  if ((marks & WordMark.prefix) !== 0 && scanPrefixed(scan, start)) return;
  if ((scan.lastMarks & WordMark.function) !== 0 || isName(scan, start)) return plainWord(scan);
  const before = scan.lastAt;
  const previous = scan.previous;
  scan.beforeAt = before;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = marks;
  scan.previous = (marks & WordMark.expects) !== 0 ? Previous.expects : Previous.operand;
  if (scan.tail === Tail.parameters) {
    if ((marks & WordMark.typeTail) !== 0) scan.tail = Tail.type;
    else if ((marks & WordMark.tail) === 0) scan.tail = Tail.none;
  }
  if ((marks & WordMark.decision) !== 0 && decides(scan, start, marks, before, previous)) scan.decisions += 1;
  if ((marks & WordMark.case) !== 0 && isCase(scan, start, before)) scan.decisions += 1;
  if ((marks & WordMark.function) !== 0 && beginsFunction(scan, before)) {
    scan.functions += 1;
    scan.creating = true;
  }
  if ((marks & WordMark.accessor) !== 0 && isBeforeBrace(scan)) scan.functions += 1;
  if ((marks & WordMark.creator) !== 0) scan.creating = true;
  if ((marks & WordMark.extends) !== 0) findConditionalType(scan);
  if ((marks & (WordMark.arms | WordMark.enum | WordMark.type)) !== 0) announceBlock(scan, marks);
}

/** Ruby: `empty?`, `save!`. */
function includeSuffix(scan: Scan): void {
  const next = scan.bytes[scan.at];
  if ((next === QUESTION || next === 0x21) && scan.bytes[scan.at + 1] !== 0x3d) scan.at += 1;
}

/** A word that is no keyword. */
export function plainWord(scan: Scan): void {
  scan.previous = Previous.operand;
  scan.beforeAt = scan.lastAt;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = 0;
  if (scan.tail === Tail.parameters) scan.tail = Tail.none;
}

/** A word that chooses the kind of the string behind it, or is part of its opening. */
function scanPrefixed(scan: Scan, start: number): boolean {
  const { lexicon, bytes } = scan;
  const next = bytes[scan.at] as number;
  if (next !== 0x22 && next !== 0x27 && next !== 0x23) return false;
  if (lexicon.features.has("cpp-raw")) return scanCppRawString(scan);
  if (lexicon.features.has("hash-strings")) return scanHashString(scan);
  const word = Buffer.from(bytes.buffer, bytes.byteOffset + start, scan.at - start)
    .toString("latin1")
    .toLowerCase();
  for (const { words, open, rule } of lexicon.prefixed) {
    if (!words.has(word) || !matches(bytes, scan.at, open)) continue;
    if (isFirstOnLine(bytes, start)) scan.kind = LineKind.blank;
    scan.at += open.length;
    scanString(scan, rule);
    return true;
  }
  return false;
}

function isFirstOnLine(bytes: Uint8Array, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && (bytes[at] === 0x20 || bytes[at] === 0x09)) at -= 1;
  return at < 0 || bytes[at] === 0x0a || bytes[at] === 0x0d;
}

/** Whether a keyword stands where a name stands. */
function isName(scan: Scan, start: number): boolean {
  const { bytes, lexicon } = scan;
  const { members, keys } = lexicon;
  if (members) {
    const before = bytes[start - 1] as number;
    // In PHP a point joins strings, and members follow an arrow.
    if (before === DOT && bytes[start - 2] !== DOT && !lexicon.features.has("php")) return true;
    if (before === 0x3e && bytes[start - 2] === 0x2d) return true;
    if (before === COLON && bytes[start - 2] === COLON) return true;
    if (before === 0x24 || before === 0x23) return true;
    // `@if` is a name, `label@if` in Kotlin is a keyword with a label.
    if (before === 0x40 && lexicon.wordBytes[bytes[start - 2] as number] !== 1) return true;
  }
  if (keys) {
    let at = scan.at;
    // `if :name` is a symbol behind a keyword in Ruby; `if : 1` is a key in JavaScript.
    if (!lexicon.suffixes) while (bytes[at] === 0x20) at += 1;
    if (bytes[at] === QUESTION) at += 1;
    if (bytes[at] === COLON && bytes[at + 1] !== COLON) return true;
  }
  return false;
}

function decides(scan: Scan, start: number, marks: number, before: number, previous: number): boolean {
  if ((marks & WordMark.statement) !== 0) return beginsStatement(scan, before, previous);
  const { features } = scan.lexicon;
  // JavaScript has methods called `catch`; the clause follows a block.
  if (
    features.has("key-names") &&
    scan.bytes[start] === 0x63 &&
    scan.bytes[start + 1] === 0x61 &&
    scan.bytes[start + 2] === 0x74
  ) {
    return before >= 0 && scan.bytes[before] === 0x7d;
  }
  return !(
    before >= 0 &&
    previous === Previous.operand &&
    features.has("ruby") &&
    scan.endsWith("def", before)
  );
}

/** Not behind a type or an expression, nor before the `<` of its parameters. */
function beginsStatement(scan: Scan, before: number, previous: number): boolean {
  const { bytes } = scan;
  if (bytes[scan.at] === 0x3c || before < 0) return before < 0;
  const last = bytes[before] as number;
  if (last === 0x3e) return bytes[before - 1] === 0x3d;
  if (last === 0x5d) return previous === Previous.expects;
  return scan.lexicon.wordBytes[last] === 0 && last !== 0x29;
}

/** `case` where it declares (an enum, a case class) or continues (`if case`) is no decision. */
function isCase(scan: Scan, start: number, before: number): boolean {
  if (scan.top() === Bracket.enum) return false;
  const { bytes, lexicon } = scan;
  if (lexicon.features.has("soft-case")) return isSoftCase(scan, start);
  if (lexicon.suffixes) return isFirstOnLine(bytes, start);
  let at = scan.at;
  while (bytes[at] === 0x20) at += 1;
  if (lexicon.caseNot.some((word) => matches(bytes, at, word) && endsDeclaration(scan, at + word.length))) {
    return false;
  }
  return !lexicon.caseNotAfter.some((word) => before >= 0 && scan.endsWith(word, before));
}

/** Behind the word that makes a case none: `case class`, and `case _ =>`, but not `case _: Type =>`. */
function endsDeclaration({ bytes, lexicon }: Scan, at: number): boolean {
  if (lexicon.wordBytes[bytes[at] as number] !== 0) return false;
  if (bytes[at - 1] !== UNDERSCORE) return true;
  while (bytes[at] === 0x20) at += 1;
  return bytes[at] !== COLON;
}

/** Python's `case` is a keyword only at the start of a line, before a pattern; `case _:` takes the rest. */
function isSoftCase(scan: Scan, start: number): boolean {
  const { bytes } = scan;
  if (!isFirstOnLine(bytes, start) || scan.depth > 0) return false;
  let at = scan.at;
  while (bytes[at] === 0x20) at += 1;
  const next = bytes[at] as number;
  if (at === scan.at && next !== 0x28 && next !== 0x5b && next !== 0x7b && next !== 0x22 && next !== 0x27)
    return false;
  if (next === 0x3d || next === DOT || next === 0x2c || next === COLON || next === 0x29 || next < 0x20)
    return false;
  if (next === 0x5f && bytes[at + 1] === COLON) return false;
  // It must end in a colon on this or a later line; a call or an assignment does not.
  let end = at;
  let level = 0;
  for (; end < scan.end; end += 1) {
    const byte = bytes[end] as number;
    if (byte === 0x28 || byte === 0x5b || byte === 0x7b) level += 1;
    else if (byte === 0x29 || byte === 0x5d || byte === 0x7d) level -= 1;
    else if (byte === COLON && level === 0) return true;
    else if (byte === 0x0a && level <= 0) return false;
    else if (byte === 0x3d && bytes[end + 1] === 0x3d) end += 1;
    else if (byte === 0x3d && level === 0 && !isComparison(bytes[end - 1] as number)) return false;
  }
  return false;
}

/** `<=`, `>=`, `!=`, `:=` */
function isComparison(before: number): boolean {
  return before === 0x3c || before === 0x3e || before === 0x21 || before === COLON;
}

/** A type (`fn(u8)`, `func(int) bool`) or a declaration without a body is no function. */
function beginsFunction(scan: Scan, before: number): boolean {
  switch (scan.lexicon.syntax.functions?.needs) {
    case "block":
      return hasBlockAhead(scan);
    case "block-on-line":
      // `[]func(int) bool{…}` is a list of functions.
      return scan.bytes[before] !== 0x5d && hasBodyOnLine(scan);
    default:
      return true;
  }
}

const MAX_HEADER = 8192;

/** Whether a name and parameters follow, and a block before the next semicolon. */
function hasBlockAhead(scan: Scan): boolean {
  const { bytes, lexicon } = scan;
  let at = scan.at;
  while (bytes[at] === 0x20 || bytes[at] === 0x2a || bytes[at] === 0x26) at += 1;
  // `fn(u8)` is a type; `function (a)` is a function without a name.
  if (lexicon.features.has("closures") && lexicon.wordBytes[bytes[at] as number] === 0) return false;
  const end = Math.min(scan.end, at + MAX_HEADER);
  let level = 0;
  for (; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === 0x28 || byte === 0x5b) level += 1;
    else if (byte === 0x29 || byte === 0x5d) level -= 1;
    else if (level === 0 && byte === 0x7b) return true;
    else if (level === 0 && (byte === 0x3b || byte === 0x7d)) return false;
    else if (level === 0 && byte === 0x3d && bytes[at + 1] === 0x3e) return true;
    if (level < 0) return false;
  }
  return false;
}

function isBeforeBrace(scan: Scan): boolean {
  let at = scan.at;
  while ((scan.bytes[at] as number) <= 0x20 && at < scan.end) at += 1;
  return scan.bytes[at] === 0x7b;
}

function announceBlock(scan: Scan, marks: number): void {
  if ((marks & WordMark.arms) !== 0) {
    if (scan.macros > 0) return;
    if (scan.lexicon.syntax.armsBeforeBrace && !isBeforeBrace(scan)) return;
    scan.nextBrace = NextBrace.arms;
  } else if ((marks & WordMark.enum) !== 0) {
    scan.nextBrace = NextBrace.enum;
  } else {
    // `record(a)` is a method of that name.
    if (scan.bytes[scan.at] === 0x28) return;
    scan.nextBrace = NextBrace.type;
  }
  scan.nextBraceDepth = scan.depth;
}

/** Go: whether `func(…) result` is followed by a body on the same line. */
function hasBodyOnLine(scan: Scan): boolean {
  const { bytes, end } = scan;
  let level = 0;
  for (let at = scan.at; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === 0x28 || byte === 0x5b) level += 1;
    else if (byte === 0x29 || byte === 0x5d) {
      level -= 1;
      if (level < 0) return false;
    } else if (level > 0) continue;
    else if (byte === 0x7b) {
      if (!scan.endsWith("interface", at - 1) && !scan.endsWith("struct", at - 1)) return true;
      while (at < end && bytes[at] !== 0x7d) at += 1;
    } else if (byte === 0x0a || byte === 0x2c || byte === 0x3b || byte === 0x3d || byte === 0x7d)
      return false;
  }
  return false;
}
