/** Shell words: quotes, `$(…)`, `${…}`, `$((…))`, arrays, and here-documents, which all contain each other. */
import { LineKind, type Scan } from "./state.ts";

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

/** `$#`, `$$`, `$?` … */
const SPECIAL_PARAMETERS = Buffer.from("#$?!@*-");

export interface ShellContext {
  readonly scan: Scan;
  nesting: number;
  /** How many backquotes are open: inside, another one closes. */
  backquoted: number;
  readonly heredocs: { readonly label: string; readonly tabs: boolean; readonly quoted: boolean }[];
  readonly readCommands: (context: ShellContext, until: number) => void;
}

/** Reads one word. False when something in it was quoted or substituted. */
export function readWordParts(context: ShellContext): boolean {
  const { scan } = context;
  const { bytes, end } = scan;
  let plain = true;
  while (scan.at < end) {
    const byte = bytes[scan.at] as number;
    if (byte <= 0x20 || byte === 0x3b || byte === 0x26 || byte === 0x7c || byte === CLOSE) break;
    if (byte === 0x3c || byte === 0x3e) {
      // `<(command)` is a word; other redirections end it.
      if (bytes[scan.at + 1] !== OPEN) break;
      scan.at += 2;
      readUntil(context, CLOSE, context.readCommands);
      plain = false;
    } else if (byte === OPEN) {
      if (!readWordParenthesis(context)) break;
      plain = false;
    } else if (byte === BACKQUOTE && context.backquoted > 0) break;
    else if (
      byte === QUOTE ||
      byte === APOSTROPHE ||
      byte === DOLLAR ||
      byte === BACKQUOTE ||
      byte === BACKSLASH
    ) {
      plain = false;
      readQuoted(context, byte, false);
    } else scan.at += 1;
  }
  return plain;
}

/** `array=(…)` and `@(a|b)`; false when the parenthesis does not belong to the word. */
function readWordParenthesis(context: ShellContext): boolean {
  const { scan } = context;
  const before = scan.bytes[scan.at - 1];
  const array = before === 0x3d;
  const glob = before === 0x40 || before === 0x3f || before === 0x2a || before === 0x2b || before === 0x21;
  if (!array && !glob) return false;
  scan.at += 1;
  readUntil(context, CLOSE, readGroup);
  return true;
}

/** Words in parentheses that are no commands. */
function readGroup(context: ShellContext, until: number): void {
  const { scan } = context;
  const { bytes, end } = scan;
  while (scan.at < end && bytes[scan.at] !== until) {
    const before = scan.at;
    const byte = bytes[scan.at] as number;
    if (byte === NEWLINE || byte === RETURN) endShellLine(context);
    else if (byte === 0x23 && (bytes[scan.at - 1] as number) <= 0x20) skipLine(scan);
    else if (byte > 0x20) {
      scan.kind = LineKind.code;
      readWordParts(context);
    }
    if (scan.at === before) scan.at += 1;
  }
}

/** At a quote, a `$`, a backquote or a backslash: reads what it begins. */
function readQuoted(context: ShellContext, byte: number, inDouble: boolean): void {
  const { scan } = context;
  const { bytes } = scan;
  const next = bytes[scan.at + 1] as number;
  if (byte === BACKSLASH) {
    scan.at += 1;
    if (next === NEWLINE || next === RETURN) cross(scan);
    else scan.at += 1;
  } else if (byte === QUOTE) {
    scan.at += 1;
    readDouble(context);
  } else if (byte === APOSTROPHE) readSingle(scan, false);
  else if (byte === BACKQUOTE) {
    scan.at += 1;
    context.backquoted += 1;
    readUntil(context, BACKQUOTE, context.readCommands);
    context.backquoted -= 1;
  } else if (next === APOSTROPHE && !inDouble) {
    scan.at += 1;
    readSingle(scan, true);
  } else if (next === OPEN && bytes[scan.at + 2] === OPEN) {
    scan.at += 3;
    readArithmetic(context);
  } else if (next === OPEN) {
    scan.at += 2;
    const { backquoted } = context;
    context.backquoted = 0;
    readUntil(context, CLOSE, context.readCommands);
    context.backquoted = backquoted;
  } else if (next === BRACE) {
    scan.at += 2;
    readParameter(context, inDouble);
  } else scan.at += SPECIAL_PARAMETERS.includes(next) ? 2 : 1;
}

/** Reads with `reader` to the closing sign and over it. */
export function readUntil(
  context: ShellContext,
  close: number,
  reader: (context: ShellContext, until: number) => void,
): void {
  const { scan } = context;
  context.nesting += 1;
  if (context.nesting < MAX_NESTING) reader(context, close);
  if (scan.bytes[scan.at] === close) scan.at += 1;
  context.nesting -= 1;
}

function readDouble(context: ShellContext): void {
  const { scan } = context;
  const { bytes, end } = scan;
  while (scan.at < end) {
    const byte = bytes[scan.at] as number;
    if (byte === QUOTE) {
      scan.at += 1;
      return;
    }
    if (byte === BACKSLASH || byte === DOLLAR || byte === BACKQUOTE) {
      if (byte === BACKQUOTE && context.backquoted > 0) return;
      readQuoted(context, byte, true);
    } else if (byte === NEWLINE || byte === RETURN) cross(scan);
    else scan.at += 1;
  }
}

function readSingle(scan: Scan, escapes: boolean): void {
  const { bytes, end } = scan;
  scan.at += 1;
  while (scan.at < end) {
    const byte = bytes[scan.at] as number;
    if (byte === NEWLINE || byte === RETURN) cross(scan);
    else {
      scan.at += escapes && byte === BACKSLASH ? 2 : 1;
      if (byte === APOSTROPHE) return;
    }
  }
}

/** `${name:-words}` */
function readParameter(context: ShellContext, inDouble: boolean): void {
  const { scan } = context;
  const { bytes, end } = scan;
  while (scan.at < end) {
    const byte = bytes[scan.at] as number;
    if (byte === BRACE_CLOSE) {
      scan.at += 1;
      return;
    }
    if (byte === NEWLINE || byte === RETURN) cross(scan);
    else if (byte === APOSTROPHE && inDouble) scan.at += 1;
    else if (
      byte === QUOTE ||
      byte === APOSTROPHE ||
      byte === DOLLAR ||
      byte === BACKQUOTE ||
      byte === BACKSLASH
    ) {
      if (byte === BACKQUOTE && context.backquoted > 0) return;
      readQuoted(context, byte, inDouble);
    } else scan.at += 1;
  }
}

/** `((…))`: an expression with operators as in C. */
export function readArithmetic(context: ShellContext): void {
  const { scan } = context;
  const { bytes, end } = scan;
  let level = 0;
  while (scan.at < end) {
    const byte = bytes[scan.at] as number;
    if (byte === CLOSE) {
      scan.at += 1;
      if (level === 0) {
        if (bytes[scan.at] === CLOSE) scan.at += 1;
        return;
      }
      level -= 1;
      continue;
    }
    if (byte === OPEN) level += 1;
    if ((byte === 0x26 || byte === 0x7c) && bytes[scan.at + 1] === byte) {
      scan.decisions += 1;
      scan.at += 2;
    } else if (byte === 0x3f) {
      scan.decisions += 1;
      scan.at += 1;
    } else if (byte === NEWLINE || byte === RETURN) cross(scan);
    else if (byte === QUOTE || byte === DOLLAR || byte === BACKQUOTE || byte === BACKSLASH) {
      if (byte === BACKQUOTE && context.backquoted > 0) return;
      readQuoted(context, byte, true);
    } else scan.at += 1;
  }
}

/** A line end inside a text. */
function cross(scan: Scan): void {
  scan.at = scan.crossLine(scan.at);
  const { bytes } = scan;
  let at = scan.at;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1;
  if (at < scan.end && bytes[at] !== NEWLINE && bytes[at] !== RETURN) scan.kind = LineKind.code;
}

/** A line end between commands: the here-documents that were announced on the line follow. */
export function endShellLine(context: ShellContext): void {
  const { scan } = context;
  scan.at = scan.crossLine(scan.at);
  for (const heredoc of context.heredocs.splice(0)) {
    while (scan.at < scan.end) {
      if (isLabel(scan, heredoc.label, heredoc.tabs)) break;
      readHeredocLine(context, heredoc.quoted);
    }
    scan.kind = LineKind.code;
    skipLine(scan);
    if (scan.at < scan.end) scan.at = scan.crossLine(scan.at);
  }
}

function readHeredocLine(context: ShellContext, quoted: boolean): void {
  const { scan } = context;
  const { bytes, end } = scan;
  while (scan.at < end) {
    const byte = bytes[scan.at] as number;
    if (byte === NEWLINE || byte === RETURN) {
      scan.at = scan.crossLine(scan.at);
      return;
    }
    if (byte > 0x20) scan.kind = LineKind.code;
    if (!quoted && (byte === DOLLAR || byte === BACKQUOTE || byte === BACKSLASH)) {
      if (byte === BACKQUOTE && context.backquoted > 0) scan.at += 1;
      else readQuoted(context, byte, true);
    } else scan.at += 1;
  }
}

function isLabel(scan: Scan, label: string, tabs: boolean): boolean {
  const { bytes } = scan;
  let at = scan.at;
  if (tabs) while (bytes[at] === 0x09) at += 1;
  for (let i = 0; i < label.length; i += 1) if (bytes[at + i] !== (label.charCodeAt(i) & 0xff)) return false;
  const after = bytes[at + label.length] as number;
  return after === NEWLINE || after === RETURN || at + label.length >= scan.end;
}

function skipLine(scan: Scan): void {
  while (scan.at < scan.end && scan.bytes[scan.at] !== NEWLINE && scan.bytes[scan.at] !== RETURN)
    scan.at += 1;
}
