/** `case`: where it declares (an enum, a case class) or continues (`if case`) it is no decision. */
import { FILE_AT, HAS_RUBY, HAS_SOFT_CASE } from "../tables.ts";
import { byteAt, has, isWordByte, lexicon, matches } from "./memory.ts";
import { isFirstOnLine } from "./places.ts";
import { Bracket, scan } from "./state.ts";

const DOT = 0x2e;
const COLON = 0x3a;
const UNDERSCORE = 0x5f;

/** `scan.at` is behind the word, `before` on the token before it. */
export function isCase(start: i32, before: i32): bool {
  if (scan.top() === Bracket.enumeration) return false;
  if (has(HAS_SOFT_CASE)) return isSoftCase(start);
  if (has(HAS_RUBY)) return isFirstOnLine(start);
  return !isBeforeDeclaration() && !isBehindExcluded(before);
}

function isBeforeDeclaration(): bool {
  let at = scan.at;
  while (byteAt(at) === 0x20) at += 1;
  let word = lexicon.caseNot;
  for (let length = byteAt(word); length !== 0; length = byteAt(word)) {
    if (matches(at, word + 1, length) && endsDeclaration(at + length)) return true;
    word += length + 1;
  }
  return false;
}

function isBehindExcluded(before: i32): bool {
  if (before < FILE_AT) return false;
  let word = lexicon.caseNotAfter;
  for (let length = byteAt(word); length !== 0; length = byteAt(word)) {
    if (scan.endsWithBytes(word + 1, length, before)) return true;
    word += length + 1;
  }
  return false;
}

/** Behind the word that makes a case none: `case class`, and `case _ =>`, but not `case _: Type =>`. */
function endsDeclaration(at: i32): bool {
  if (isWordByte(byteAt(at))) return false;
  if (byteAt(at - 1) !== UNDERSCORE) return true;
  while (byteAt(at) === 0x20) at += 1;
  return byteAt(at) !== COLON;
}

/** Python's `case` is a keyword only at the start of a line, before a pattern; `case _:` takes the rest. */
function isSoftCase(start: i32): bool {
  if (!isFirstOnLine(start) || scan.depth > 0) return false;
  let at = scan.at;
  while (byteAt(at) === 0x20) at += 1;
  const next = byteAt(at);
  if (at === scan.at && next !== 0x28 && next !== 0x5b && next !== 0x7b && next !== 0x22 && next !== 0x27)
    return false;
  if (next === 0x3d || next === DOT || next === 0x2c || next === COLON || next === 0x29 || next < 0x20)
    return false;
  if (next === UNDERSCORE && byteAt(at + 1) === COLON) return false;
  return endsInColon(at);
}

/** It must end in a colon on this or a later line; a call or an assignment does not. */
function endsInColon(at: i32): bool {
  const end = scan.end;
  let level = 0;
  for (; at < end && scan.mayLook(); at += 1) {
    const byte = byteAt(at);
    if (byte === 0x28 || byte === 0x5b || byte === 0x7b) level += 1;
    else if (byte === 0x29 || byte === 0x5d || byte === 0x7d) level -= 1;
    else if (byte === COLON && level === 0) return true;
    else if (byte === 0x0a && level <= 0) return false;
    else if (byte === 0x3d && byteAt(at + 1) === 0x3d) at += 1;
    else if (byte === 0x3d && level === 0 && !isComparison(byteAt(at - 1))) return false;
  }
  return false;
}

/** `<=`, `>=`, `!=`, `:=` */
function isComparison(before: i32): bool {
  return before === 0x3c || before === 0x3e || before === 0x21 || before === COLON;
}
