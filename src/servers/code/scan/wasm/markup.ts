/**
 * JSX: tags and the text between them. Text is no code, however many quotes and keywords stand in it; what
 * stands in braces is code again. Something that only looked like an element (a type parameter) never ends;
 * then the file is read again from there as plain code.
 * Tags and text follow each other in one loop and not by calls: a page may have thousands of them.
 */
import { FILE_AT, KINDS_AT, MAX_DEPTH } from "../tables.ts";
import { byteAt, isText, isWordByte, matches } from "./memory.ts";
import { Bracket, Closer, LineKind, NOWHERE, Previous, scan } from "./state.ts";

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const BRACE = 0x7b;
const MAX_REWINDS = 8;

/** What is read next. */
enum Part {
  tag,
  children,
  /** Code: the markup ends or is interrupted here. */
  none,
}

/** At `<` where an operand may stand. False when this is no element. */
export function scanElement(): bool {
  const at = scan.at;
  if (scan.previous !== Previous.expects || scan.notMarkup === at) return false;
  const next = byteAt(at + 1);
  if (next !== GREATER && !isLetter(next)) return false;
  if (isTypeParameter(at + 1)) return false;
  scan.kind = LineKind.code;
  if (!inElement()) scan.saveCheckpoint();
  scan.at = at + 1;
  readTag();
  return true;
}

/** Reads on from behind `<`, or from behind the code of an attribute. */
export function readTag(): void {
  readParts(Part.tag);
}

/** Reads on from behind code between tags. */
export function readChildren(): void {
  readParts(Part.children);
}

function readParts(part: i32): void {
  while (part !== Part.none) part = part === Part.tag ? tagPart() : childrenPart();
}

/** To the end of the tag. */
function tagPart(): i32 {
  const end = scan.end;
  let at = scan.at;
  while (at < end) {
    const byte = byteAt(at);
    if (byte === 0x0a || byte === 0x0d) {
      at = scan.crossLine(at);
    } else if (byte <= 0x20) {
      at += 1;
    } else if (byte === 0x22 || byte === 0x27) {
      scan.kind = LineKind.code;
      at = readAttribute(at);
    } else if (byte === BRACE) {
      return enterCode(at, Bracket.tagCode);
    } else if (byte === SLASH && byteAt(at + 1) === GREATER) {
      scan.kind = LineKind.code;
      scan.at = at + 2;
      return afterElement();
    } else if (byte === SLASH && (byteAt(at + 1) === SLASH || byteAt(at + 1) === 0x2a)) {
      at = readTagComment(at);
    } else if (byte === GREATER && byteAt(at - 1) !== 0x3d) {
      scan.kind = LineKind.code;
      scan.at = at + 1;
      scan.push(Bracket.element, Closer.none, 0);
      return Part.children;
    } else {
      scan.kind = LineKind.code;
      at += 1;
    }
  }
  scan.at = at;
  return Part.none;
}

function readAttribute(at: i32): i32 {
  const end = scan.end;
  const quote = byteAt(at);
  at += 1;
  while (at < end) {
    const byte = byteAt(at);
    if (byte === quote) return at + 1;
    if (byte === 0x0a || byte === 0x0d) {
      at = scan.crossLine(at);
      scan.kind = LineKind.code;
    } else at += 1;
  }
  return at;
}

function readTagComment(at: i32): i32 {
  const end = scan.end;
  const line = byteAt(at + 1) === SLASH;
  if (scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  for (at += 2; at < end; at += 1) {
    const byte = byteAt(at);
    if (byte === 0x0a || byte === 0x0d) {
      if (line) return at;
      at = scan.crossLine(at) - 1;
    } else if (!line && byte === 0x2a && byteAt(at + 1) === SLASH) return at + 2;
    else if (byte > 0x20 && scan.kind === LineKind.blank) scan.kind = LineKind.comment;
  }
  return at;
}

/** The brace at `at` begins code; what closes it comes back to the markup. */
function enterCode(at: i32, bracket: i32): i32 {
  scan.kind = LineKind.code;
  scan.at = at + 1;
  scan.push(bracket, Closer.brace, 0);
  scan.afterOperator();
  return Part.none;
}

/** Text, until a tag or code. */
function childrenPart(): i32 {
  const end = scan.end;
  let at = scan.at;
  while (at < end) {
    const byte = byteAt(at);
    if (byte === 0x0a || byte === 0x0d) {
      at = scan.crossLine(at);
    } else if (byte === LESS) {
      scan.kind = LineKind.code;
      scan.at = at + 1;
      return byteAt(at + 1) === SLASH ? endTag() : Part.tag;
    } else if (byte === BRACE) {
      return enterCode(at, Bracket.childCode);
    } else {
      if (byte > 0x20) scan.kind = LineKind.code;
      at += 1;
    }
  }
  scan.at = at;
  return Part.none;
}

function endTag(): i32 {
  const end = scan.end;
  let at = scan.at;
  while (at < end && byteAt(at) !== GREATER) {
    if (byteAt(at) === 0x0a || byteAt(at) === 0x0d) at = scan.crossLine(at);
    else {
      at += 1;
      scan.kind = LineKind.code;
    }
  }
  scan.kind = LineKind.code;
  scan.at = min(end, at + 1);
  if (scan.depth > 0 && scan.top() === Bracket.element) scan.drop();
  return afterElement();
}

function afterElement(): i32 {
  if (scan.depth > 0 && scan.top() === Bracket.element) return Part.children;
  if (!inElement()) scan.savedAt = NOWHERE;
  scan.afterOperand();
  return Part.none;
}

function inElement(): bool {
  for (let i = min(scan.depth, MAX_DEPTH) - 1; i >= 0; i -= 1) {
    const kind: i32 = load<u8>(i, KINDS_AT);
    if (kind === Bracket.element || kind === Bracket.tagCode || kind === Bracket.childCode) return true;
  }
  return false;
}

/** At the end of the file inside an element: go back to where it began and read it as code. */
export function rewindMarkup(): bool {
  if (scan.savedAt < FILE_AT || scan.rewinds >= MAX_REWINDS) return false;
  scan.restoreCheckpoint();
  return true;
}

/** `<T,>`, `<T extends U>`, `<T>(` without an end tag: parameters of a generic function. */
function isTypeParameter(at: i32): bool {
  const start = at;
  while (isWordByte(byteAt(at))) at += 1;
  if (at === start) return false;
  let next = at;
  while (byteAt(next) === 0x20) next += 1;
  if (byteAt(next) === 0x2c || byteAt(next) === 0x3d) return true;
  if (next > at && isText(next, "extends ")) return byteAt(next + 8) !== 0x3d;
  if (byteAt(next) !== GREATER || byteAt(next + 1) !== 0x28) return false;
  return !hasEndTag(next, start, at - start);
}

/** Whether `</name` stands anywhere behind `at`. */
function hasEndTag(at: i32, name: i32, length: i32): bool {
  const end = scan.end;
  for (; at < end && scan.mayLook(); at += 1) {
    if (byteAt(at) === LESS && byteAt(at + 1) === SLASH && matches(at + 2, name, length)) return true;
  }
  return false;
}

function isLetter(byte: i32): bool {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || byte === 0x5f || byte === 0x24 || byte >= 0x80;
}
