/**
 * Signs that mean different things in different places: a slash, an apostrophe, two ampersands, an arrow.
 * Each reader looks at what came before and, where it must, a little ahead; false means "not here".
 */
import {
  FILE_AT,
  HAS_ARM_SEPARATOR,
  HAS_ARROW_TYPES,
  HAS_TYPES,
  SPECIAL_AND_AND,
  SPECIAL_APOSTROPHE,
  SPECIAL_ARROW,
  SPECIAL_ATTRIBUTE,
  SPECIAL_BAR,
  SPECIAL_CLOSE_TAG,
  SPECIAL_COLON,
  SPECIAL_COMMA,
  SPECIAL_DIRECTIVE,
  SPECIAL_HASH_STRING,
  SPECIAL_JSX,
  SPECIAL_OR_OR,
  SPECIAL_PERCENT,
  SPECIAL_PHP_HEREDOC,
  SPECIAL_QUESTION,
  SPECIAL_REGEX,
  SPECIAL_RUBY_GLOBAL,
  SPECIAL_RUBY_HEREDOC,
  SPECIAL_RUBY_REGEX,
  SPECIAL_TYPE_COLON,
} from "../tables.ts";
import { scanDirective } from "./directives.ts";
import { scanElement } from "./markup.ts";
import { byteAt, has, isWordByte, lexicon } from "./memory.ts";
import { scanCloseTag, scanPhpHeredoc } from "./php.ts";
import { scanQuestion } from "./questions.ts";
import { scanHashString } from "./raw-strings.ts";
import { scanPercentLiteral, scanRubyColon, scanRubyGlobal, scanRubyHeredoc, scanRubyRegex } from "./ruby.ts";
import { Bracket, Closer, LineKind, Previous, scan, Tail } from "./state.ts";
import { isFunctionType } from "./type-positions.ts";

export function readSpecial(special: i32, length: i32): bool {
  switch (special) {
    case SPECIAL_QUESTION:
      scan.kind = LineKind.code;
      return scanQuestion();
    case SPECIAL_REGEX:
      return scanRegex();
    case SPECIAL_JSX:
      return scanElement();
    case SPECIAL_DIRECTIVE:
      return scanDirective();
    case SPECIAL_AND_AND:
      return scanAndAnd();
    case SPECIAL_OR_OR:
      return scanOrOr();
    case SPECIAL_BAR:
      return scanBar();
    case SPECIAL_APOSTROPHE:
      return scanApostrophe();
    case SPECIAL_HASH_STRING:
      return scanHashString();
    case SPECIAL_ARROW:
      return scanArrow(length);
    case SPECIAL_TYPE_COLON:
      return scanTypeColon();
    case SPECIAL_RUBY_HEREDOC:
      return scanRubyHeredoc();
    case SPECIAL_RUBY_REGEX:
      return scanRubyRegex();
    case SPECIAL_PHP_HEREDOC:
      return scanPhpHeredoc();
    case SPECIAL_PERCENT:
      return scanPercentLiteral();
    case SPECIAL_COLON:
      return scanRubyColon();
    case SPECIAL_RUBY_GLOBAL:
      return scanRubyGlobal();
    case SPECIAL_CLOSE_TAG:
      return scanCloseTag();
    case SPECIAL_ATTRIBUTE:
      return scanAttribute(length);
    case SPECIAL_COMMA:
      return scanComma();
    default:
      return false;
  }
}

/** A slash where an operand may stand begins a regex, if one ends on this line. */
function scanRegex(): bool {
  const end = scan.end;
  if (!mayBeginRegex()) return false;
  let inClass = false;
  let at = scan.at + 1;
  for (; ; at += 1) {
    const byte = byteAt(at);
    if (byte === 0x0a || byte === 0x0d || (byte === 0 && at >= end) || !scan.mayLook()) return false;
    if (byte === 0x5c) at += 1;
    else if (byte === 0x5b) inClass = true;
    else if (byte === 0x5d) inClass = false;
    else if (byte === 0x2f && !inClass) break;
  }
  at += 1;
  while (isWordByte(byteAt(at))) at += 1;
  scan.at = at;
  scan.kind = LineKind.code;
  scan.afterOperand();
  return true;
}

function mayBeginRegex(): bool {
  const lastAt = scan.lastAt;
  const last = scan.lastByte();
  if (scan.previous === Previous.operand) {
    // A block that ended on an earlier line: a statement begins here.
    return last === 0x7d && hasLineEnd(lastAt, scan.at);
  }
  // `i++ / 2`, `value! / 2`
  if ((last === 0x2b || last === 0x2d) && byteAt(lastAt - 1) === last) return false;
  if (last === 0x21 && lastAt > FILE_AT) {
    const before = byteAt(lastAt - 1);
    return !(isWordByte(before) || before === 0x29 || before === 0x5d);
  }
  return true;
}

function hasLineEnd(from: i32, to: i32): bool {
  for (let at = from; at < to; at += 1) if (byteAt(at) === 0x0a) return true;
  return false;
}

/** C++: `a && b` decides, `T&& x` is a type. A type's sign hangs on the type or on the name. */
function scanAndAnd(): bool {
  const at = scan.at;
  const before = byteAt(at - 1);
  const after = byteAt(at + 2);
  scan.kind = LineKind.code;
  scan.at = at + 2;
  const spaceBefore = at > FILE_AT && before <= 0x20;
  const spaceAfter = after <= 0x20;
  const closes =
    after === 0x29 || after === 0x3e || after === 0x2c || after === 0x2e || after === 0x3b || after === 0x3d;
  const hangs = closes || (!spaceBefore && spaceAfter && before !== 0x29) || (spaceBefore && !spaceAfter);
  if (!hangs) scan.decisions += 1;
  scan.afterOperator();
  return true;
}

/** Rust: behind an operand an operator; elsewhere `||` is a closure without parameters, `&&` a reference. */
function scanOrOr(): bool {
  scan.kind = LineKind.code;
  if (scan.previous === Previous.operand) scan.decisions += 1;
  else if (byteAt(scan.at) === 0x7c && scan.macros === 0) scan.functions += 1;
  scan.at += 2;
  scan.afterOperator();
  return true;
}

/** Rust: `|a, b|` where an operand may stand is a closure; the second bar belongs to the first. */
function scanBar(): bool {
  const depth = scan.depth;
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
function scanApostrophe(): bool {
  const at = scan.at;
  scan.kind = LineKind.code;
  const next = byteAt(at + 1);
  let close = -1;
  if (next === 0x5c) {
    for (let i = at + 3; i < at + 14; i += 1) {
      if (byteAt(i) === 0x27) {
        close = i;
        break;
      }
    }
  } else {
    const length = next < 0x80 ? 1 : next < 0xe0 ? 2 : next < 0xf0 ? 3 : 4;
    if (byteAt(at + 1 + length) === 0x27 && next !== 0x0a) close = at + 1 + length;
  }
  scan.at = close < 0 ? at + 1 : close + 1;
  scan.afterOperand();
  return true;
}

/** The arrow of an arm is a case; another one is a function, in languages where it is, or part of a type. */
function scanArrow(length: i32): bool {
  const sign = byteAt(scan.at) === 0x3d ? 0x3d : 0x2d;
  let tail: i32 = Tail.none;
  scan.kind = LineKind.code;
  if (lexicon.armArrow === sign && scan.top() === Bracket.arms && !isInsideArm()) {
    if (!isDefaultArm()) scan.decisions += 1;
  } else if (lexicon.functionArrow === sign) {
    if (!has(HAS_TYPES) || !isFunctionType()) scan.functions += 1;
    else tail = scan.tail === Tail.resultType ? Tail.resultType : Tail.none;
  } else if (sign === 0x2d && has(HAS_ARROW_TYPES) && scan.tail !== Tail.none) {
    tail = Tail.resultType;
  }
  scan.at += length;
  scan.afterOperator();
  scan.tail = tail;
  return true;
}

/** `_ =>`, `else ->`, `default =>`: the word alone, and not the last part of a pattern. */
function isDefaultArm(): bool {
  if (scan.lastAt < FILE_AT) return false;
  if (!scan.endsWithBytes(lexicon.armDefault, lexicon.armDefaultLength, scan.lastAt)) return false;
  const before = scan.beforeAt < FILE_AT ? 0 : byteAt(scan.beforeAt);
  return before !== 0x7c && before !== 0x2e && before !== 0x3a && before !== 0x26 && before !== 0x40;
}

/** Where arms are separated by commas, a second arrow before the next comma is a function in the arm. */
function isInsideArm(): bool {
  const inside = scan.topValue() === 1;
  if (has(HAS_ARM_SEPARATOR)) scan.setTopValue(1);
  return inside;
}

function scanComma(): bool {
  if (scan.top() === Bracket.arms) scan.setTopValue(0);
  return false;
}

/** `#[…]` describes what follows, which begins behind it: in PHP the sign is no comment. */
function scanAttribute(length: i32): bool {
  scan.kind = LineKind.code;
  scan.at += length;
  scan.afterOperator();
  scan.push(Bracket.condition, Closer.square, 0);
  return true;
}

/** After the parameters, a colon begins the type of the result. */
function scanTypeColon(): bool {
  if (scan.tail === Tail.none) return false;
  scan.kind = LineKind.code;
  scan.at += 1;
  scan.afterOperator();
  scan.tail = Tail.resultType;
  return true;
}
