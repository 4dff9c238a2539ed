/**
 * JSX: tags and the text between them. Text is no code, however many quotes and keywords stand in it; what
 * stands in braces is code again. Something that only looked like an element (a type parameter) never ends;
 * then the file is read again from there as plain code.
 */
import { Bracket, Closer, LineKind, Previous, type Scan } from "./state.ts";

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const BRACE = 0x7b;
const MAX_REWINDS = 8;

/** At `<` where an operand may stand. False when this is no element. */
export function scanElement(scan: Scan): boolean {
  const { bytes, at } = scan;
  if (scan.previous !== Previous.expects || scan.notMarkup === at) return false;
  const next = bytes[at + 1] as number;
  if (next !== GREATER && !isLetter(next)) return false;
  if (isTypeParameter(scan, at + 1)) return false;
  scan.kind = LineKind.code;
  if (!inElement(scan)) scan.saveCheckpoint();
  scan.at = at + 1;
  readTag(scan);
  return true;
}

/** After the brace that ended code in a tag or between tags. */
export function resumeMarkup(scan: Scan, kind: number): void {
  if (kind === Bracket.tagCode) readTag(scan);
  else readChildren(scan);
}

/** Reads from behind `<` (or behind an attribute's code) to the end of the tag. */
function readTag(scan: Scan): void {
  const { bytes, end } = scan;
  let at = scan.at;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === 0x0a || byte === 0x0d) {
      at = scan.crossLine(at);
    } else if (byte === 0 && at >= end) {
      scan.at = at;
      return;
    } else if (byte <= 0x20) {
      at += 1;
    } else if (byte === 0x22 || byte === 0x27) {
      scan.kind = LineKind.code;
      at = readAttribute(scan, at);
    } else if (byte === BRACE) {
      scan.kind = LineKind.code;
      scan.at = at + 1;
      scan.push(Bracket.tagCode, Closer.brace);
      return scan.afterOperator();
    } else if (byte === SLASH && bytes[at + 1] === GREATER) {
      scan.kind = LineKind.code;
      scan.at = at + 2;
      return afterElement(scan);
    } else if (byte === SLASH && (bytes[at + 1] === SLASH || bytes[at + 1] === 0x2a)) {
      at = readTagComment(scan, at);
    } else if (byte === GREATER && bytes[at - 1] !== 0x3d) {
      scan.kind = LineKind.code;
      scan.at = at + 1;
      scan.push(Bracket.element, 0);
      return readChildren(scan);
    } else {
      scan.kind = LineKind.code;
      at += 1;
    }
  }
}

function readAttribute(scan: Scan, at: number): number {
  const { bytes, end } = scan;
  const quote = bytes[at] as number;
  at += 1;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === quote) return at + 1;
    if (byte === 0x0a || byte === 0x0d) {
      at = scan.crossLine(at);
      scan.kind = LineKind.code;
    } else if (byte === 0 && at >= end) return at;
    else at += 1;
  }
}

function readTagComment(scan: Scan, at: number): number {
  const { bytes, end } = scan;
  const line = bytes[at + 1] === SLASH;
  if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  for (at += 2; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === 0x0a || byte === 0x0d) {
      if (line) return at;
      at = scan.crossLine(at) - 1;
    } else if (!line && byte === 0x2a && bytes[at + 1] === SLASH) return at + 2;
    else if (byte > 0x20 && scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  }
  return at;
}

/** Text, until a tag or code. */
function readChildren(scan: Scan): void {
  const { bytes, end } = scan;
  let at = scan.at;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === 0x0a || byte === 0x0d) {
      at = scan.crossLine(at);
    } else if (byte === 0 && at >= end) {
      scan.at = at;
      return;
    } else if (byte === LESS) {
      scan.kind = LineKind.code;
      scan.at = at + 1;
      return bytes[at + 1] === SLASH ? readEndTag(scan) : readTag(scan);
    } else if (byte === BRACE) {
      scan.kind = LineKind.code;
      scan.at = at + 1;
      scan.push(Bracket.childCode, Closer.brace);
      return scan.afterOperator();
    } else {
      if (byte > 0x20) scan.kind = LineKind.code;
      at += 1;
    }
  }
}

function readEndTag(scan: Scan): void {
  const { bytes, end } = scan;
  let at = scan.at;
  while (at < end && bytes[at] !== GREATER) {
    if (bytes[at] === 0x0a || bytes[at] === 0x0d) at = scan.crossLine(at);
    else {
      at += 1;
      scan.kind = LineKind.code;
    }
  }
  scan.kind = LineKind.code;
  scan.at = Math.min(end, at + 1);
  if (scan.depth > 0 && scan.top() === Bracket.element) scan.drop();
  afterElement(scan);
}

function afterElement(scan: Scan): void {
  if (scan.depth > 0 && scan.top() === Bracket.element) return readChildren(scan);
  if (!inElement(scan)) scan.checkpoint = undefined;
  scan.afterOperand();
}

function inElement(scan: Scan): boolean {
  for (let i = Math.min(scan.depth, scan.kinds.length) - 1; i >= 0; i -= 1) {
    const kind = scan.kinds[i];
    if (kind === Bracket.element || kind === Bracket.tagCode || kind === Bracket.childCode) return true;
  }
  return false;
}

/** At the end of the file inside an element: go back to where it began and read it as code. */
export function rewindMarkup(scan: Scan): boolean {
  const { checkpoint } = scan;
  if (!checkpoint || scan.rewinds >= MAX_REWINDS) return false;
  scan.restoreCheckpoint(checkpoint);
  return true;
}

/** `<T,>`, `<T extends U>`, `<T>(` without an end tag: parameters of a generic function. */
function isTypeParameter(scan: Scan, at: number): boolean {
  const { bytes, lexicon } = scan;
  const start = at;
  while (lexicon.wordBytes[bytes[at] as number] === 1) at += 1;
  const name = Buffer.from(bytes.subarray(start, at)).toString("latin1");
  if (name === "") return false;
  let next = at;
  while (bytes[next] === 0x20) next += 1;
  if (bytes[next] === 0x2c || bytes[next] === 0x3d) return true;
  const word = Buffer.from(bytes.subarray(next, next + 8)).toString("latin1");
  if (word === "extends " && next > at) return bytes[next + 8] !== 0x3d;
  if (bytes[next] !== GREATER || bytes[next + 1] !== 0x28) return false;
  const rest = Buffer.from(bytes.buffer, bytes.byteOffset, scan.end);
  return rest.indexOf(`</${name}`, next) < 0;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || byte === 0x5f || byte === 0x24 || byte >= 0x80;
}
