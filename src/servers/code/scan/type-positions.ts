/**
 * TypeScript: whether an arrow belongs to the type of a function (`f: (a: string) => void`) and is none itself.
 * Told by what stands before its parameters, with a look back that is bounded; nothing is remembered of types but
 * which braces are their bodies. Where both readings are possible, an arrow is a function.
 */
import { Bracket, type Scan } from "./state.ts";

const LOOK_BACK = 400;
const TYPE_WORDS = ["as", "extends", "keyof", "new", "is", "satisfies"];
const MODIFIERS =
  "let const var private public protected readonly static declare override abstract accessor".split(" ");

/** `scan.at` is on the arrow, and the bracket closed last held its parameters. */
export function isFunctionType(scan: Scan): boolean {
  if (scan.lastByte() !== 0x29 || !isTypePosition(scan, scan.popped)) return false;
  scan.typeArrowAt = scan.at + 1;
  return true;
}

/** Whether what follows the token that ends at `at` is a type. */
export function isTypePosition(scan: Scan, at: number): boolean {
  const { bytes } = scan;
  if (at < 0) return false;
  const byte = bytes[at] as number;
  switch (byte) {
    case 0x3c: // <
      return isWordByte(scan, at - 1);
    case 0x7c: // |
    case 0x26: // &
      return bytes[at - 1] !== byte;
    case 0x3e: // > of an arrow, or of type parameters
      if (bytes[at - 1] === 0x3d) return at === scan.typeArrowAt;
      return isTypePosition(scan, before(scan, openingAngle(scan, at)));
    case 0x28: // (
      return isTypePosition(scan, before(scan, at));
    case 0x2c: // ,
      return isWordByte(scan, openingAngle(scan, at) - 1);
    case 0x3d: // =
      return isTypeAlias(scan, at);
    case 0x3f: // ?
      return scan.conditionals.includes(at);
    case 0x3a: // :
      return isTypeColon(scan, at);
    default:
      return isWordByte(scan, at) && endsWithAny(scan, TYPE_WORDS, at);
  }
}

/** `name?:`, `(name:`, `private name:`, `):`, a member of a type; not a key of an object, nor a condition's other half. */
function isTypeColon(scan: Scan, colon: number): boolean {
  const { bytes } = scan;
  const end = before(scan, colon);
  if (end < 0) return false;
  const last = bytes[end];
  if (last === 0x3f || last === 0x21 || last === 0x29) return true;
  if (last === 0x5d) return isIndexSignature(scan, end);
  if (!isWordByte(scan, end)) return false;
  const previous = before(scan, wordStart(scan, end));
  if (previous < 0) return false;
  if (isWordByte(scan, previous)) return endsWithAny(scan, MODIFIERS, previous);
  switch (bytes[previous]) {
    case 0x3b: // ;
    case 0x7d: // }
    case 0x28: // (
    case 0x29: // ) of a decorator
      return true;
    case 0x7b: // {
    case 0x2c: // ,
      return isParameterList(scan) || isTypeBody(scan);
    default:
      return false;
  }
}

/** `[key: string]`, and not the computed key of an object. */
function isIndexSignature({ bytes }: Scan, end: number): boolean {
  const lowest = Math.max(0, end - LOOK_BACK);
  for (let i = end - 1; i >= lowest; i -= 1) {
    if (bytes[i] === 0x3a) return true;
    if (bytes[i] === 0x5b || bytes[i] === 0x5d) return false;
  }
  return false;
}

function isParameterList(scan: Scan): boolean {
  const top = scan.top();
  return top === Bracket.call || top === Bracket.parenthesis;
}

function isTypeBody(scan: Scan): boolean {
  return scan.depth > 0 && scan.top() === Bracket.brace && scan.values[scan.depth - 1] === 1;
}

/** `type Name =`, `type Name<T> =`. */
function isTypeAlias(scan: Scan, equals: number): boolean {
  let at = before(scan, equals);
  if (at >= 0 && scan.bytes[at] === 0x3e) at = before(scan, openingAngle(scan, at));
  if (at < 0 || !isWordByte(scan, at)) return false;
  const previous = before(scan, wordStart(scan, at));
  return previous >= 0 && scan.endsWith("type", previous);
}

/** The `<` that is open at `at`, or that the `>` there closes; -1 when another bracket comes first. */
function openingAngle({ bytes }: Scan, at: number): number {
  let level = 0;
  let angles = 0;
  const lowest = Math.max(0, at - LOOK_BACK);
  for (let i = at - 1; i >= lowest; i -= 1) {
    const byte = bytes[i];
    if (byte === 0x29 || byte === 0x5d || byte === 0x7d) level += 1;
    else if (byte === 0x28 || byte === 0x5b || byte === 0x7b) {
      level -= 1;
      if (level < 0) return -1;
    } else if (level > 0) continue;
    else if (byte === 0x3b) return -1;
    else if (byte === 0x3e && bytes[i - 1] !== 0x3d) angles += 1;
    else if (byte === 0x3c) {
      if (angles === 0) return i;
      angles -= 1;
    }
  }
  return -1;
}

/** The last byte of what stands before `at`, past white space and a comment; -1 when there is nothing. */
function before({ bytes }: Scan, at: number): number {
  let i = at - 1;
  while (i >= 0 && (bytes[i] as number) <= 0x20) i -= 1;
  if (i < 3 || bytes[i] !== 0x2f || bytes[i - 1] !== 0x2a) return i;
  for (i -= 2; i > 0; i -= 1) if (bytes[i] === 0x2a && bytes[i - 1] === 0x2f) break;
  i -= 2;
  while (i >= 0 && (bytes[i] as number) <= 0x20) i -= 1;
  return i;
}

function isWordByte({ bytes, lexicon }: Scan, at: number): boolean {
  return at >= 0 && lexicon.wordBytes[bytes[at] as number] === 1;
}

function wordStart(scan: Scan, end: number): number {
  let start = end;
  while (isWordByte(scan, start - 1)) start -= 1;
  return start;
}

function endsWithAny(scan: Scan, words: readonly string[], at: number): boolean {
  for (const word of words) if (scan.endsWith(word, at)) return true;
  return false;
}
