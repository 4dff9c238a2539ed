/** Ruby's literals: here-documents, `%w[…]` and its like, symbols, regexes over several lines. */
import { scanString } from "./literals.ts";
import { LineKind, Previous, type Scan } from "./state.ts";
import { dynamicString, heredocString } from "./string-rules.ts";
import { WordMark } from "./word-table.ts";

const CLOSERS: Readonly<Record<number, number>> = { 40: 0x29, 91: 0x5d, 123: 0x7d, 60: 0x3e };

/** `<<~NAME`, `<<-'NAME'`, `<<NAME`: the text begins with the next line. */
export function scanRubyHeredoc(scan: Scan): boolean {
  const { bytes } = scan;
  let at = scan.at + 2;
  const indented = bytes[at] === 0x7e || bytes[at] === 0x2d;
  if (indented) at += 1;
  const quote = bytes[at] as number;
  const quoted = quote === 0x22 || quote === 0x27 || quote === 0x60;
  if (quoted) at += 1;
  const start = at;
  while (scan.lexicon.wordBytes[bytes[at] as number] === 1 && bytes[at] !== 0x3f) at += 1;
  if (at === start) return false;
  // `a <<B` might be a shift; a name in capitals, or a mark before it, says that it is not.
  const first = bytes[start] as number;
  if (!indented && !quoted && !(first >= 0x41 && first <= 0x5a && mayBeginLiteral(scan))) return false;
  if (quoted && bytes[at] !== quote) return false;
  const label = bytes.slice(start, at);
  scan.heredocs.push(heredocString(scan.lexicon, label, indented, quote === 0x27 ? "" : "#{"));
  scan.kind = LineKind.code;
  scan.at = quoted ? at + 1 : at;
  scan.afterOperand();
  return true;
}

/** `%w[a b]`, `%(text)`, `%r{…}`. */
export function scanPercentLiteral(scan: Scan): boolean {
  const { bytes } = scan;
  if (!mayBeginLiteral(scan)) return false;
  let at = scan.at + 1;
  const letter = bytes[at] as number;
  const lettered = "qQwWiIrxs".includes(String.fromCharCode(letter));
  if (lettered) at += 1;
  const open = bytes[at] as number;
  if (open <= 0x20 || open >= 0x7f || scan.lexicon.wordBytes[open] === 1 || (!lettered && open === 0x3d))
    return false;
  const close = CLOSERS[open] ?? open;
  const plain = letter === 0x71 || letter === 0x77 || letter === 0x69 || letter === 0x73;
  const rule = dynamicString(scan.lexicon, close, close === open ? -1 : open, plain ? "" : "#{");
  scan.kind = LineKind.code;
  scan.at = at + 1;
  scanString(scan, rule);
  return true;
}

/** A regex may go on over lines and contain code. */
export function scanRubyRegex(scan: Scan): boolean {
  if (!mayBeginLiteral(scan)) return false;
  scan.kind = LineKind.code;
  scan.at += 1;
  scanString(scan, dynamicString(scan.lexicon, 0x2f, -1, "#{"));
  return true;
}

/** `:name`, `:"name"`: a symbol is no keyword. */
export function scanRubyColon(scan: Scan): boolean {
  const { bytes, at } = scan;
  const { wordBytes } = scan.lexicon;
  const before = at === 0 ? 0x20 : (bytes[at - 1] as number);
  const next = bytes[at + 1] as number;
  scan.kind = LineKind.code;
  // `:/`, `:%`, `:<<`: operators by name.
  if (
    scan.previous === Previous.expects &&
    (next === 0x2f || next === 0x25 || next === 0x3c || next === 0x60)
  ) {
    scan.at += next === 0x3c && bytes[at + 2] === 0x3c ? 3 : 2;
    scan.afterOperand();
    return true;
  }
  if (next === 0x3a || before === 0x3a || wordBytes[before] === 1 || wordBytes[next] !== 1) return false;
  let end = at + 1;
  while (wordBytes[bytes[end] as number] === 1) end += 1;
  if ((bytes[end] === 0x3f || bytes[end] === 0x21) && bytes[end + 1] !== 0x3d) end += 1;
  scan.at = end;
  scan.afterOperand();
  return true;
}

/** `$'`, `$?`, `$/`: globals whose names are signs. */
export function scanRubyGlobal(scan: Scan): boolean {
  const next = scan.bytes[scan.at + 1] as number;
  if (next <= 0x20 || scan.lexicon.wordBytes[next] === 1) return false;
  scan.kind = LineKind.code;
  scan.at += 2;
  scan.afterOperand();
  return true;
}

/** Where an operand may stand, or behind a method's name as its first argument: a space before and none after. */
function mayBeginLiteral(scan: Scan): boolean {
  const { bytes, at } = scan;
  // `def /(other)`
  if ((scan.lastMarks & WordMark.function) !== 0) return false;
  const last = scan.lastByte();
  if (last === 0x2e) return false;
  if (scan.previous === Previous.expects) return true;
  if (scan.lexicon.wordBytes[last] !== 1 && last !== 0x3f && last !== 0x21) return false;
  if (isNumber(scan)) return false;
  const after = bytes[at + 1] as number;
  return (bytes[at - 1] as number) <= 0x20 && after > 0x20 && after !== 0x3d;
}

function isNumber(scan: Scan): boolean {
  let at = scan.lastAt;
  while (at >= 0 && scan.lexicon.wordBytes[scan.bytes[at] as number] === 1) at -= 1;
  const first = scan.bytes[at + 1] as number;
  return first >= 0x30 && first <= 0x39;
}
