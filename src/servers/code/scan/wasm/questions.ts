/**
 * What a `?` is: the sign of a conditional expression, or one of the many other things that it is in languages
 * with optional types, optional members and wildcards.
 */
import {
  FILE_AT,
  PADDING,
  QUESTION_CSHARP,
  QUESTION_DART,
  QUESTION_JAVA,
  QUESTION_JAVASCRIPT,
  QUESTION_PHP,
  QUESTION_RUBY,
  QUESTION_SWIFT,
  QUESTION_TYPESCRIPT,
} from "../tables.ts";
import { byteAt, isText, isWordByte, lexicon } from "./memory.ts";
import { skipSpace } from "./places.ts";
import { Previous, scan } from "./state.ts";

const QUESTION = 0x3f;
const DOT = 0x2e;
const COLON = 0x3a;
const LOOK_AHEAD = 4096;

/** `scan.at` is on the `?`. Counts it when it decides, and moves on. */
export function scanQuestion(): bool {
  const next = byteAt(scan.at + 1);
  switch (lexicon.question) {
    case QUESTION_JAVASCRIPT:
      return finish(isJavaScriptTernary(next, false));
    case QUESTION_TYPESCRIPT:
      return finish(isJavaScriptTernary(next, true));
    case QUESTION_JAVA:
      return finish(!isJavaWildcard());
    case QUESTION_CSHARP:
    case QUESTION_DART:
      return finish(isTernaryAmongNullables(next));
    case QUESTION_PHP:
      return finish(isPhpTernary(next));
    case QUESTION_SWIFT:
      return finish(isSpace(byteAt(scan.at - 1)) && isSpace(next));
    case QUESTION_RUBY:
      return scanRubyQuestion(next);
    default:
      return finish(true);
  }
}

function finish(decides: bool): bool {
  if (decides) scan.decisions += 1;
  const previous = scan.previous;
  scan.at += 1;
  scan.afterOperator();
  // What follows a type's `?` or a `?.` still belongs to an operand.
  if (!decides) scan.previous = previous;
  return true;
}

function isJavaScriptTernary(next: i32, types: bool): bool {
  const at = scan.at;
  if (next === DOT) return isDigit(byteAt(at + 2));
  const follows = byteAt(skipSpace(at + 1));
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
  if (isConditionalType(at)) return false;
  // `name?(): type` and `name?<T>()`: optional methods are written without a space, conditions with one.
  return !((next === 0x28 || next === 0x3c || next === 0x3e) && !isSpace(byteAt(at - 1)));
}

/** `<?>`, `<? extends T>`, `<@A ? super T>`: never behind an operand, save that of an annotation. */
function isJavaWildcard(): bool {
  if (scan.previous === Previous.expects) return true;
  const at = skipSpace(scan.at + 1);
  const follows = byteAt(at);
  return follows === 0x3e || follows === 0x2c || (isText(at, "extends") && !isWordByte(byteAt(at + 7)));
}

/** C# and Dart: `int? x`, `List<int?>`, `x?[0]`, `x?.y` against `a ? b : c`. */
function isTernaryAmongNullables(next: i32): bool {
  const at = scan.at;
  if (next === DOT) return isDigit(byteAt(at + 2));
  if (scan.previous === Previous.expects) return false;
  if (isSpace(byteAt(at - 1))) return true;
  if (next === 0x5b) return false;
  const follows = byteAt(skipSpace(at + 1));
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
function isPhpTernary(next: i32): bool {
  if (scan.previous === Previous.expects) return false;
  return isSpace(next) || !scan.endsWith("static", scan.lastAt);
}

/** Behind an operand, with a space after it; `?a` alone is a character. */
function scanRubyQuestion(next: i32): bool {
  const at = scan.at;
  if (scan.previous === Previous.operand) {
    if (isSpace(next) || !isSpace(byteAt(at - 1))) return finish(true);
    if (!isWordByte(next) || isWordByte(byteAt(at + 2))) return finish(true);
  }
  scan.at += next === 0x5c ? 3 : 2;
  scan.afterOperand();
  return true;
}

/**
 * At `extends`, looks ahead for the `?` of `T extends U ? X : Y`. Where the constraint of a type parameter or a
 * class header ends first, there is none.
 */
export function findConditionalType(): void {
  if (scan.inTypeHeader()) return;
  const limit = min(scan.end, scan.at + LOOK_AHEAD);
  let level = 0;
  let angles = 0;
  for (let at = scan.at; at < limit && scan.mayLook(); at += 1) {
    const byte = byteAt(at);
    if (byte === 0x28 || byte === 0x5b || byte === 0x7b) level += 1;
    else if (byte === 0x29 || byte === 0x5d || byte === 0x7d) {
      level -= 1;
      if (level < 0) return;
    } else if (byte === 0x22 || byte === 0x27 || byte === 0x60) at = skipQuoted(at, limit);
    else if (byte === 0x2f && byteAt(at + 1) === 0x2f) while (at < limit && byteAt(at) !== 0x0a) at += 1;
    else if (level > 0) continue;
    else if (byte === 0x3c) angles += 1;
    else if (byte === 0x3e) {
      if (byteAt(at - 1) === 0x3d) continue;
      angles -= 1;
      if (angles < 0) return;
    } else if (angles > 0) continue;
    else if (byte === 0x2c || byte === 0x3b || (byte === 0x3d && byteAt(at + 1) !== 0x3e)) return;
    else if (byte === QUESTION) return rememberConditionalType(at);
  }
}

/** Behind the file and its zeros is room for a bit for each of its bytes: cleared when a file first needs it. */
function rememberConditionalType(at: i32): void {
  const bits = scan.end + PADDING;
  if (!scan.conditionals) {
    memory.fill(bits, 0, ((scan.end - FILE_AT) >> 3) + 1);
    scan.conditionals = true;
  }
  const place = bits + ((at - FILE_AT) >> 3);
  store<u8>(place, byteAt(place) | (1 << (at & 7)));
}

/** Whether the `?` at that place belongs to a conditional type that was found ahead. */
export function isConditionalType(at: i32): bool {
  if (!scan.conditionals) return false;
  return ((byteAt(scan.end + PADDING + ((at - FILE_AT) >> 3)) >> (at & 7)) & 1) !== 0;
}

function skipQuoted(at: i32, limit: i32): i32 {
  const quote = byteAt(at);
  for (at += 1; at < limit && byteAt(at) !== quote; at += 1) if (byteAt(at) === 0x5c) at += 1;
  return at;
}

function isDigit(byte: i32): bool {
  return byte >= 0x30 && byte <= 0x39;
}

function isSpace(byte: i32): bool {
  return byte <= 0x20;
}
