/**
 * TypeScript: whether an arrow belongs to the type of a function (`f: (a: string) => void`) and is none itself.
 * Told by what stands before its parameters, with a look back that is bounded; nothing is remembered of types but
 * which braces are their bodies. Where both readings are possible, an arrow is a function.
 */
import { FILE_AT } from "../tables.ts";
import { byteAt, isWordByte } from "./memory.ts";
import { isConditionalType } from "./questions.ts";
import { Bracket, scan } from "./state.ts";

const LOOK_BACK = 400;

/** `scan.at` is on the arrow, and the bracket closed last held its parameters. */
export function isFunctionType(): bool {
  if (scan.lastByte() !== 0x29 || !isTypePosition(FILE_AT + scan.popped)) return false;
  scan.typeArrowAt = scan.at + 1;
  return true;
}

/** Whether what follows the token that ends at `at` is a type. */
export function isTypePosition(at: i32): bool {
  while (at >= FILE_AT) {
    const byte = byteAt(at);
    switch (byte) {
      case 0x3c: // <
        return endsWord(at - 1);
      case 0x7c: // |
      case 0x26: // &
        return byteAt(at - 1) !== byte;
      case 0x3e: // > of an arrow, or of type parameters
        if (byteAt(at - 1) === 0x3d) return at === scan.typeArrowAt;
        at = before(openingAngle(at));
        break;
      case 0x28: // (
        at = before(at);
        break;
      case 0x2c: // ,
        return endsWord(openingAngle(at) - 1);
      case 0x3d: // =
        return isTypeAlias(at);
      case 0x3f: // ?
        return isConditionalType(at);
      case 0x3a: // :
        return isTypeColon(at);
      default:
        return endsWord(at) && endsWithTypeWord(at);
    }
  }
  return false;
}

/** `name?:`, `(name:`, `private name:`, `):`, a member of a type; not a key of an object, nor a condition's other half. */
function isTypeColon(colon: i32): bool {
  const end = before(colon);
  if (end < FILE_AT) return false;
  const last = byteAt(end);
  if (last === 0x3f || last === 0x21 || last === 0x29) return true;
  if (last === 0x5d) return isIndexSignature(end);
  if (!endsWord(end)) return false;
  const previous = before(wordStart(end));
  if (previous < FILE_AT) return false;
  if (endsWord(previous)) return endsWithModifier(previous);
  switch (byteAt(previous)) {
    case 0x3b: // ;
    case 0x7d: // }
    case 0x28: // (
    case 0x29: // ) of a decorator
      return true;
    case 0x7b: // {
    case 0x2c: // ,
      return isParameterList() || isTypeBody();
    default:
      return false;
  }
}

/** `[key: string]`, and not the computed key of an object. */
function isIndexSignature(end: i32): bool {
  const lowest = max(FILE_AT, end - LOOK_BACK);
  for (let i = end - 1; i >= lowest; i -= 1) {
    const byte = byteAt(i);
    if (byte === 0x3a) return true;
    if (byte === 0x5b || byte === 0x5d) return false;
  }
  return false;
}

function isParameterList(): bool {
  const top = scan.top();
  return top === Bracket.call || top === Bracket.parenthesis;
}

function isTypeBody(): bool {
  return scan.depth > 0 && scan.top() === Bracket.brace && scan.topValue() === 1;
}

/** `type Name =`, `type Name<T> =`. */
function isTypeAlias(equals: i32): bool {
  let at = before(equals);
  if (at >= FILE_AT && byteAt(at) === 0x3e) at = before(openingAngle(at));
  if (!endsWord(at)) return false;
  const previous = before(wordStart(at));
  return previous >= FILE_AT && scan.endsWith("type", previous);
}

/** The `<` that is open at `at`, or that the `>` there closes; before the file when another bracket comes first. */
function openingAngle(at: i32): i32 {
  let level = 0;
  let angles = 0;
  const lowest = max(FILE_AT, at - LOOK_BACK);
  for (let i = at - 1; i >= lowest; i -= 1) {
    const byte = byteAt(i);
    // Most bytes are of words, and mean nothing here.
    if (isWordByte(byte)) continue;
    if (byte === 0x29 || byte === 0x5d || byte === 0x7d) level += 1;
    else if (byte === 0x28 || byte === 0x5b || byte === 0x7b) {
      level -= 1;
      if (level < 0) break;
    } else if (level > 0) continue;
    else if (byte === 0x3b) break;
    else if (byte === 0x3e && byteAt(i - 1) !== 0x3d) angles += 1;
    else if (byte === 0x3c) {
      if (angles === 0) return i;
      angles -= 1;
    }
  }
  return FILE_AT - 1;
}

/** The last byte of what stands before `at`, past white space and a comment; before the file when there is nothing. */
function before(at: i32): i32 {
  let i = at - 1;
  while (i >= FILE_AT && byteAt(i) <= 0x20) i -= 1;
  if (i < FILE_AT + 3 || byteAt(i) !== 0x2f || byteAt(i - 1) !== 0x2a) return i;
  for (i -= 2; i > FILE_AT; i -= 1) if (byteAt(i) === 0x2a && byteAt(i - 1) === 0x2f) break;
  i -= 2;
  while (i >= FILE_AT && byteAt(i) <= 0x20) i -= 1;
  return i;
}

function endsWord(at: i32): bool {
  return at >= FILE_AT && isWordByte(byteAt(at));
}

function wordStart(end: i32): i32 {
  let start = end;
  while (endsWord(start - 1)) start -= 1;
  return start;
}

function endsWithTypeWord(at: i32): bool {
  return (
    scan.endsWith("as", at) ||
    scan.endsWith("extends", at) ||
    scan.endsWith("keyof", at) ||
    scan.endsWith("new", at) ||
    scan.endsWith("is", at) ||
    scan.endsWith("satisfies", at)
  );
}

function endsWithModifier(at: i32): bool {
  return (
    scan.endsWith("let", at) ||
    scan.endsWith("const", at) ||
    scan.endsWith("var", at) ||
    scan.endsWith("private", at) ||
    scan.endsWith("public", at) ||
    scan.endsWith("protected", at) ||
    scan.endsWith("readonly", at) ||
    scan.endsWith("static", at) ||
    scan.endsWith("declare", at) ||
    scan.endsWith("override", at) ||
    scan.endsWith("abstract", at) ||
    scan.endsWith("accessor", at)
  );
}
