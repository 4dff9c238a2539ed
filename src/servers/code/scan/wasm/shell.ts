/**
 * Shell scripts. A shell has no tokens of its own: what a word means depends on where it stands, and quotes,
 * substitutions and here-documents contain each other. So this reads by descent, one function for each context;
 * the quotes and substitutions themselves are in shell-quotes.ts.
 */
import { byteAt } from "./memory.ts";
import { MAX_DESCENT, rememberHeredoc, shell, textIs } from "./shell-context.ts";
import {
  endShellLine,
  readArithmetic,
  readCommandsBy,
  readCommandsUntil,
  readWordParts,
} from "./shell-quotes.ts";
import {
  isAssignment,
  isDecision,
  isEmptyParentheses,
  isEsac,
  isLeader,
  takesTheRest,
} from "./shell-words.ts";
import { LineKind, scan } from "./state.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OPEN = 0x28;
const CLOSE = 0x29;
const BACKQUOTE = 0x60;
const BACKSLASH = 0x5c;

export function scanShell(): void {
  shell.begin();
  readCommandsBy(readCommands);
  while (scan.at < scan.end) {
    readCommands(-1);
    // A closing sign that closes nothing.
    if (scan.at < scan.end) scan.at += 1;
  }
}

/** Reads commands up to `until` (`)`, a backquote or the end of a case), which is left to the caller. */
function readCommands(until: i32): void {
  const end = scan.end;
  let first: bool = true;
  while (scan.at < end) {
    const byte = byteAt(scan.at);
    if (byte === until || byte === CLOSE || (byte === BACKQUOTE && shell.backquoted > 0)) return;
    if (byte === NEWLINE || byte === RETURN) {
      endShellLine();
      first = true;
    } else if (byte <= 0x20) scan.at += 1;
    else if (byte === 0x23) skipComment();
    else if (byte === BACKSLASH && (byteAt(scan.at + 1) === NEWLINE || byteAt(scan.at + 1) === RETURN)) {
      scan.kind = LineKind.code;
      scan.at = scan.crossLine(scan.at + 1);
    } else {
      if (until === CASE_END && isCaseEnd(first)) return;
      scan.kind = LineKind.code;
      first = readToken(byte, first);
    }
  }
}

/** Not a byte: the commands of a case end with `;;` or `esac`. */
const CASE_END = 0x100;

function isCaseEnd(first: bool): bool {
  const at = scan.at;
  if (byteAt(at) === 0x3b) return byteAt(at + 1) === 0x3b || byteAt(at + 1) === 0x26;
  return first && isEsac(at);
}

/** One sign or word of a command. Says whether a command may begin behind it. */
function readToken(byte: i32, first: bool): bool {
  const next = byteAt(scan.at + 1);
  switch (byte) {
    case 0x26: // &
    case 0x7c: // |
      if (next === byte) scan.decisions += 1;
      scan.at += next === byte ? 2 : 1;
      return !(byte === 0x26 && next === 0x3e);
    case 0x3b: // ;
      scan.at += 1;
      return true;
    case OPEN:
      scan.at += 1;
      if (next === OPEN && first) {
        scan.at += 1;
        readArithmetic();
        return false;
      }
      readCommandsUntil(CLOSE);
      return false;
    case 0x3c: // <
      if (next === 0x3c && byteAt(scan.at + 2) !== 0x3c) return announceHeredoc();
      scan.at += next === 0x3c ? 3 : next === 0x26 || next === 0x3e ? 2 : 1;
      return false;
    case 0x3e: // >
      scan.at += next === 0x26 || next === 0x7c || next === 0x3e ? 2 : 1;
      return false;
    default:
      return readWord(first);
  }
}

/** A keyword is one only where a command begins, and without quotes. */
function readWord(first: bool): bool {
  const start = scan.at;
  const plain = readWordParts();
  if (scan.at === start) scan.at += 1;
  if (!first) return false;
  if (isAssignment(start)) return true;
  if (!plain) return false;
  if (isDecision(start)) {
    scan.decisions += 1;
    if (textIs(start, "for")) {
      readForHead();
      return false;
    }
    return !textIs(start, "select");
  }
  if (textIs(start, "case")) {
    readCase();
    return false;
  }
  if (textIs(start, "[[")) {
    readTest();
    return false;
  }
  // A command follows these as at the start of a line, but parentheses make each a function's name.
  const leads = isLeader(start);
  if (textIs(start, "function")) scan.functions += 1;
  else if (isEmptyParentheses()) {
    scan.functions += 1;
    return true;
  }
  return leads;
}

/** `for ((i = 0; …))` */
function readForHead(): void {
  while (byteAt(scan.at) === 0x20) scan.at += 1;
  if (byteAt(scan.at) !== OPEN || byteAt(scan.at + 1) !== OPEN) return;
  scan.at += 2;
  readArithmetic();
}

/** `case WORD in pattern) commands ;; … esac`. `*)` alone takes the rest. */
function readCase(): void {
  if (shell.descent >= MAX_DESCENT) return;
  shell.descent += 1;
  if (readCaseHead()) readCaseBody();
  shell.descent -= 1;
}

/** The word, and `in`. */
function readCaseHead(): bool {
  for (let words = 0; words < 2 && scan.at < scan.end; ) {
    if (!skipBlanks()) return false;
    const start = scan.at;
    readWordParts();
    if (scan.at === start) scan.at += 1;
    if (words === 1 && !textIs(start, "in")) continue;
    words += 1;
  }
  return true;
}

function readCaseBody(): void {
  const end = scan.end;
  while (scan.at < end) {
    if (!skipBlanks()) return;
    if (isEsac(scan.at)) {
      scan.at += 4;
      return;
    }
    if (byteAt(scan.at) === CLOSE && shell.nesting > 0) return;
    if (byteAt(scan.at) === OPEN) scan.at += 1;
    readPattern();
    shell.nesting += 1;
    do {
      readCommands(CASE_END);
      if (scan.at >= end || byteAt(scan.at) !== CLOSE) break;
      scan.at += 1;
    } while (scan.at < end);
    shell.nesting -= 1;
    while (byteAt(scan.at) === 0x3b || byteAt(scan.at) === 0x26) scan.at += 1;
    if (byteAt(scan.at) === BACKQUOTE && shell.backquoted > 0) return;
  }
}

function readPattern(): void {
  const end = scan.end;
  while (byteAt(scan.at) === 0x20) scan.at += 1;
  const start = scan.at;
  scan.kind = LineKind.code;
  while (scan.at < end && byteAt(scan.at) !== CLOSE) {
    const before = scan.at;
    if (byteAt(scan.at) === NEWLINE || byteAt(scan.at) === RETURN) endShellLine();
    else if (byteAt(scan.at) === BACKSLASH && byteAt(scan.at + 1) === NEWLINE)
      scan.at = scan.crossLine(scan.at + 1);
    else readWordParts();
    if (scan.at === before) scan.at += 1;
    scan.kind = LineKind.code;
  }
  if (!takesTheRest(start)) scan.decisions += 1;
  scan.at += 1;
}

/** `[[ … ]]`: its `&&` and `||` are operators of a condition. */
function readTest(): void {
  const end = scan.end;
  while (scan.at < end) {
    const byte = byteAt(scan.at);
    if (byte === 0x5d && byteAt(scan.at + 1) === 0x5d && byteAt(scan.at - 1) <= 0x20) {
      scan.at += 2;
      return;
    }
    const before = scan.at;
    if (byte === NEWLINE || byte === RETURN) endShellLine();
    else if (byte <= 0x20 || byte === OPEN || byte === CLOSE) scan.at += 1;
    else if ((byte === 0x26 || byte === 0x7c) && byteAt(scan.at + 1) === byte) {
      scan.decisions += 1;
      scan.at += 2;
    } else if (byte === BACKSLASH && byteAt(scan.at + 1) === NEWLINE) scan.at = scan.crossLine(scan.at + 1);
    else readWordParts();
    if (scan.at === before) scan.at += 1;
    scan.kind = LineKind.code;
  }
}

/** `<<WORD`, `<<-'WORD'` */
function announceHeredoc(): bool {
  scan.at += 2;
  const tabs = byteAt(scan.at) === 0x2d;
  if (tabs) scan.at += 1;
  while (byteAt(scan.at) === 0x20) scan.at += 1;
  const start = scan.at;
  readWordParts();
  rememberHeredoc(start, tabs);
  return false;
}

/** To the next word, over lines and comments; false at the end. */
function skipBlanks(): bool {
  const end = scan.end;
  while (scan.at < end) {
    const byte = byteAt(scan.at);
    if (byte === NEWLINE || byte === RETURN) endShellLine();
    else if (byte === 0x23) skipComment();
    else if (byte <= 0x20) scan.at += 1;
    else if (byte === BACKSLASH && byteAt(scan.at + 1) === NEWLINE) scan.at = scan.crossLine(scan.at + 1);
    else {
      scan.kind = LineKind.code;
      return true;
    }
  }
  return false;
}

function skipComment(): void {
  if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  while (scan.at < scan.end && byteAt(scan.at) !== NEWLINE && byteAt(scan.at) !== RETURN) scan.at += 1;
}
