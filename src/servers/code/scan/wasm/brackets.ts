/**
 * What opens and closes: calls against conditions, blocks of cases, bodies of functions, and brackets that end
 * code inside a string or a tag, which then goes on.
 */
import {
  FILE_AT,
  HAS_BODIES,
  HAS_CAPTURES,
  HAS_FLAT_FUNCTIONS,
  HAS_MACROS,
  HAS_TYPES,
  MARK_CONTROL,
} from "../tables.ts";
import { scanHeredoc, scanString } from "./literals.ts";
import { readChildren, readTag } from "./markup.ts";
import { byteAt, has, isWordByte } from "./memory.ts";
import { Bracket, Closer, NextBrace, Previous, scan, Tail } from "./state.ts";
import { isTypePosition } from "./type-positions.ts";

const PAREN = 0x28;
const SQUARE = 0x5b;
const BRACE = 0x7b;
const BANG = 0x21;

/** `scan.at` is behind the bracket. */
export function openBracket(byte: i32): void {
  const macro = has(HAS_MACROS) && isMacroCall();
  if (byte === PAREN)
    scan.push(macro ? Bracket.macro : parenthesisKind(), Closer.parenthesis, scan.lastAt - FILE_AT);
  else if (byte === SQUARE) {
    scan.push(
      macro ? Bracket.macro : Bracket.square,
      Closer.square,
      scan.previous === Previous.expects ? 1 : 0,
    );
  } else if (has(HAS_TYPES)) openTypedBrace();
  else scan.push(macro ? Bracket.macro : braceKind(), Closer.brace, 0);
  scan.tail = scan.tail === Tail.resultType && byte !== BRACE ? Tail.resultType : Tail.none;
  scan.creating = scan.creating && byte === SQUARE;
  scan.previous = Previous.expects;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = 0;
}

export function closeBracket(byte: i32): void {
  const tail = scan.tail;
  const kind = scan.pop(byte);
  scan.previous = Previous.operand;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = 0;
  scan.tail = tail === Tail.resultType && byte !== Closer.brace ? tail : Tail.none;
  scan.creating = false;
  switch (kind) {
    case Bracket.call:
      if (scan.tail === Tail.none) scan.tail = Tail.parameters;
      return;
    case Bracket.square:
      if (scan.popped === 1 && has(HAS_CAPTURES)) scan.tail = Tail.parameters;
      return;
    case Bracket.condition:
      scan.previous = Previous.expects;
      scan.tail = Tail.none;
      return;
    case Bracket.initializer:
      scan.tail = Tail.resultType;
      return;
    case Bracket.interpolation:
      return scanString(scan.popped);
    case Bracket.heredocCode:
      return scanHeredoc(scan.popped);
    case Bracket.tagCode:
      return readTag();
    case Bracket.childCode:
      return readChildren();
    default:
      return;
  }
}

/** Where the language has types of functions, it is remembered of a brace whether it holds members of a type. */
function openTypedBrace(): void {
  const ofClass = scan.inTypeHeader();
  const kind = braceKind();
  const ofType = kind === Bracket.brace && (ofClass || isTypePosition(scan.lastAt));
  scan.push(kind, Closer.brace, ofType ? 1 : 0);
}

function parenthesisKind(): i32 {
  if (scan.lastAt < FILE_AT) return Bracket.parenthesis;
  if ((scan.lastMarks & MARK_CONTROL) !== 0) return Bracket.condition;
  if (scan.creating) return Bracket.parenthesis;
  const last = scan.lastByte();
  if (scan.previous === Previous.expects) return closesTypes(last) ? Bracket.call : Bracket.parenthesis;
  if (last === 0x29) return isCallOperator() ? Bracket.call : Bracket.parenthesis;
  return last === 0x7d ? Bracket.parenthesis : Bracket.call;
}

/** `name<T>(`, written without a space, is a call or a definition; `a > (b)`, `=>(` and `->(` are not. */
function closesTypes(last: i32): bool {
  if (last !== 0x3e || scan.lastAt !== scan.at - 2) return false;
  const before = byteAt(scan.lastAt - 1);
  return before !== 0x3d && before !== 0x2d && before !== 0x20;
}

/** C++: `operator()(`. */
function isCallOperator(): bool {
  return byteAt(scan.lastAt - 1) === PAREN && scan.endsWith("operator", scan.lastAt - 2);
}

function braceKind(): i32 {
  const next: i32 = scan.nextBraceDepth === scan.depth ? scan.nextBrace : NextBrace.plain;
  // `match unsafe { … } {`: the block belongs to what is matched.
  if (next === NextBrace.arms && scan.endsWith("unsafe", scan.lastAt)) return Bracket.brace;
  if (next !== NextBrace.plain) scan.nextBrace = NextBrace.plain;
  if (next === NextBrace.arms) return Bracket.arms;
  if (next === NextBrace.enumeration) return Bracket.enumeration;
  if (scan.tail === Tail.none || next === NextBrace.typeBody) return Bracket.brace;
  if (!has(HAS_BODIES) || (has(HAS_FLAT_FUNCTIONS) && scan.functionDepth > 0)) return Bracket.brace;
  if (has(HAS_CAPTURES) && isInitializer()) return Bracket.initializer;
  scan.functions += 1;
  return Bracket.body;
}

/** Between a constructor's parameters and its body: `member{value}` is written without a space, the body with one. */
function isInitializer(): bool {
  if (scan.tail !== Tail.resultType || scan.lastAt !== scan.at - 2) return false;
  const last = byteAt(scan.lastAt);
  return isWordByte(last) || last === 0x3e;
}

/** `name!(`, `name![`, `name! {`, `macro_rules! name {`. */
function isMacroCall(): bool {
  const lastAt = scan.lastAt;
  if (lastAt < FILE_AT + 1) return false;
  if (byteAt(lastAt) === BANG) return isWordByte(byteAt(lastAt - 1));
  if (scan.previous !== Previous.operand) return false;
  let at = lastAt;
  while (at > FILE_AT && isWordByte(byteAt(at))) at -= 1;
  while (at > FILE_AT && byteAt(at) === 0x20) at -= 1;
  return at < lastAt && byteAt(at) === BANG && byteAt(at - 1) === 0x73;
}
