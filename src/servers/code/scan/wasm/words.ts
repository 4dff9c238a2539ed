/**
 * What a word does: decides, begins a function, opens a block of a kind, or is only a name that looks like a
 * keyword (`promise.catch`, `{ if: 1 }`, `$case`).
 */
import {
  FILE_AT,
  HAS_ARMS_BEFORE_BRACE,
  HAS_CPP_RAW,
  HAS_HASH_STRINGS,
  HAS_KEY_NAMES,
  HAS_MEMBER_NAMES,
  HAS_PHP,
  HAS_RUBY,
  MARK_ACCESSOR,
  MARK_ARMS,
  MARK_CASE,
  MARK_CREATOR,
  MARK_DECISION,
  MARK_ENUM,
  MARK_EXPECTS,
  MARK_EXTENDS,
  MARK_FUNCTION,
  MARK_PREFIX,
  MARK_STATEMENT,
  MARK_TAIL,
  MARK_TYPE,
  MARK_TYPE_TAIL,
} from "../tables.ts";
import { isCase } from "./cases.ts";
import { beginsFunction, isBeforeBrace } from "./functions.ts";
import { scanString } from "./literals.ts";
import {
  byteAt,
  findKeyword,
  has,
  isWordByte,
  lexicon,
  marksOf,
  matches,
  rulesOf,
  STRING_RULE_BYTES,
  StringRule,
} from "./memory.ts";
import { isFirstOnLine } from "./places.ts";
import { findConditionalType } from "./questions.ts";
import { scanCppRawString, scanHashString } from "./raw-strings.ts";
import { LineKind, NextBrace, Previous, scan, Tail } from "./state.ts";

const DOT = 0x2e;
const COLON = 0x3a;
const QUESTION = 0x3f;

/** `scan.at` is behind the word. */
export function scanWord(start: i32): void {
  if (has(HAS_RUBY)) includeSuffix();
  const keyword = findKeyword(start, scan.at - start);
  const marks = marksOf(keyword);
  if (marks === 0) return plainWord();
  if ((marks & MARK_PREFIX) !== 0 && scanPrefixed(start, rulesOf(keyword))) return;
  if ((scan.lastMarks & MARK_FUNCTION) !== 0 || isName(start)) return plainWord();
  const before = scan.lastAt;
  const previous = scan.previous;
  scan.beforeAt = before;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = marks;
  scan.previous = (marks & MARK_EXPECTS) !== 0 ? Previous.expects : Previous.operand;
  if (scan.tail === Tail.parameters) {
    if ((marks & MARK_TYPE_TAIL) !== 0) scan.tail = Tail.resultType;
    else if ((marks & MARK_TAIL) === 0) scan.tail = Tail.none;
  }
  if ((marks & MARK_DECISION) !== 0 && decides(start, marks, before, previous)) scan.decisions += 1;
  if ((marks & MARK_CASE) !== 0 && isCase(start, before)) scan.decisions += 1;
  if ((marks & MARK_FUNCTION) !== 0 && beginsFunction(before)) {
    scan.functions += 1;
    scan.creating = true;
  }
  if ((marks & MARK_ACCESSOR) !== 0 && isBeforeBrace()) scan.functions += 1;
  if ((marks & MARK_CREATOR) !== 0) scan.creating = true;
  if ((marks & MARK_EXTENDS) !== 0) findConditionalType();
  if ((marks & (MARK_ARMS | MARK_ENUM | MARK_TYPE)) !== 0) announceBlock(marks);
}

/** Ruby: `empty?`, `save!`. */
function includeSuffix(): void {
  const next = byteAt(scan.at);
  if ((next === QUESTION || next === 0x21) && byteAt(scan.at + 1) !== 0x3d) scan.at += 1;
}

/** A word that is no keyword. */
export function plainWord(): void {
  scan.previous = Previous.operand;
  scan.beforeAt = scan.lastAt;
  scan.lastAt = scan.at - 1;
  scan.lastMarks = 0;
  if (scan.tail === Tail.parameters) scan.tail = Tail.none;
}

/** A word that chooses the kind of the string behind it, or is part of its opening. */
function scanPrefixed(start: i32, rules: i32): bool {
  const next = byteAt(scan.at);
  if (next !== 0x22 && next !== 0x27 && next !== 0x23) return false;
  if (has(HAS_CPP_RAW)) return scanCppRawString();
  if (has(HAS_HASH_STRINGS)) return scanHashString();
  for (let rule = 0; rules !== 0; rule += 1, rules = <i32>(<u32>rules >> 1)) {
    if ((rules & 1) === 0) continue;
    const string = changetype<StringRule>(lexicon.strings + rule * STRING_RULE_BYTES);
    if (!matches(scan.at, string.open, string.openLength)) continue;
    if (isFirstOnLine(start)) scan.kind = LineKind.blank;
    scan.at += string.openLength;
    scanString(rule);
    return true;
  }
  return false;
}

/** Whether a keyword stands where a name stands. */
function isName(start: i32): bool {
  if (has(HAS_MEMBER_NAMES)) {
    const before = byteAt(start - 1);
    // In PHP a point joins strings, and members follow an arrow.
    if (before === DOT && byteAt(start - 2) !== DOT && !has(HAS_PHP)) return true;
    if (before === 0x3e && byteAt(start - 2) === 0x2d) return true;
    if (before === COLON && byteAt(start - 2) === COLON) return true;
    if (before === 0x24 || before === 0x23) return true;
    // `@if` is a name, `label@if` in Kotlin is a keyword with a label.
    if (before === 0x40 && !isWordByte(byteAt(start - 2))) return true;
  }
  if (has(HAS_KEY_NAMES)) {
    let at = scan.at;
    // `if :name` is a symbol behind a keyword in Ruby; `if : 1` is a key in JavaScript.
    if (!has(HAS_RUBY)) while (byteAt(at) === 0x20) at += 1;
    if (byteAt(at) === QUESTION) at += 1;
    if (byteAt(at) === COLON && byteAt(at + 1) !== COLON) return true;
  }
  return false;
}

function decides(start: i32, marks: i32, before: i32, previous: i32): bool {
  if ((marks & MARK_STATEMENT) !== 0) return beginsStatement(before, previous);
  // JavaScript has methods called `catch`; the clause follows a block.
  if (
    has(HAS_KEY_NAMES) &&
    byteAt(start) === 0x63 &&
    byteAt(start + 1) === 0x61 &&
    byteAt(start + 2) === 0x74
  ) {
    return before >= FILE_AT && byteAt(before) === 0x7d;
  }
  return !(
    before >= FILE_AT &&
    previous === Previous.operand &&
    has(HAS_RUBY) &&
    scan.endsWith("def", before)
  );
}

/** Not behind a type or an expression, nor before the `<` of its parameters. */
function beginsStatement(before: i32, previous: i32): bool {
  if (byteAt(scan.at) === 0x3c || before < FILE_AT) return before < FILE_AT;
  const last = byteAt(before);
  if (last === 0x3e) return byteAt(before - 1) === 0x3d;
  if (last === 0x5d) return previous === Previous.expects;
  return !isWordByte(last) && last !== 0x29;
}

function announceBlock(marks: i32): void {
  if ((marks & MARK_ARMS) !== 0) {
    if (scan.macros > 0) return;
    if (has(HAS_ARMS_BEFORE_BRACE) && !isBeforeBrace()) return;
    scan.nextBrace = NextBrace.arms;
  } else if ((marks & MARK_ENUM) !== 0) {
    scan.nextBrace = NextBrace.enumeration;
  } else {
    // `record(a)` is a method of that name.
    if (byteAt(scan.at) === 0x28) return;
    scan.nextBrace = NextBrace.typeBody;
  }
  scan.nextBraceDepth = scan.depth;
}
