/**
 * What opens and closes: calls against conditions, blocks of cases, bodies of functions, and brackets that end
 * code inside a string or a tag, which then goes on.
 */
import { scanString } from "./literals.ts";
import { resumeMarkup } from "./markup.ts";
import { Bracket, Closer, NextBrace, Previous, type Scan, Tail } from "./state.ts";
import { isTypePosition } from "./type-positions.ts";
import { WordMark } from "./word-table.ts";

const PAREN = 0x28;
const SQUARE = 0x5b;
const BRACE = 0x7b;
const BANG = 0x21;

/** `scan.at` is behind the bracket. */
export function openBracket(scan: Scan, byte: number): void {
  const macro = scan.lexicon.macros && isMacroCall(scan);
  if (byte === PAREN)
    scan.push(macro ? Bracket.macro : parenthesisKind(scan), Closer.parenthesis, scan.lastAt);
  else if (byte === SQUARE) {
    scan.push(
      macro ? Bracket.macro : Bracket.square,
      Closer.square,
      scan.previous === Previous.expects ? 1 : 0,
    );
  } else if (scan.lexicon.types) openTypedBrace(scan);
  else scan.push(macro ? Bracket.macro : braceKind(scan), Closer.brace);
  scan.tail = scan.tail === Tail.type && byte !== BRACE ? Tail.type : Tail.none;
  scan.creating = scan.creating && byte === SQUARE;
  scan.previous = Previous.expects;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = 0;
}

export function closeBracket(scan: Scan, byte: number): void {
  const tail = scan.tail;
  const kind = scan.pop(byte);
  scan.previous = Previous.operand;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = 0;
  scan.tail = tail === Tail.type && byte !== Closer.brace ? tail : Tail.none;
  scan.creating = false;
  switch (kind) {
    case Bracket.call:
      if (scan.tail === Tail.none) scan.tail = Tail.parameters;
      return;
    case Bracket.square:
      if (scan.popped === 1 && scan.lexicon.syntax.functions?.captures) scan.tail = Tail.parameters;
      return;
    case Bracket.condition:
      scan.previous = Previous.expects;
      scan.tail = Tail.none;
      return;
    case Bracket.initializer:
      scan.tail = Tail.type;
      return;
    case Bracket.interpolation:
      return scanString(scan, scan.popped);
    case Bracket.tagCode:
    case Bracket.childCode:
      return resumeMarkup(scan, kind);
    default:
      return;
  }
}

export { BRACE, PAREN, SQUARE };

/** Where the language has types of functions, it is remembered of a brace whether it holds members of a type. */
function openTypedBrace(scan: Scan): void {
  const ofClass = scan.inTypeHeader();
  const kind = braceKind(scan);
  const ofType = kind === Bracket.brace && (ofClass || isTypePosition(scan, scan.lastAt));
  scan.push(kind, Closer.brace, ofType ? 1 : 0);
}

function parenthesisKind(scan: Scan): number {
  if (scan.lastAt < 0) return Bracket.parenthesis;
  if ((scan.lastMarks & WordMark.control) !== 0) return Bracket.condition;
  if (scan.creating) return Bracket.parenthesis;
  const last = scan.lastByte();
  if (scan.previous === Previous.expects) return closesTypes(scan, last) ? Bracket.call : Bracket.parenthesis;
  if (last === 0x29) return isCallOperator(scan) ? Bracket.call : Bracket.parenthesis;
  return last === 0x7d ? Bracket.parenthesis : Bracket.call;
}

/** `name<T>(`, written without a space, is a call or a definition; `a > (b)`, `=>(` and `->(` are not. */
function closesTypes({ bytes, lastAt, at }: Scan, last: number): boolean {
  if (last !== 0x3e || lastAt !== at - 2) return false;
  const before = bytes[lastAt - 1] as number;
  return before !== 0x3d && before !== 0x2d && before !== 0x20;
}

/** C++: `operator()(`. */
function isCallOperator(scan: Scan): boolean {
  return scan.bytes[scan.lastAt - 1] === PAREN && scan.endsWith("operator", scan.lastAt - 2);
}

function braceKind(scan: Scan): number {
  const next = scan.nextBraceDepth === scan.depth ? scan.nextBrace : NextBrace.plain;
  // `match unsafe { … } {`: the block belongs to what is matched.
  if (next === NextBrace.arms && scan.endsWith("unsafe", scan.lastAt)) return Bracket.brace;
  if (next !== NextBrace.plain) scan.nextBrace = NextBrace.plain;
  if (next === NextBrace.arms) return Bracket.arms;
  if (next === NextBrace.enum) return Bracket.enum;
  if (scan.tail === Tail.none || next === NextBrace.type) return Bracket.brace;
  const rules = scan.lexicon.syntax.functions;
  if (!rules?.bodies || (rules.flat && scan.functionDepth > 0)) return Bracket.brace;
  if (rules.captures && isInitializer(scan)) return Bracket.initializer;
  scan.functions += 1;
  return Bracket.function;
}

/** Between a constructor's parameters and its body: `member{value}` is written without a space, the body with one. */
function isInitializer({ tail, bytes, lastAt, at, lexicon }: Scan): boolean {
  const last = bytes[lastAt] as number;
  return tail === Tail.type && lastAt === at - 2 && (lexicon.wordBytes[last] === 1 || last === 0x3e);
}

/** `name!(`, `name![`, `name! {`, `macro_rules! name {`. */
function isMacroCall(scan: Scan): boolean {
  const { bytes, lastAt } = scan;
  if (lastAt < 1) return false;
  if (bytes[lastAt] === BANG) return scan.lexicon.wordBytes[bytes[lastAt - 1] as number] === 1;
  if (scan.previous !== Previous.operand) return false;
  let at = lastAt;
  while (at > 0 && scan.lexicon.wordBytes[bytes[at] as number] === 1) at -= 1;
  while (at > 0 && bytes[at] === 0x20) at -= 1;
  return at < lastAt && bytes[at] === BANG && bytes[at - 1] === 0x73;
}
