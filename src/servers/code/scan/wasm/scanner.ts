/**
 * Reads a source file once, byte by byte, and counts its lines (code, comment, blank), its decisions and its
 * functions. A small state machine over the tables of a lexicon: where code is read, each byte has an action;
 * comments and strings are read by literals.ts, signs that need a look around by specials.ts.
 * It knows no grammar, so what it says of decisions and functions is lexical.
 */
import {
  ACTION_CLOSE,
  ACTION_DIGIT,
  ACTION_NEWLINE,
  ACTION_OPEN,
  ACTION_SIGN,
  ACTION_SPACE,
  ACTION_WORD,
  ACTIONS_AT,
  FILE_AT,
  HAS_COMMENTS,
  HAS_DIGIT_QUOTES,
  HAS_NEWLINE_ENDS,
  HAS_PHP,
  HAS_RUBY,
  HAS_SHELL,
  HAS_WORDS,
  LEXICON_AT,
  LEXICON_BYTES,
  OPENER_BLOCK_COMMENT,
  OPENER_DECISION,
  OPENER_LINE_COMMENT,
  OPENER_SIGN,
  OPENER_STRING,
  OPENERS_AT,
  PLACE_ANYWHERE,
  PLACE_LINE,
} from "../tables.ts";
import { closeBracket, openBracket } from "./brackets.ts";
import { nextHeredoc } from "./heredocs.ts";
import { scanBlockComment, scanLineComment, scanString } from "./literals.ts";
import { rewindMarkup } from "./markup.ts";
import {
  byteAt,
  controlAt,
  has,
  isWordByte,
  matches,
  mayBeKeyword,
  OPENER_BYTES,
  Opener,
  spacesEnd,
  wordEnd,
} from "./memory.ts";
import { skipToPhp } from "./php.ts";
import { scanShell } from "./shell.ts";
import { readSpecial } from "./specials.ts";
import { LineKind, Previous, scan, Tail } from "./state.ts";
import { plainWord, scanWord } from "./words.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SEMICOLON = 0x3b;

let loaded: i32 = 0;

/** Another lexicon may lie where the one in use came from. */
export function forgetLexicon(): void {
  loaded = 0;
}

/** Counts the `length` bytes at `FILE_AT` by the lexicon at that address. Zeros are put behind them, so that no loop needs to ask for the length. */
export function scanSource(length: i32, lexicon: i32): void {
  if (loaded !== lexicon) {
    memory.copy(LEXICON_AT, lexicon, LEXICON_BYTES);
    loaded = lexicon;
  }
  scan.begin(length);
  if (has(HAS_SHELL)) scanShell();
  else if (has(HAS_WORDS | HAS_COMMENTS)) {
    if (has(HAS_PHP)) skipToPhp();
    run();
  } else countPlainLines();
  scan.finish();
}

function run(): void {
  const end = scan.end;
  const isProgram = has(HAS_WORDS);
  const suffixes = has(HAS_RUBY);
  const newlineEnds = has(HAS_NEWLINE_ENDS);
  let at = scan.at;
  while (true) {
    const byte = byteAt(at);
    switch (<i32>load<u8>(byte, ACTIONS_AT)) {
      case ACTION_SPACE:
        at += 1;
        // Between words there is one, before a line many.
        if (byteAt(at) === 0x20) at = spacesEnd(at);
        break;
      case ACTION_NEWLINE:
        at += 1;
        if (byte === RETURN && byteAt(at) === NEWLINE) at += 1;
        scan.at = at;
        if (newlineEnds && scan.kind !== LineKind.blank) scan.previous = Previous.expects;
        scan.endLine();
        if (scan.heredocs > 0) {
          nextHeredoc();
          at = scan.at;
        }
        break;
      case ACTION_WORD: {
        const start = at;
        at = wordEnd(at + 1);
        scan.kind = LineKind.code;
        if (!isProgram) break;
        scan.at = at;
        if (suffixes || mayBeKeyword(byte, at - start)) {
          scanWord(start);
          at = scan.at;
        } else plainWord();
        break;
      }
      case ACTION_DIGIT:
        scan.kind = LineKind.code;
        at = skipNumber(at);
        break;
      case ACTION_OPEN:
        scan.kind = LineKind.code;
        scan.at = at + 1;
        openBracket(byte);
        at = scan.at;
        break;
      case ACTION_CLOSE:
        scan.kind = LineKind.code;
        scan.at = at + 1;
        closeBracket(byte);
        at = scan.at;
        break;
      case ACTION_SIGN:
        scan.at = at;
        readSign(byte);
        at = scan.at;
        break;
      default:
        if (byte === 0 && at >= end) {
          scan.at = at;
          if (!rewindMarkup()) return;
          at = scan.at;
          break;
        }
        scan.kind = LineKind.code;
        at += 1;
        scan.at = at;
        passPlain(byte);
    }
  }
}

/** The first opener that fits wins; when none does, the byte is a bracket, a word or a plain sign. */
function readSign(byte: i32): void {
  const next = byteAt(scan.at + 1);
  let found = load<i32>(byte << 2, OPENERS_AT);
  for (let opener = changetype<Opener>(found); opener.length !== 0; opener = changetype<Opener>(found)) {
    found += OPENER_BYTES;
    if (opener.length > 1 && (opener.second !== next || !fits(opener))) continue;
    if (enter(opener)) return;
  }
  scan.kind = LineKind.code;
  scan.at += 1;
  if (byte === 0x28 || byte === 0x5b || byte === 0x7b) return openBracket(byte);
  if (byte === 0x29 || byte === 0x5d || byte === 0x7d) return closeBracket(byte);
  if (isWordByte(byte)) {
    const start = scan.at - 1;
    while (isWordByte(byteAt(scan.at))) scan.at += 1;
    return scanWord(start);
  }
  passPlain(byte);
}

function fits(opener: Opener): bool {
  return matches(scan.at + 2, opener.text + 2, opener.length - 2);
}

/** Reads what the opener begins; false when it does not begin it here. */
function enter(opener: Opener): bool {
  switch (opener.kind) {
    case OPENER_LINE_COMMENT:
      if (!isPlace(opener.place)) return false;
      scanLineComment();
      return true;
    case OPENER_BLOCK_COMMENT:
      if (!isPlace(opener.place)) return false;
      scanBlockComment(opener);
      return true;
    case OPENER_STRING:
      scan.at += opener.length;
      scanString(opener.value);
      return true;
    case OPENER_DECISION:
      scan.decisions += 1;
      return passOperator(opener.length);
    case OPENER_SIGN:
      return passOperator(opener.length);
    default:
      return readSpecial(opener.value, opener.length);
  }
}

/** A sign that means nothing here but that an operand may follow. `at` is behind it. */
function passPlain(byte: i32): void {
  scan.previous = Previous.expects;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = 0;
  if (byte === SEMICOLON) scan.creating = false;
  if (scan.tail !== Tail.none) keepTail(byte);
}

function passOperator(length: i32): bool {
  scan.kind = LineKind.code;
  scan.at += length;
  scan.afterOperator();
  return true;
}

function isPlace(place: i32): bool {
  if (place === PLACE_ANYWHERE) return true;
  if (place === PLACE_LINE) return scan.kind === LineKind.blank;
  return scan.at === FILE_AT || byteAt(scan.at - 1) <= 0x20;
}

/** Between the parameters and the body of a function, a type may use these signs; another ends the hope. */
function keepTail(byte: i32): void {
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
  if (!(scan.tail === Tail.resultType && inType)) scan.tail = Tail.none;
}

/** Digits, letters, a point before a digit, and in C++ a quote between digits. */
function skipNumber(at: i32): i32 {
  do at += 1;
  while (goesOnNumber(at));
  scan.previous = Previous.operand;
  scan.lastAt = at - 1;
  scan.lastMarks = 0;
  return at;
}

function goesOnNumber(at: i32): bool {
  const byte = byteAt(at);
  if (isWordByte(byte)) return true;
  const next = byteAt(at + 1);
  if (byte === 0x2e) return next >= 0x30 && next <= 0x39;
  return byte === 0x27 && has(HAS_DIGIT_QUOTES) && isWordByte(next);
}

/** Data and prose, in which no comments exist: a line is blank, or it counts as code. */
function countPlainLines(): void {
  const end = scan.end;
  let at = scan.at;
  while (at < end) {
    const byte = byteAt(at);
    at += 1;
    if (byte > 0x20) {
      scan.kind = LineKind.code;
      // To the end of the line: nothing on it can change anything.
      at = controlAt(at);
    } else if (byte === NEWLINE || byte === RETURN) {
      if (byte === RETURN && byteAt(at) === NEWLINE) at += 1;
      scan.at = at;
      scan.endLine();
    }
  }
  scan.at = at;
}
