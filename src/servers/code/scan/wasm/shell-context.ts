/** What a reader of shell scripts remembers besides the scan: how deep it is, and the here-documents of the line. */
import { HEREDOCS_AT, SHELL_AT } from "../tables.ts";
import { byteAt } from "./memory.ts";
import { scan } from "./state.ts";

/** Quotes, substitutions and cases that are deeper inside each other are read as words: the stack has an end. */
export const MAX_DESCENT = 1000;
/** Labels longer than this are cut. */
const MAX_TEXT = 200;
/** More here-documents on one line are not waited for: nobody writes them. */
const MOST_HEREDOCS = 1000;
/** Where the label begins and ends as it is written, and whether tabs may precede its end. */
const HEREDOC_BYTES = 12;

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;

export class Shell {
  nesting: i32 = 0;
  /** How many quotes, substitutions and cases are read inside each other. */
  descent: i32 = 0;
  /** How many backquotes are open: inside, another one closes. */
  backquoted: i32 = 0;
  /** Here-documents that wait for the end of their line: from the first to behind the last. */
  firstHeredoc: i32 = 0;
  lastHeredoc: i32 = 0;

  begin(): void {
    this.nesting = this.descent = this.backquoted = 0;
    this.firstHeredoc = this.lastHeredoc = 0;
  }
}

export const shell = changetype<Shell>(SHELL_AT);

/** The end of the text from `start` to here, as far as it is looked at. */
export function textEnd(start: i32): i32 {
  return min(scan.at, start + MAX_TEXT);
}

/** Whether the text from `start` to here is this. */
export function textIs(start: i32, text: string): bool {
  if (textEnd(start) - start !== text.length) return false;
  for (let i = 0; i < text.length; i += 1) if (byteAt(start + i) !== text.charCodeAt(i)) return false;
  return true;
}

/** The word from `start` to here is the label of a here-document, if anything is left of it without its quotes. */
export function rememberHeredoc(start: i32, tabs: bool): void {
  const end = textEnd(start);
  if (labelLength(start, end) === 0 || shell.lastHeredoc === MOST_HEREDOCS) return;
  const heredoc = HEREDOCS_AT + shell.lastHeredoc * HEREDOC_BYTES;
  store<i32>(heredoc, start);
  store<i32>(heredoc, end, 4);
  store<i32>(heredoc, tabs ? 1 : 0, 8);
  shell.lastHeredoc += 1;
}

/** Whether the line at `scan.at` ends this here-document. */
export function isHeredocEnd(heredoc: i32): bool {
  const place = HEREDOCS_AT + heredoc * HEREDOC_BYTES;
  const end = load<i32>(place, 4);
  let at = scan.at;
  if (load<i32>(place, 8) !== 0) while (byteAt(at) === 0x09) at += 1;
  for (let i = load<i32>(place); i < end; i += 1) {
    const byte = byteAt(i);
    if (isQuote(byte)) continue;
    if (byteAt(at) !== byte) return false;
    at += 1;
  }
  const after = byteAt(at);
  return after === 0x0a || after === 0x0d || at >= scan.end;
}

/** A label in quotes: then nothing in the text is substituted. */
export function isHeredocQuoted(heredoc: i32): bool {
  const place = HEREDOCS_AT + heredoc * HEREDOC_BYTES;
  const start = load<i32>(place);
  const end = load<i32>(place, 4);
  return labelLength(start, end) !== end - start;
}

/** Those that came up while others were read take the places that are free again. */
export function moveHeredocs(from: i32, to: i32): void {
  const count = shell.lastHeredoc - from;
  memory.copy(HEREDOCS_AT + to * HEREDOC_BYTES, HEREDOCS_AT + from * HEREDOC_BYTES, count * HEREDOC_BYTES);
  shell.firstHeredoc = to;
  shell.lastHeredoc = to + count;
}

function labelLength(start: i32, end: i32): i32 {
  let length = 0;
  for (let i = start; i < end; i += 1) if (!isQuote(byteAt(i))) length += 1;
  return length;
}

function isQuote(byte: i32): bool {
  return byte === QUOTE || byte === APOSTROPHE || byte === BACKSLASH;
}
