/**
 * Comments and strings: where they end, and what kind of line each line they cross is.
 * A line with nothing but white space is blank, wherever it stands.
 */
import { FILE_AT, HEREDOC_INDENTED, HEREDOC_NO } from "../tables.ts";
import {
  byteAt,
  controlAt,
  controlOrAt,
  controlOrOneOf,
  isWordByte,
  matches,
  Opener,
  StringRule,
} from "./memory.ts";
import { Bracket, Closer, LineKind, scan } from "./state.ts";
import { heredocRule, RULE_BITS, stringRule } from "./string-rules.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BACKSLASH = 0x5c;

export function scanLineComment(): void {
  const end = scan.end;
  if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  let at = scan.at;
  for (;;) {
    at = controlAt(at);
    const byte = byteAt(at);
    if (byte === NEWLINE || byte === RETURN || (byte === 0 && at >= end)) break;
    at += 1;
  }
  scan.at = at;
}

export function scanBlockComment(comment: Opener): void {
  const end = scan.end;
  const open = comment.text;
  const openLength = comment.length;
  const close = comment.close;
  const closeLength = comment.closeLength;
  const closesLine = comment.closesLine !== 0;
  const closeFirst = byteAt(close);
  const openFirst = comment.nested !== 0 ? byteAt(open) : -1;
  let level = 1;
  let at = scan.at + openLength;
  if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  for (;;) {
    const byte = byteAt(at);
    if (byte === closeFirst && matches(at, close, closeLength) && (!closesLine || isLineStart(at))) {
      at += closeLength;
      if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
      level -= 1;
      if (level === 0) break;
    } else if (byte === openFirst && matches(at, open, openLength)) {
      level += 1;
      at += openLength;
    } else if (byte === NEWLINE || byte === RETURN) {
      at = scan.crossLine(at);
    } else if (byte === 0 && at >= end) {
      break;
    } else if (byte > 0x20) {
      if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
      at += 1;
      // Text, to where something may happen.
      at = controlOrAt(at, closeFirst, openFirst);
    } else at += 1;
  }
  scan.at = at;
}

/**
 * Reads a string from behind its opening, or from behind the code that interrupted it, to its end or to the next
 * code in it. `resumed` is what `push` was given at the interruption; at the beginning it is the rule.
 */
export function scanString(resumed: i32): void {
  readText(stringRule(resumed), resumed, Bracket.interpolation);
}

/** The same for a here-document whose label stands in the file: see string-rules.ts for what the number says. */
export function scanHeredoc(heredoc: i32): void {
  readText(heredocRule(heredoc), heredoc, Bracket.heredocCode);
}

/** `bracket` is what an interruption is remembered as, together with `resumed`. */
function readText(string: StringRule, resumed: i32, bracket: i32): void {
  const end = scan.end;
  const stops = string.stops;
  const close = string.close;
  const closeLength = string.closeLength;
  const closeFirst = byteAt(close);
  const isHeredoc = string.heredoc !== HEREDOC_NO;
  const stop = isHeredoc ? -1 : closeFirst;
  const codeStop = string.interpolateLength > 0 ? byteAt(string.interpolate) : -1;
  const kind: i32 = string.documents !== 0 && isStatement() ? LineKind.comment : LineKind.code;
  // A here-document has no brackets of its own, and its number no room for a level.
  let level = isHeredoc ? 0 : resumed >> RULE_BITS;
  let at = scan.at;
  if (isHeredoc) {
    if (isLineStart(at) && endsHeredoc(string)) return;
    if (scan.kind === LineKind.blank) at = crossedIntoText(at, kind);
  } else if (scan.kind < kind) scan.kind = kind;
  for (;;) {
    const byte = byteAt(at);
    if (load<u8>(stops + byte) === 0) {
      // Text, to where something may happen.
      at = controlOrOneOf(at + 1, stop, codeStop, string.escape, string.nests);
    } else if (byte === NEWLINE || byte === RETURN) {
      if (string.multiline === 0) break;
      at = scan.crossLine(at);
      if (isHeredoc) {
        scan.at = at;
        if (endsHeredoc(string)) return;
      }
      at = crossedIntoText(at, kind);
    } else if (byte === closeFirst && !isHeredoc && matches(at, close, closeLength)) {
      at += closeLength;
      if (level > 0) level -= 1;
      else if (string.doubles !== 0 && byteAt(at) === closeFirst && closeLength === 1) at += 1;
      else break;
    } else if (byte === string.nests) {
      level += 1;
      at += 1;
    } else if (beginsCode(string, byte, at)) {
      // Doubled, it stands for itself.
      if (string.interpolateLength === 1 && byteAt(at + 1) === byte) {
        at += 2;
        continue;
      }
      scan.at = at + string.interpolateLength;
      const closer = byteAt(scan.at - 1) === 0x28 ? Closer.parenthesis : Closer.brace;
      scan.push(
        bracket,
        closer,
        isHeredoc ? resumed : (resumed & ((1 << RULE_BITS) - 1)) | (level << RULE_BITS),
      );
      return scan.afterOperator();
    } else if (byte === string.escape) {
      // What is escaped may be a line end; that is crossed in the next round.
      const next = byteAt(at + 1);
      at += next === NEWLINE || next === RETURN || at + 1 >= end ? 1 : 2;
      if ((next === NEWLINE || next === RETURN) && string.multiline === 0) {
        at = crossedIntoText(scan.crossLine(at), kind);
      }
    } else if (byte === 0 && at >= end) {
      break;
    } else {
      at += 1;
    }
  }
  scan.at = at;
  scan.afterOperand();
}

function beginsCode(string: StringRule, byte: i32, at: i32): bool {
  const length = string.interpolateLength;
  return length > 0 && byte === byteAt(string.interpolate) && matches(at, string.interpolate, length);
}

/** At the first byte of a line inside a text: it counts when it has something on it. */
export function crossedIntoText(at: i32, kind: i32): i32 {
  while (byteAt(at) === 0x20 || byteAt(at) === 0x09) at += 1;
  const byte = byteAt(at);
  if (byte !== NEWLINE && byte !== RETURN && !(byte === 0 && at >= scan.end)) scan.kind = kind;
  return at;
}

function isLineStart(at: i32): bool {
  return at === FILE_AT || byteAt(at - 1) === NEWLINE || byteAt(at - 1) === RETURN;
}

/** Whether this line is the closing word, alone or before a sign. Then `at` is left behind it. */
function endsHeredoc(string: StringRule): bool {
  const length = string.closeLength;
  let at = scan.at;
  if (string.heredoc === HEREDOC_INDENTED) while (byteAt(at) === 0x20 || byteAt(at) === 0x09) at += 1;
  if (!matches(at, string.close, length) || isWordByte(byteAt(at + length))) return false;
  scan.at = at + length;
  scan.kind = LineKind.code;
  scan.afterOperand();
  return true;
}

/** First on its line and in no bracket: a string here is a statement by itself. */
function isStatement(): bool {
  return scan.kind !== LineKind.code && scan.depth === 0 && scan.lastByte() !== BACKSLASH;
}
