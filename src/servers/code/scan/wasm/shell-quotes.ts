/** Shell words: quotes, `$(…)`, `${…}`, `$((…))`, arrays, and here-documents, which all contain each other. */
import { byteAt } from "./memory.ts";
import { isHeredocEnd, isHeredocQuoted, MAX_DESCENT, moveHeredocs, shell } from "./shell-context.ts";
import { LineKind, scan } from "./state.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const DOLLAR = 0x24;
const OPEN = 0x28;
const CLOSE = 0x29;
const BRACE = 0x7b;
const BRACE_CLOSE = 0x7d;
const BACKQUOTE = 0x60;
const BACKSLASH = 0x5c;
/** Deeper substitutions are passed over as text: no script has them, and the stack has an end. */
const MAX_NESTING = 200;

type Reader = (until: i32) => void;

/** How commands are read; shell.ts says it, which knows this file. */
let commandReader: i32 = 0;

export function readCommandsBy(reader: Reader): void {
  commandReader = changetype<i32>(reader);
}

/** Reads one word. False when something in it was quoted or substituted. */
export function readWordParts(): bool {
  const end = scan.end;
  let plain = true;
  while (scan.at < end) {
    const byte = byteAt(scan.at);
    if (byte <= 0x20 || byte === 0x3b || byte === 0x26 || byte === 0x7c || byte === CLOSE) break;
    if (byte === 0x3c || byte === 0x3e) {
      // `<(command)` is a word; other redirections end it.
      if (byteAt(scan.at + 1) !== OPEN) break;
      scan.at += 2;
      readCommandsUntil(CLOSE);
      plain = false;
    } else if (byte === OPEN) {
      if (!readWordParenthesis()) break;
      plain = false;
    } else if (byte === BACKQUOTE && shell.backquoted > 0) break;
    else if (beginsQuoted(byte)) {
      plain = false;
      readQuoted(byte, false);
    } else scan.at += 1;
  }
  return plain;
}

/** `array=(…)` and `@(a|b)`; false when the parenthesis does not belong to the word. */
function readWordParenthesis(): bool {
  const before = byteAt(scan.at - 1);
  const array = before === 0x3d;
  const glob = before === 0x40 || before === 0x3f || before === 0x2a || before === 0x2b || before === 0x21;
  if (!array && !glob) return false;
  scan.at += 1;
  readUntil(CLOSE, readGroup);
  return true;
}

/** Words in parentheses that are no commands. */
function readGroup(until: i32): void {
  const end = scan.end;
  while (scan.at < end && byteAt(scan.at) !== until) {
    const before = scan.at;
    const byte = byteAt(scan.at);
    if (byte === NEWLINE || byte === RETURN) endShellLine();
    else if (byte === 0x23 && byteAt(scan.at - 1) <= 0x20) skipLine();
    else if (byte > 0x20) {
      scan.kind = LineKind.code;
      readWordParts();
    }
    if (scan.at === before) scan.at += 1;
  }
}

/** At a quote, a `$`, a backquote or a backslash: reads what it begins. */
function readQuoted(byte: i32, inDouble: bool): void {
  if (shell.descent >= MAX_DESCENT) {
    scan.at += 1;
    return;
  }
  shell.descent += 1;
  readQuotedHere(byte, inDouble);
  shell.descent -= 1;
}

function readQuotedHere(byte: i32, inDouble: bool): void {
  const next = byteAt(scan.at + 1);
  if (byte === BACKSLASH) {
    scan.at += 1;
    if (next === NEWLINE || next === RETURN) cross();
    else scan.at += 1;
  } else if (byte === QUOTE) {
    scan.at += 1;
    readDouble();
  } else if (byte === APOSTROPHE) readSingle(false);
  else if (byte === BACKQUOTE) {
    scan.at += 1;
    shell.backquoted += 1;
    readCommandsUntil(BACKQUOTE);
    shell.backquoted -= 1;
  } else if (next === APOSTROPHE && !inDouble) {
    scan.at += 1;
    readSingle(true);
  } else if (next === OPEN && byteAt(scan.at + 2) === OPEN) {
    scan.at += 3;
    readArithmetic();
  } else if (next === OPEN) {
    scan.at += 2;
    const backquoted = shell.backquoted;
    shell.backquoted = 0;
    readCommandsUntil(CLOSE);
    shell.backquoted = backquoted;
  } else if (next === BRACE) {
    scan.at += 2;
    readParameter(inDouble);
  } else scan.at += isSpecialParameter(next) ? 2 : 1;
}

/** `$#`, `$$`, `$?` … */
function isSpecialParameter(byte: i32): bool {
  return (
    byte === 0x23 ||
    byte === DOLLAR ||
    byte === 0x3f ||
    byte === 0x21 ||
    byte === 0x40 ||
    byte === 0x2a ||
    byte === 0x2d
  );
}

export function readCommandsUntil(close: i32): void {
  readUntil(close, changetype<Reader>(commandReader));
}

/** Reads with `reader` to the closing sign and over it. */
function readUntil(close: i32, reader: Reader): void {
  shell.nesting += 1;
  if (shell.nesting < MAX_NESTING) reader(close);
  if (byteAt(scan.at) === close) scan.at += 1;
  shell.nesting -= 1;
}

function readDouble(): void {
  const end = scan.end;
  while (scan.at < end) {
    const byte = byteAt(scan.at);
    if (byte === QUOTE) {
      scan.at += 1;
      return;
    }
    if (byte === BACKSLASH || byte === DOLLAR || byte === BACKQUOTE) {
      if (byte === BACKQUOTE && shell.backquoted > 0) return;
      readQuoted(byte, true);
    } else if (byte === NEWLINE || byte === RETURN) cross();
    else scan.at += 1;
  }
}

function readSingle(escapes: bool): void {
  const end = scan.end;
  scan.at += 1;
  while (scan.at < end) {
    const byte = byteAt(scan.at);
    if (byte === NEWLINE || byte === RETURN) cross();
    else {
      scan.at += escapes && byte === BACKSLASH ? 2 : 1;
      if (byte === APOSTROPHE) return;
    }
  }
}

/** `${name:-words}` */
function readParameter(inDouble: bool): void {
  const end = scan.end;
  while (scan.at < end) {
    const byte = byteAt(scan.at);
    if (byte === BRACE_CLOSE) {
      scan.at += 1;
      return;
    }
    if (byte === NEWLINE || byte === RETURN) cross();
    else if (byte === APOSTROPHE && inDouble) scan.at += 1;
    else if (beginsQuoted(byte)) {
      if (byte === BACKQUOTE && shell.backquoted > 0) return;
      readQuoted(byte, inDouble);
    } else scan.at += 1;
  }
}

/** `((…))`: an expression with operators as in C. */
export function readArithmetic(): void {
  const end = scan.end;
  let level = 0;
  while (scan.at < end) {
    const byte = byteAt(scan.at);
    if (byte === CLOSE) {
      scan.at += 1;
      if (level === 0) {
        if (byteAt(scan.at) === CLOSE) scan.at += 1;
        return;
      }
      level -= 1;
      continue;
    }
    if (byte === OPEN) level += 1;
    if ((byte === 0x26 || byte === 0x7c) && byteAt(scan.at + 1) === byte) {
      scan.decisions += 1;
      scan.at += 2;
    } else if (byte === 0x3f) {
      scan.decisions += 1;
      scan.at += 1;
    } else if (byte === NEWLINE || byte === RETURN) cross();
    else if (byte === QUOTE || byte === DOLLAR || byte === BACKQUOTE || byte === BACKSLASH) {
      if (byte === BACKQUOTE && shell.backquoted > 0) return;
      readQuoted(byte, true);
    } else scan.at += 1;
  }
}

/** A line end inside a text. */
function cross(): void {
  scan.at = scan.crossLine(scan.at);
  let at = scan.at;
  while (byteAt(at) === 0x20 || byteAt(at) === 0x09) at += 1;
  if (at < scan.end && byteAt(at) !== NEWLINE && byteAt(at) !== RETURN) scan.kind = LineKind.code;
}

/** A line end between commands: the here-documents that were announced on the line follow. */
export function endShellLine(): void {
  scan.at = scan.crossLine(scan.at);
  const first = shell.firstHeredoc;
  const last = shell.lastHeredoc;
  if (first === last) return;
  // A text may contain commands, and these announce others.
  shell.firstHeredoc = last;
  for (let heredoc = first; heredoc < last; heredoc += 1) {
    const quoted = isHeredocQuoted(heredoc);
    while (scan.at < scan.end && !isHeredocEnd(heredoc)) readHeredocLine(quoted);
    scan.kind = LineKind.code;
    skipLine();
    if (scan.at < scan.end) scan.at = scan.crossLine(scan.at);
  }
  moveHeredocs(last, first);
}

function readHeredocLine(quoted: bool): void {
  const end = scan.end;
  while (scan.at < end) {
    const byte = byteAt(scan.at);
    if (byte === NEWLINE || byte === RETURN) {
      scan.at = scan.crossLine(scan.at);
      return;
    }
    if (byte > 0x20) scan.kind = LineKind.code;
    if (!quoted && (byte === DOLLAR || byte === BACKQUOTE || byte === BACKSLASH)) {
      if (byte === BACKQUOTE && shell.backquoted > 0) scan.at += 1;
      else readQuoted(byte, true);
    } else scan.at += 1;
  }
}

function skipLine(): void {
  while (scan.at < scan.end && byteAt(scan.at) !== NEWLINE && byteAt(scan.at) !== RETURN) scan.at += 1;
}

/** Quotes, escapes, and what is replaced by something else. */
function beginsQuoted(byte: i32): bool {
  return byte === QUOTE || byte === APOSTROPHE || byte === DOLLAR || byte === BACKQUOTE || byte === BACKSLASH;
}
