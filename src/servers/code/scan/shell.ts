/**
 * Shell scripts. A shell has no tokens of its own: what a word means depends on where it stands, and quotes,
 * substitutions and here-documents contain each other. So this reads by descent, one function for each context;
 * the quotes and substitutions themselves are in shell-quotes.ts.
 */
import { endShellLine, readArithmetic, readUntil, readWordParts, type ShellContext } from "./shell-quotes.ts";
import { LineKind, type Scan } from "./state.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OPEN = 0x28;
const CLOSE = 0x29;
const BACKQUOTE = 0x60;
const BACKSLASH = 0x5c;

const DECISIONS = new Set(["if", "elif", "while", "until", "for", "select"]);
/** After these a command begins, as at the start of a line. */
const LEADERS = new Set("if elif while until then do else ! { time fi done } esac".split(" "));

export function scanShell(scan: Scan): void {
  const context: ShellContext = { scan, nesting: 0, backquoted: 0, heredocs: [], readCommands };
  while (scan.at < scan.end) {
    readCommands(context, -1);
    // A closing sign that closes nothing.
    if (scan.at < scan.end) scan.at += 1;
  }
}

/** Reads commands up to `until` (`)`, a backquote or the end of a case), which is left to the caller. */
function readCommands(context: ShellContext, until: number): void {
  const { scan } = context;
  const { bytes, end } = scan;
  let first = true;
  while (scan.at < end) {
    const byte = bytes[scan.at] as number;
    if (byte === until || byte === CLOSE || (byte === BACKQUOTE && context.backquoted > 0)) return;
    if (byte === NEWLINE || byte === RETURN) {
      endShellLine(context);
      first = true;
    } else if (byte <= 0x20) scan.at += 1;
    else if (byte === 0x23) skipComment(scan);
    else if (byte === BACKSLASH && (bytes[scan.at + 1] === NEWLINE || bytes[scan.at + 1] === RETURN)) {
      scan.kind = LineKind.code;
      scan.at = scan.crossLine(scan.at + 1);
    } else {
      if (until === CASE_END && isCaseEnd(scan, first)) return;
      scan.kind = LineKind.code;
      first = readToken(context, byte, first);
    }
  }
}

/** Not a byte: the commands of a case end with `;;` or `esac`. */
const CASE_END = 0x100;

function isCaseEnd(scan: Scan, first: boolean): boolean {
  const { bytes, at } = scan;
  if (bytes[at] === 0x3b) return bytes[at + 1] === 0x3b || bytes[at + 1] === 0x26;
  return first && wordIs(scan, at, "esac");
}

/** One sign or word of a command. Says whether a command may begin behind it. */
function readToken(context: ShellContext, byte: number, first: boolean): boolean {
  const { scan } = context;
  const { bytes } = scan;
  const next = bytes[scan.at + 1] as number;
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
        readArithmetic(context);
        return false;
      }
      readUntil(context, CLOSE, readCommands);
      return false;
    case 0x3c: // <
      if (next === 0x3c && bytes[scan.at + 2] !== 0x3c) return announceHeredoc(context);
      scan.at += next === 0x3c ? 3 : next === 0x26 || next === 0x3e ? 2 : 1;
      return false;
    case 0x3e: // >
      scan.at += next === 0x26 || next === 0x7c || next === 0x3e ? 2 : 1;
      return false;
    default:
      return readWord(context, first);
  }
}

/** A keyword is one only where a command begins, and without quotes. */
function readWord(context: ShellContext, first: boolean): boolean {
  const { scan } = context;
  const start = scan.at;
  const plain = readWordParts(context);
  if (scan.at === start) scan.at += 1;
  if (!first) return false;
  if (isAssignment(scan, start)) return true;
  if (!plain) return false;
  const word = scan.at - start > 8 ? "" : text(scan, start);
  if (DECISIONS.has(word)) {
    scan.decisions += 1;
    if (word === "for") readForHead(context);
  } else if (word === "case") readCase(context);
  else if (word === "[[") readTest(context);
  else if (word === "function") scan.functions += 1;
  else if (isEmptyParentheses(scan)) {
    scan.functions += 1;
    return true;
  }
  return LEADERS.has(word);
}

/** `name()`, also with spaces; leaves `at` behind it. */
function isEmptyParentheses(scan: Scan): boolean {
  let at = scan.at;
  while (scan.bytes[at] === 0x20) at += 1;
  if (scan.bytes[at] !== OPEN) return false;
  at += 1;
  while (scan.bytes[at] === 0x20) at += 1;
  if (scan.bytes[at] !== CLOSE) return false;
  scan.at = at + 1;
  return true;
}

/** `for ((i = 0; …))` */
function readForHead(context: ShellContext): void {
  const { scan } = context;
  while (scan.bytes[scan.at] === 0x20) scan.at += 1;
  if (scan.bytes[scan.at] !== OPEN || scan.bytes[scan.at + 1] !== OPEN) return;
  scan.at += 2;
  readArithmetic(context);
}

/** `case WORD in pattern) commands ;; … esac`. `*)` alone takes the rest. */
function readCase(context: ShellContext): void {
  const { scan } = context;
  const { bytes, end } = scan;
  // The word, and `in`.
  for (let words = 0; words < 2 && scan.at < end; ) {
    if (!skipBlanks(context)) return;
    const start = scan.at;
    readWordParts(context);
    if (scan.at === start) scan.at += 1;
    if (words === 1 && text(scan, start) !== "in") continue;
    words += 1;
  }
  while (scan.at < end) {
    if (!skipBlanks(context)) return;
    if (wordIs(scan, scan.at, "esac")) {
      scan.at += 4;
      return;
    }
    if (bytes[scan.at] === CLOSE && context.nesting > 0) return;
    if (bytes[scan.at] === OPEN) scan.at += 1;
    readPattern(context);
    context.nesting += 1;
    do {
      readCommands(context, CASE_END);
      if (scan.at >= end || bytes[scan.at] !== CLOSE) break;
      scan.at += 1;
    } while (scan.at < end);
    context.nesting -= 1;
    while (bytes[scan.at] === 0x3b || bytes[scan.at] === 0x26) scan.at += 1;
    if (bytes[scan.at] === BACKQUOTE && context.backquoted > 0) return;
  }
}

function readPattern(context: ShellContext): void {
  const { scan } = context;
  const { bytes, end } = scan;
  while (bytes[scan.at] === 0x20) scan.at += 1;
  const start = scan.at;
  scan.kind = LineKind.code;
  while (scan.at < end && bytes[scan.at] !== CLOSE) {
    const before = scan.at;
    if (bytes[scan.at] === NEWLINE || bytes[scan.at] === RETURN) endShellLine(context);
    else if (bytes[scan.at] === BACKSLASH && bytes[scan.at + 1] === NEWLINE)
      scan.at = scan.crossLine(scan.at + 1);
    else readWordParts(context);
    if (scan.at === before) scan.at += 1;
    scan.kind = LineKind.code;
  }
  if (text(scan, start).trim() !== "*") scan.decisions += 1;
  scan.at += 1;
}

/** `[[ … ]]`: its `&&` and `||` are operators of a condition. */
function readTest(context: ShellContext): void {
  const { scan } = context;
  const { bytes, end } = scan;
  while (scan.at < end) {
    const byte = bytes[scan.at] as number;
    if (byte === 0x5d && bytes[scan.at + 1] === 0x5d && (bytes[scan.at - 1] as number) <= 0x20) {
      scan.at += 2;
      return;
    }
    const before = scan.at;
    if (byte === NEWLINE || byte === RETURN) endShellLine(context);
    else if (byte <= 0x20 || byte === OPEN || byte === CLOSE) scan.at += 1;
    else if ((byte === 0x26 || byte === 0x7c) && bytes[scan.at + 1] === byte) {
      scan.decisions += 1;
      scan.at += 2;
    } else if (byte === BACKSLASH && bytes[scan.at + 1] === NEWLINE) scan.at = scan.crossLine(scan.at + 1);
    else readWordParts(context);
    if (scan.at === before) scan.at += 1;
    scan.kind = LineKind.code;
  }
}

/** `<<WORD`, `<<-'WORD'` */
function announceHeredoc(context: ShellContext): boolean {
  const { scan } = context;
  const { bytes } = scan;
  scan.at += 2;
  const tabs = bytes[scan.at] === 0x2d;
  if (tabs) scan.at += 1;
  while (bytes[scan.at] === 0x20) scan.at += 1;
  const start = scan.at;
  readWordParts(context);
  const word = text(scan, start);
  const label = word.replace(/["'\\]/g, "");
  if (label !== "") context.heredocs.push({ label, tabs, quoted: label !== word });
  return false;
}

/** To the next word, over lines and comments; false at the end. */
function skipBlanks(context: ShellContext): boolean {
  const { scan } = context;
  const { bytes, end } = scan;
  while (scan.at < end) {
    const byte = bytes[scan.at] as number;
    if (byte === NEWLINE || byte === RETURN) endShellLine(context);
    else if (byte === 0x23) skipComment(scan);
    else if (byte <= 0x20) scan.at += 1;
    else if (byte === BACKSLASH && bytes[scan.at + 1] === NEWLINE) scan.at = scan.crossLine(scan.at + 1);
    else {
      scan.kind = LineKind.code;
      return true;
    }
  }
  return false;
}

function skipComment(scan: Scan): void {
  if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  while (scan.at < scan.end && scan.bytes[scan.at] !== NEWLINE && scan.bytes[scan.at] !== RETURN)
    scan.at += 1;
}

/** `NAME=value command`: a command still begins behind it. */
function isAssignment(scan: Scan, start: number): boolean {
  for (let at = start; at < scan.at; at += 1) {
    const byte = scan.bytes[at] as number;
    if (byte === 0x3d) return at > start;
    if (scan.lexicon.wordBytes[byte] === 0 && byte !== 0x2b && byte !== 0x5b && byte !== 0x5d) return false;
  }
  return false;
}

function wordIs(scan: Scan, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i += 1) if (scan.bytes[at + i] !== word.charCodeAt(i)) return false;
  return scan.lexicon.wordBytes[scan.bytes[at + word.length] as number] === 0;
}

function text(scan: Scan, start: number): string {
  return Buffer.from(scan.bytes.subarray(start, Math.min(scan.at, start + 200))).toString("latin1");
}
