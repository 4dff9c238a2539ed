/**
 * Signs that mean different things in different places: a slash, an apostrophe, two ampersands, an arrow.
 * Each reader looks at what came before and, where it must, a little ahead; false means "not here".
 */
import type { Special } from "./lexicon.ts";
import { scanBlockComment, scanLineComment } from "./literals.ts";
import { scanElement } from "./markup.ts";
import { scanCloseTag, scanPhpHeredoc } from "./php.ts";
import { scanQuestion } from "./questions.ts";
import { scanHashString } from "./raw-strings.ts";
import { scanPercentLiteral, scanRubyColon, scanRubyGlobal, scanRubyHeredoc, scanRubyRegex } from "./ruby.ts";
import { Bracket, Closer, LineKind, Previous, type Scan, Tail } from "./state.ts";
import { isFunctionType } from "./type-positions.ts";

type Reader = (scan: Scan, length: number) => boolean;

const READERS: Readonly<Record<Special, Reader>> = {
  question: (scan) => code(scan) && scanQuestion(scan),
  regex: scanRegex,
  jsx: scanElement,
  directive: scanDirective,
  "and-and": scanAndAnd,
  "or-or": scanOrOr,
  bar: scanBar,
  apostrophe: scanApostrophe,
  "hash-string": (scan) => scanHashString(scan),
  arrow: scanArrow,
  "type-colon": scanTypeColon,
  "ruby-heredoc": scanRubyHeredoc,
  "ruby-regex": scanRubyRegex,
  "php-heredoc": scanPhpHeredoc,
  percent: scanPercentLiteral,
  colon: scanRubyColon,
  "ruby-global": scanRubyGlobal,
  "close-tag": scanCloseTag,
  attribute: scanAttribute,
  comma: scanComma,
};

export function readSpecial(scan: Scan, special: Special, length: number): boolean {
  return READERS[special](scan, length);
}

function code(scan: Scan): true {
  scan.kind = LineKind.code;
  return true;
}

/** A slash where an operand may stand begins a regex, if one ends on this line. */
function scanRegex(scan: Scan): boolean {
  const { bytes, end } = scan;
  if (!mayBeginRegex(scan)) return false;
  let inClass = false;
  let at = scan.at + 1;
  for (; ; at += 1) {
    const byte = bytes[at] as number;
    if (byte === 0x0a || byte === 0x0d || (byte === 0 && at >= end)) return false;
    if (byte === 0x5c) at += 1;
    else if (byte === 0x5b) inClass = true;
    else if (byte === 0x5d) inClass = false;
    else if (byte === 0x2f && !inClass) break;
  }
  at += 1;
  while (scan.lexicon.wordBytes[bytes[at] as number] === 1) at += 1;
  scan.at = at;
  scan.kind = LineKind.code;
  scan.afterOperand();
  return true;
}

function mayBeginRegex(scan: Scan): boolean {
  const { bytes, lastAt } = scan;
  const last = scan.lastByte();
  if (scan.previous === Previous.operand) {
    // A block that ended on an earlier line: a statement begins here.
    return last === 0x7d && bytes.subarray(lastAt, scan.at).includes(0x0a);
  }
  // `i++ / 2`, `value! / 2`
  if ((last === 0x2b || last === 0x2d) && bytes[lastAt - 1] === last) return false;
  if (last === 0x21 && lastAt > 0) {
    const before = bytes[lastAt - 1] as number;
    return !(scan.lexicon.wordBytes[before] === 1 || before === 0x29 || before === 0x5d);
  }
  return true;
}

const COMMENT = { open: Buffer.from("/*"), close: Buffer.from("*/"), nested: false, closesLine: false };

/** `#if`, `#define` …: the whole directive, with its continued lines, decides nothing at run time. */
function scanDirective(scan: Scan): boolean {
  if (scan.kind !== LineKind.blank) return false;
  const { bytes, end } = scan;
  scan.kind = LineKind.code;
  let at = scan.at + 1;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === 0 && at >= end) break;
    if (byte === 0x0a || byte === 0x0d) {
      const last = bytes[at - 1] === 0x0d ? bytes[at - 2] : bytes[at - 1];
      if (last !== 0x5c) break;
      at = scan.crossLine(at);
      scan.kind = LineKind.code;
    } else if (byte === 0x2f && bytes[at + 1] === 0x2f) {
      scan.at = at;
      scanLineComment(scan);
      return true;
    } else if (byte === 0x2f && bytes[at + 1] === 0x2a) {
      scan.at = at;
      scanBlockComment(scan, COMMENT);
      at = scan.at;
    } else if (byte === 0x22 || byte === 0x27) {
      at = skipQuotedOnLine(bytes, at, end);
    } else at += 1;
  }
  scan.at = at;
  return true;
}

function skipQuotedOnLine(bytes: Uint8Array, at: number, end: number): number {
  const quote = bytes[at];
  const start = at;
  for (at += 1; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === 0x5c) at += 1;
    else if (byte === quote) return at + 1;
    else if (byte === 0x0a) return start + 1;
  }
  return at;
}

/** C++: `a && b` decides, `T&& x` is a type. A type's sign hangs on the type or on the name. */
function scanAndAnd(scan: Scan): boolean {
  const { bytes, at } = scan;
  const before = bytes[at - 1] as number;
  const after = bytes[at + 2] as number;
  scan.kind = LineKind.code;
  scan.at = at + 2;
  const spaceBefore = before <= 0x20;
  const spaceAfter = after <= 0x20;
  const closes =
    after === 0x29 || after === 0x3e || after === 0x2c || after === 0x2e || after === 0x3b || after === 0x3d;
  const hangs = closes || (!spaceBefore && spaceAfter && before !== 0x29) || (spaceBefore && !spaceAfter);
  if (!hangs) scan.decisions += 1;
  scan.afterOperator();
  return true;
}

/** Rust: behind an operand an operator; elsewhere `||` is a closure without parameters, `&&` a reference. */
function scanOrOr(scan: Scan): boolean {
  scan.kind = LineKind.code;
  if (scan.previous === Previous.operand) scan.decisions += 1;
  else if (scan.bytes[scan.at] === 0x7c && scan.macros === 0) scan.functions += 1;
  scan.at += 2;
  scan.afterOperator();
  return true;
}

/** Rust: `|a, b|` where an operand may stand is a closure; the second bar belongs to the first. */
function scanBar(scan: Scan): boolean {
  const { depth } = scan;
  if (scan.barDepth === depth) scan.barDepth = -1;
  else if (scan.previous === Previous.expects && scan.top() !== Bracket.arms) {
    scan.barDepth = depth;
    if (scan.macros === 0) scan.functions += 1;
  }
  scan.kind = LineKind.code;
  scan.at += 1;
  scan.afterOperator();
  return true;
}

/** A character, or in Rust a lifetime, in ML a type variable: then only the sign is read. */
function scanApostrophe(scan: Scan): boolean {
  const { bytes, at } = scan;
  scan.kind = LineKind.code;
  const next = bytes[at + 1] as number;
  let close = -1;
  if (next === 0x5c) {
    for (let i = at + 3; i < at + 14; i += 1) {
      if (bytes[i] === 0x27) {
        close = i;
        break;
      }
    }
  } else {
    const length = next < 0x80 ? 1 : next < 0xe0 ? 2 : next < 0xf0 ? 3 : 4;
    if (bytes[at + 1 + length] === 0x27 && next !== 0x0a) close = at + 1 + length;
  }
  scan.at = close < 0 ? at + 1 : close + 1;
  scan.afterOperand();
  return true;
}

/** The arrow of an arm is a case; another one is a function, in languages where it is, or part of a type. */
function scanArrow(scan: Scan, length: number): boolean {
  const { syntax } = scan.lexicon;
  const sign = scan.bytes[scan.at] === 0x3d ? "=>" : "->";
  let tail: number = Tail.none;
  scan.kind = LineKind.code;
  if (syntax.armArrow === sign && scan.top() === Bracket.arms && !isInsideArm(scan)) {
    if (!isDefaultArm(scan)) scan.decisions += 1;
  } else if (syntax.functions?.arrow === sign) {
    if (scan.labelled) scan.labelled = false;
    else if (!scan.lexicon.types || !isFunctionType(scan)) scan.functions += 1;
    else tail = scan.tail === Tail.type ? Tail.type : Tail.none;
  } else if (sign === "->" && syntax.functions?.typeAfter?.includes(sign) && scan.tail !== Tail.none) {
    tail = Tail.type;
  }
  scan.at += length;
  scan.afterOperator();
  scan.tail = tail;
  return true;
}

/** `_ =>`, `else ->`, `default =>`: the word alone, and not the last part of a pattern. */
function isDefaultArm(scan: Scan): boolean {
  const { bytes, lastAt, beforeAt } = scan;
  if (lastAt < 0 || !scan.endsWith(scan.lexicon.armDefault, lastAt)) return false;
  const before = beforeAt < 0 ? 0 : (bytes[beforeAt] as number);
  return before !== 0x7c && before !== 0x2e && before !== 0x3a && before !== 0x26 && before !== 0x40;
}

/** Where arms are separated by commas, a second arrow before the next comma is a function in the arm. */
function isInsideArm(scan: Scan): boolean {
  const inside = scan.values[scan.depth - 1] === 1;
  if (scan.lexicon.syntax.armSeparator) scan.values[scan.depth - 1] = 1;
  return inside;
}

function scanComma(scan: Scan): boolean {
  if (scan.top() === Bracket.arms) scan.values[scan.depth - 1] = 0;
  return false;
}

/** `#[…]` describes what follows, which begins behind it: in PHP the sign is no comment. */
function scanAttribute(scan: Scan, length: number): boolean {
  scan.kind = LineKind.code;
  scan.at += length;
  scan.afterOperator();
  scan.push(Bracket.condition, Closer.square);
  return true;
}

/** After the parameters, a colon begins the type of the result. */
function scanTypeColon(scan: Scan): boolean {
  if (scan.tail === Tail.none) return false;
  scan.kind = LineKind.code;
  scan.at += 1;
  scan.afterOperator();
  scan.tail = Tail.type;
  return true;
}
