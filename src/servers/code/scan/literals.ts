/**
 * Comments and strings: where they end, and what kind of line each line they cross is.
 * A line with nothing but white space is blank, wherever it stands.
 */
import type { BlockComment } from "./lexicon.ts";
import { Bracket, Closer, LineKind, type Scan } from "./state.ts";
import type { CompiledString } from "./string-rules.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BACKSLASH = 0x5c;
const BACKQUOTE = 0x60;
/** An interrupted literal remembers its rule and, above these bits, how many of its own brackets are open. */
const RULE_BITS = 20;
const RULE_MASK = (1 << RULE_BITS) - 1;

export function scanLineComment(scan: Scan): void {
  const { bytes, end } = scan;
  if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  let at = scan.at;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte <= RETURN && (byte === NEWLINE || byte === RETURN || (byte === 0 && at >= end))) break;
    at += 1;
  }
  scan.at = at;
}

export function scanBlockComment(scan: Scan, { open, close, nested, closesLine }: BlockComment): void {
  const { bytes, end } = scan;
  const closeFirst = close[0] as number;
  const openFirst = nested ? (open[0] as number) : -1;
  let level = 1;
  let at = scan.at + open.length;
  if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === closeFirst && matches(bytes, at, close) && (!closesLine || isLineStart(bytes, at))) {
      at += close.length;
      if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
      level -= 1;
      if (level === 0) break;
    } else if (byte === openFirst && matches(bytes, at, open)) {
      level += 1;
      at += open.length;
    } else if (byte === NEWLINE || byte === RETURN) {
      at = scan.crossLine(at);
    } else if (byte === 0 && at >= end) {
      break;
    } else if (byte > 0x20) {
      if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
      at += 1;
      // Text, to where something may happen.
      for (let next = bytes[at] as number; next > RETURN && next !== closeFirst && next !== openFirst; ) {
        at += 1;
        next = bytes[at] as number;
      }
    } else at += 1;
  }
  scan.at = at;
}

/**
 * Reads a string from behind its opening, or from behind the code that interrupted it, to its end or to the next
 * code in it. `resumed` is what `push` was given at the interruption; at the beginning it is the rule.
 */
export function scanString(scan: Scan, resumed: number): void {
  const rule = resumed & RULE_MASK;
  const string = scan.lexicon.strings[rule] as CompiledString;
  const { bytes, end } = scan;
  const { stops, close, interpolate, nests } = string;
  const closeFirst = close[0] as number;
  const kind = string.documents && isStatement(scan) ? LineKind.comment : LineKind.code;
  const escapes = string.escape === "backslash" ? BACKSLASH : string.escape === "backquote" ? BACKQUOTE : -1;
  let level = resumed >> RULE_BITS;
  let at = scan.at;
  if (string.heredoc !== "no") {
    if (isLineStart(bytes, scan.at) && endsHeredoc(scan, string)) return;
    if (scan.kind === LineKind.blank) at = crossedIntoText(scan, at, kind);
  } else if (scan.kind < kind) scan.kind = kind;
  for (;;) {
    const byte = bytes[at] as number;
    if (stops[byte] === 0) {
      at += 1;
    } else if (byte === NEWLINE || byte === RETURN) {
      if (!string.multiline) break;
      at = scan.crossLine(at);
      if (string.heredoc !== "no") {
        scan.at = at;
        if (endsHeredoc(scan, string)) return;
      }
      at = crossedIntoText(scan, at, kind);
    } else if (byte === closeFirst && string.heredoc === "no" && matches(bytes, at, close)) {
      at += close.length;
      if (level > 0) level -= 1;
      else if (string.escape === "double" && bytes[at] === closeFirst && close.length === 1) at += 1;
      else break;
    } else if (byte === nests) {
      level += 1;
      at += 1;
    } else if (interpolate.length > 0 && byte === interpolate[0] && matches(bytes, at, interpolate)) {
      // Doubled, it stands for itself.
      if (interpolate.length === 1 && bytes[at + 1] === byte) {
        at += 2;
        continue;
      }
      scan.at = at + interpolate.length;
      const parenthesis = interpolate[interpolate.length - 1] === 0x28;
      scan.push(
        Bracket.interpolation,
        parenthesis ? Closer.parenthesis : Closer.brace,
        rule | (level << RULE_BITS),
      );
      return scan.afterOperator();
    } else if (byte === escapes) {
      // What is escaped may be a line end; that is crossed in the next round.
      const next = bytes[at + 1];
      at += next === NEWLINE || next === RETURN || at + 1 >= end ? 1 : 2;
      if ((next === NEWLINE || next === RETURN) && !string.multiline) {
        at = crossedIntoText(scan, scan.crossLine(at), kind);
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

/** At the first byte of a line inside a text: it counts when it has something on it. */
export function crossedIntoText(scan: Scan, at: number, kind: number): number {
  const { bytes } = scan;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1;
  const byte = bytes[at] as number;
  if (byte !== NEWLINE && byte !== RETURN && !(byte === 0 && at >= scan.end)) scan.kind = kind;
  return at;
}

function isLineStart(bytes: Uint8Array, at: number): boolean {
  return at === 0 || bytes[at - 1] === NEWLINE || bytes[at - 1] === RETURN;
}

/** Whether this line is the closing word, alone or before a sign. Then `at` is left behind it. */
function endsHeredoc(scan: Scan, { close, heredoc }: CompiledString): boolean {
  const { bytes } = scan;
  let at = scan.at;
  if (heredoc === "indented") while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1;
  if (!matches(bytes, at, close) || scan.lexicon.wordBytes[bytes[at + close.length] as number] === 1)
    return false;
  scan.at = at + close.length;
  scan.kind = LineKind.code;
  scan.afterOperand();
  return true;
}

/** First on its line and in no bracket: a string here is a statement by itself. */
function isStatement(scan: Scan): boolean {
  return scan.kind !== LineKind.code && scan.depth === 0 && scan.lastByte() !== BACKSLASH;
}

export function matches(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i += 1) if (bytes[at + i] !== text[i]) return false;
  return true;
}
