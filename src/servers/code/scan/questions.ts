/**
 * What a `?` is: the sign of a conditional expression, or one of the many other things that it is in languages
 * with optional types, optional members and wildcards.
 */
import { Previous, type Scan } from "./state.ts";

const QUESTION = 0x3f;
const DOT = 0x2e;
const COLON = 0x3a;
const LOOK_AHEAD = 4096;

/** `scan.at` is on the `?`. Counts it when it decides, and moves on. */
export function scanQuestion(scan: Scan): boolean {
  const { bytes } = scan;
  const rule = scan.lexicon.syntax.question;
  const next = bytes[scan.at + 1] as number;
  switch (rule) {
    case "javascript":
    case "typescript":
      return finish(scan, isJavaScriptTernary(scan, next, rule === "typescript"));
    case "java":
      return finish(scan, !isJavaWildcard(scan));
    case "csharp":
    case "dart":
      return finish(scan, isTernaryAmongNullables(scan, next));
    case "php":
      return finish(scan, isPhpTernary(scan, next));
    case "swift":
      return finish(scan, isSpace(bytes[scan.at - 1]) && isSpace(next));
    case "ruby":
      return scanRubyQuestion(scan, next);
    default:
      return finish(scan, true);
  }
}

function finish(scan: Scan, decides: boolean): boolean {
  if (decides) scan.decisions += 1;
  const { previous } = scan;
  scan.at += 1;
  scan.afterOperator();
  // What follows a type's `?` or a `?.` still belongs to an operand.
  if (!decides) scan.previous = previous;
  return true;
}

function isJavaScriptTernary(scan: Scan, next: number, types: boolean): boolean {
  const { bytes, at } = scan;
  if (next === DOT) return isDigit(bytes[at + 2]);
  const follows = nextSignificant(scan, at + 1);
  if (
    follows === COLON ||
    follows === 0x29 ||
    follows === 0x2c ||
    follows === 0x3b ||
    follows === 0x3d ||
    follows === 0x5d
  ) {
    return false;
  }
  if (!types) return true;
  if (scan.conditionals.includes(at)) return false;
  // `name?(): type` and `name?<T>()`: optional methods are written without a space, conditions with one.
  return !((next === 0x28 || next === 0x3c || next === 0x3e) && !isSpace(bytes[at - 1]));
}

/** `<?>`, `<? extends T>`, `<@A ? super T>`: never behind an operand, save that of an annotation. */
function isJavaWildcard(scan: Scan): boolean {
  if (scan.previous === Previous.expects) return true;
  const follows = nextSignificant(scan, scan.at + 1);
  return follows === 0x3e || follows === 0x2c || startsWord(scan, "extends");
}

/** C# and Dart: `int? x`, `List<int?>`, `x?[0]`, `x?.y` against `a ? b : c`. */
function isTernaryAmongNullables(scan: Scan, next: number): boolean {
  const { bytes, at } = scan;
  if (next === DOT) return isDigit(bytes[at + 2]);
  if (scan.previous === Previous.expects) return false;
  if (isSpace(bytes[at - 1])) return true;
  if (next === 0x5b) return false;
  const follows = nextSignificant(scan, at + 1);
  if (
    follows === 0x29 ||
    follows === 0x2c ||
    follows === 0x3e ||
    follows === 0x3b ||
    follows === 0x5d ||
    follows === 0x7b ||
    follows === 0x3d
  ) {
    return false;
  }
  // `int? x` is written so; `a? b : c` hardly ever.
  return !isSpace(next);
}

/** `?int $x` follows a modifier or a sign; `static` is a modifier and an operand. */
function isPhpTernary(scan: Scan, next: number): boolean {
  if (scan.previous === Previous.expects) return false;
  return isSpace(next) || !scan.endsWith("static", scan.lastAt);
}

/** Behind an operand, with a space after it; `?a` alone is a character. */
function scanRubyQuestion(scan: Scan, next: number): boolean {
  const { bytes, at } = scan;
  if (scan.previous === Previous.operand && (isSpace(next) || !isSpace(bytes[at - 1])))
    return finish(scan, true);
  if (scan.previous === Previous.operand && !isWordByte(scan, bytes[at + 1])) return finish(scan, true);
  if (
    scan.previous === Previous.operand &&
    isWordByte(scan, bytes[at + 1]) &&
    isWordByte(scan, bytes[at + 2])
  )
    return finish(scan, true);
  scan.at += next === 0x5c ? 3 : 2;
  scan.afterOperand();
  return true;
}

/**
 * At `extends`, looks ahead for the `?` of `T extends U ? X : Y`. Where the constraint of a type parameter or a
 * class header ends first, there is none.
 */
export function findConditionalType(scan: Scan): void {
  const { bytes } = scan;
  if (scan.inTypeHeader()) return;
  const limit = Math.min(scan.end, scan.at + LOOK_AHEAD);
  let level = 0;
  let angles = 0;
  for (let at = scan.at; at < limit; at += 1) {
    const byte = bytes[at] as number;
    if (byte === 0x28 || byte === 0x5b || byte === 0x7b) level += 1;
    else if (byte === 0x29 || byte === 0x5d || byte === 0x7d) {
      level -= 1;
      if (level < 0) return;
    } else if (byte === 0x22 || byte === 0x27 || byte === 0x60) at = skipQuoted(bytes, at, limit);
    else if (byte === 0x2f && bytes[at + 1] === 0x2f) while (at < limit && bytes[at] !== 0x0a) at += 1;
    else if (level > 0) continue;
    else if (byte === 0x3c) angles += 1;
    else if (byte === 0x3e) {
      if (bytes[at - 1] === 0x3d) continue;
      angles -= 1;
      if (angles < 0) return;
    } else if (angles > 0) continue;
    else if (byte === 0x2c || byte === 0x3b || (byte === 0x3d && bytes[at + 1] !== 0x3e)) return;
    else if (byte === QUESTION) {
      scan.conditionals.push(at);
      return;
    }
  }
}

function skipQuoted(bytes: Uint8Array, at: number, limit: number): number {
  const quote = bytes[at];
  for (at += 1; at < limit && bytes[at] !== quote; at += 1) if (bytes[at] === 0x5c) at += 1;
  return at;
}

function nextSignificant(scan: Scan, at: number): number {
  while ((scan.bytes[at] as number) <= 0x20 && at < scan.end) at += 1;
  return scan.bytes[at] as number;
}

function startsWord(scan: Scan, word: string): boolean {
  let at = scan.at + 1;
  while ((scan.bytes[at] as number) <= 0x20 && at < scan.end) at += 1;
  for (let i = 0; i < word.length; i += 1) if (scan.bytes[at + i] !== word.charCodeAt(i)) return false;
  return scan.lexicon.wordBytes[scan.bytes[at + word.length] as number] === 0;
}

function isWordByte(scan: Scan, byte: number | undefined): boolean {
  return scan.lexicon.wordBytes[byte as number] === 1;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isSpace(byte: number | undefined): boolean {
  return byte === undefined || byte <= 0x20;
}
