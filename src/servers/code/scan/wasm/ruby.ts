/** Ruby's literals: here-documents, `%w[…]` and its like, symbols, regexes over several lines. */
import { FILE_AT, MARK_FUNCTION } from "../tables.ts";
import { announceHeredoc } from "./heredocs.ts";
import { scanString } from "./literals.ts";
import { byteAt, isWordByte } from "./memory.ts";
import { LineKind, Previous, scan } from "./state.ts";
import { heredocNumber, literalNumber } from "./string-rules.ts";

/** `<<~NAME`, `<<-'NAME'`, `<<NAME`: the text begins with the next line. */
export function scanRubyHeredoc(): bool {
  let at = scan.at + 2;
  const indented = byteAt(at) === 0x7e || byteAt(at) === 0x2d;
  if (indented) at += 1;
  const quote = byteAt(at);
  const quoted = quote === 0x22 || quote === 0x27 || quote === 0x60;
  if (quoted) at += 1;
  const start = at;
  while (isWordByte(byteAt(at))) at += 1;
  if (at === start) return false;
  // `a <<B` might be a shift; a name in capitals, or a mark before it, says that it is not.
  const first = byteAt(start);
  if (!indented && !quoted && !(first >= 0x41 && first <= 0x5a && mayBeginLiteral())) return false;
  if (quoted && byteAt(at) !== quote) return false;
  announceHeredoc(heredocNumber(start, indented, quote !== 0x27));
  scan.kind = LineKind.code;
  scan.at = quoted ? at + 1 : at;
  scan.afterOperand();
  return true;
}

/** `%w[a b]`, `%(text)`, `%r{…}`. */
export function scanPercentLiteral(): bool {
  if (!mayBeginLiteral()) return false;
  let at = scan.at + 1;
  const letter = byteAt(at);
  const plain = letter === 0x71 || letter === 0x77 || letter === 0x69 || letter === 0x73; // q w i s
  const lettered =
    plain || letter === 0x51 || letter === 0x57 || letter === 0x49 || letter === 0x72 || letter === 0x78; // Q W I r x
  if (lettered) at += 1;
  const open = byteAt(at);
  if (open <= 0x20 || open >= 0x7f || isWordByte(open) || (!lettered && open === 0x3d)) return false;
  const close = closingOf(open);
  scan.kind = LineKind.code;
  scan.at = at + 1;
  scanString(literalNumber(close, close === open ? -1 : open, !plain));
  return true;
}

/** A regex may go on over lines and contain code. */
export function scanRubyRegex(): bool {
  if (!mayBeginLiteral()) return false;
  scan.kind = LineKind.code;
  scan.at += 1;
  scanString(literalNumber(0x2f, -1, true));
  return true;
}

/** `:name`, `:"name"`: a symbol is no keyword. */
export function scanRubyColon(): bool {
  const at = scan.at;
  const before = at === FILE_AT ? 0x20 : byteAt(at - 1);
  const next = byteAt(at + 1);
  scan.kind = LineKind.code;
  // `:/`, `:%`, `:<<`: operators by name.
  if (
    scan.previous === Previous.expects &&
    (next === 0x2f || next === 0x25 || next === 0x3c || next === 0x60)
  ) {
    scan.at += next === 0x3c && byteAt(at + 2) === 0x3c ? 3 : 2;
    scan.afterOperand();
    return true;
  }
  if (next === 0x3a || before === 0x3a || isWordByte(before) || !isWordByte(next)) return false;
  let end = at + 1;
  while (isWordByte(byteAt(end))) end += 1;
  if ((byteAt(end) === 0x3f || byteAt(end) === 0x21) && byteAt(end + 1) !== 0x3d) end += 1;
  scan.at = end;
  scan.afterOperand();
  return true;
}

/** `$'`, `$?`, `$/`: globals whose names are signs. */
export function scanRubyGlobal(): bool {
  const next = byteAt(scan.at + 1);
  if (next <= 0x20 || isWordByte(next)) return false;
  scan.kind = LineKind.code;
  scan.at += 2;
  scan.afterOperand();
  return true;
}

/** Where an operand may stand, or behind a method's name as its first argument: a space before and none after. */
function mayBeginLiteral(): bool {
  // `def /(other)`
  if ((scan.lastMarks & MARK_FUNCTION) !== 0) return false;
  const last = scan.lastByte();
  if (last === 0x2e) return false;
  if (scan.previous === Previous.expects) return true;
  if (!isWordByte(last) && last !== 0x3f && last !== 0x21) return false;
  if (isNumber()) return false;
  const after = byteAt(scan.at + 1);
  return byteAt(scan.at - 1) <= 0x20 && after > 0x20 && after !== 0x3d;
}

function isNumber(): bool {
  let at = scan.lastAt;
  while (at >= FILE_AT && isWordByte(byteAt(at))) at -= 1;
  const first = byteAt(at + 1);
  return first >= 0x30 && first <= 0x39;
}

function closingOf(open: i32): i32 {
  switch (open) {
    case 0x28:
      return 0x29;
    case 0x5b:
      return 0x5d;
    case 0x7b:
      return 0x7d;
    case 0x3c:
      return 0x3e;
    default:
      return open;
  }
}
