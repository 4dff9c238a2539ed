/**
 * Reads a source file once, byte by byte, and counts its lines (code, comment, blank), its decisions and its
 * functions. A small state machine over the tables of a lexicon: where code is read, each byte has an action;
 * comments and strings are read by literals.ts, signs that need a look around by specials.ts.
 * It knows no grammar, so what it says of decisions and functions is lexical.
 */
import { closeBracket, openBracket } from "./brackets.ts";
import { Action, type Lexicon, type Opener, OpenerKind } from "./lexicon.ts";
import { scanBlockComment, scanLineComment, scanString } from "./literals.ts";
import { rewindMarkup } from "./markup.ts";
import { skipToPhp } from "./php.ts";
import { scanShell } from "./shell.ts";
import { readSpecial } from "./specials.ts";
import { LineKind, Previous, type Scan, type ScanCounts, Tail } from "./state.ts";
import { forgetDynamicStrings } from "./string-rules.ts";
import { plainWord, scanWord } from "./words.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SEMICOLON = 0x3b;

/**
 * Counts `bytes[0, length)`. The array must have room for one byte more: a zero is put there, so that no loop
 * needs to ask for the length. The result is the scan itself, valid until its next use.
 */
export function scanSource(scan: Scan, bytes: Uint8Array, length: number, lexicon: Lexicon): ScanCounts {
  forgetDynamicStrings(lexicon);
  scan.begin(bytes, length, lexicon);
  if (lexicon.features.has("shell")) scanShell(scan);
  else if (lexicon.isProgram || lexicon.syntax.comments) {
    if (lexicon.features.has("php")) skipToPhp(scan);
    run(scan);
  } else countPlainLines(scan);
  scan.finish();
  return scan;
}

function run(scan: Scan): void {
  const { bytes, end, lexicon } = scan;
  const { actions, wordBytes, words, isProgram, suffixes } = lexicon;
  const newlineEnds = lexicon.features.has("newline-ends");
  let at = scan.at;
  for (;;) {
    const byte = bytes[at] as number;
    switch (actions[byte]) {
      case Action.space:
        do at += 1;
        while (bytes[at] === 0x20);
        break;
      case Action.newline:
        at += 1;
        if (byte === RETURN && bytes[at] === NEWLINE) at += 1;
        scan.at = at;
        if (newlineEnds && scan.kind !== LineKind.blank) scan.previous = Previous.expects;
        scan.endLine();
        if (scan.heredocs.length > 0) {
          scanString(scan, scan.heredocs.shift() as number);
          at = scan.at;
        }
        break;
      case Action.word: {
        const start = at;
        do at += 1;
        while (wordBytes[bytes[at] as number] === 1);
        scan.kind = LineKind.code;
        if (!isProgram) break;
        scan.at = at;
        if (suffixes || words.mayBe(byte, at - start)) {
          scanWord(scan, start);
          at = scan.at;
        } else plainWord(scan);
        break;
      }
      case Action.digit:
        scan.kind = LineKind.code;
        at = skipNumber(scan, at);
        break;
      case Action.open:
        scan.kind = LineKind.code;
        scan.at = at + 1;
        openBracket(scan, byte);
        at = scan.at;
        break;
      case Action.close:
        scan.kind = LineKind.code;
        scan.at = at + 1;
        closeBracket(scan, byte);
        at = scan.at;
        break;
      case Action.sign:
        scan.at = at;
        readSign(scan, byte);
        at = scan.at;
        break;
      default:
        if (byte === 0 && at >= end) {
          scan.at = at;
          if (!rewindMarkup(scan)) return;
          at = scan.at;
          break;
        }
        scan.kind = LineKind.code;
        at += 1;
        scan.at = at;
        passPlain(scan, byte);
    }
  }
}

/** The first opener that fits wins; when none does, the byte is a bracket, a word or a plain sign. */
function readSign(scan: Scan, byte: number): void {
  const openers = scan.lexicon.openers[byte] as readonly Opener[];
  const next = scan.bytes[scan.at + 1] as number;
  for (let i = 0; i < openers.length; i += 1) {
    const opener = openers[i] as Opener;
    if (opener.length > 1 && (opener.second !== next || !fits(scan, opener))) continue;
    if (enter(scan, opener)) return;
  }
  scan.kind = LineKind.code;
  scan.at += 1;
  if (byte === 0x28 || byte === 0x5b || byte === 0x7b) return openBracket(scan, byte);
  if (byte === 0x29 || byte === 0x5d || byte === 0x7d) return closeBracket(scan, byte);
  const { wordBytes } = scan.lexicon;
  if (wordBytes[byte] === 1) {
    const start = scan.at - 1;
    while (wordBytes[scan.bytes[scan.at] as number] === 1) scan.at += 1;
    return scanWord(scan, start);
  }
  passPlain(scan, byte);
}

function fits(scan: Scan, { text, length }: Opener): boolean {
  for (let i = 2; i < length; i += 1) if (scan.bytes[scan.at + i] !== text[i]) return false;
  return true;
}

/** Reads what the opener begins; false when it does not begin it here. */
function enter(scan: Scan, opener: Opener): boolean {
  switch (opener.kind) {
    case OpenerKind.lineComment:
      if (opener.at !== "anywhere" && !isPlace(scan, opener.at)) return false;
      scanLineComment(scan);
      return true;
    case OpenerKind.blockComment:
      if (opener.at !== "anywhere" && !isPlace(scan, opener.at)) return false;
      scanBlockComment(scan, opener.block);
      return true;
    case OpenerKind.string:
      scan.at += opener.length;
      scanString(scan, opener.rule);
      return true;
    case OpenerKind.decision:
      scan.decisions += 1;
      return passOperator(scan, opener.length);
    case OpenerKind.sign:
      return passOperator(scan, opener.length);
    default:
      return readSpecial(scan, opener.special, opener.length);
  }
}

/** A sign that means nothing here but that an operand may follow. `at` is behind it. */
function passPlain(scan: Scan, byte: number): void {
  scan.previous = Previous.expects;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = 0;
  if (byte === SEMICOLON) scan.creating = false;
  if (scan.tail !== Tail.none) keepTail(scan, byte);
}

function passOperator(scan: Scan, length: number): true {
  scan.kind = LineKind.code;
  scan.at += length;
  scan.afterOperator();
  return true;
}

function isPlace(scan: Scan, place: "line" | "word"): boolean {
  if (place === "line") return scan.kind === LineKind.blank;
  return scan.at === 0 || (scan.bytes[scan.at - 1] as number) <= 0x20;
}

/** Between the parameters and the body of a function, a type may use these signs; another ends the hope. */
function keepTail(scan: Scan, byte: number): void {
  const inType =
    byte === 0x2e ||
    byte === 0x2c ||
    byte === 0x3a ||
    byte === 0x3c ||
    byte === 0x3e ||
    byte === 0x26 ||
    byte === 0x7c ||
    byte === 0x2a ||
    byte === 0x3f ||
    byte === 0x5c;
  if (!(scan.tail === Tail.type && inType)) scan.tail = Tail.none;
}

/** Digits, letters, a point before a digit, and in C++ a quote between digits. */
function skipNumber(scan: Scan, at: number): number {
  const { bytes, lexicon } = scan;
  const { wordBytes } = lexicon;
  const quotes = lexicon.features.has("digit-quotes");
  for (at += 1; ; at += 1) {
    const byte = bytes[at] as number;
    if (wordBytes[byte] === 1) continue;
    const next = bytes[at + 1] as number;
    if (byte === 0x2e && next >= 0x30 && next <= 0x39) continue;
    if (quotes && byte === 0x27 && wordBytes[next] === 1) continue;
    break;
  }
  scan.previous = Previous.operand;
  scan.lastAt = at - 1;
  scan.lastMarks = 0;
  return at;
}

/** Data and prose without comments: only whether a line has anything on it. */
function countPlainLines(scan: Scan): void {
  const { bytes, end } = scan;
  let at = scan.at;
  while (at < end) {
    const byte = bytes[at] as number;
    at += 1;
    if (byte > 0x20) {
      scan.kind = LineKind.code;
      // To the end of the line: nothing on it can change anything.
      while ((bytes[at] as number) > RETURN) at += 1;
    } else if (byte === NEWLINE || byte === RETURN) {
      if (byte === RETURN && bytes[at] === NEWLINE) at += 1;
      scan.at = at;
      scan.endLine();
    }
  }
  scan.at = at;
}
