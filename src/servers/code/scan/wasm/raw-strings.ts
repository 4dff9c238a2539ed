/** Strings whose end depends on how they began: C++ `R"x(…)x"`, Rust `r#"…"#`, Swift `#"…"#`. */

import { crossedIntoText } from "./literals.ts";
import { byteAt, matches } from "./memory.ts";
import { LineKind, scan } from "./state.ts";

const QUOTE = 0x22;
const HASH = 0x23;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const PAREN_CLOSE = 0x29;

/** `scan.at` is on the quote behind `R`. */
export function scanCppRawString(): bool {
  if (byteAt(scan.at) !== QUOTE) return false;
  const delimiter = scan.at + 1;
  let at = delimiter;
  while (at - scan.at < 18 && byteAt(at) !== 0x28) at += 1;
  if (byteAt(at) !== 0x28) return false;
  const length = at - delimiter;
  const end = scan.end;
  scan.kind = LineKind.code;
  for (at += 1; at < end; at = passRaw(at)) {
    if (byteAt(at) !== PAREN_CLOSE || !matches(at + 1, delimiter, length)) continue;
    if (byteAt(at + 1 + length) === QUOTE) return closeRaw(at + length + 2);
  }
  return leaveOpen(at);
}

/** `scan.at` is on the first `#` or the quote. */
export function scanHashString(): bool {
  let at = scan.at;
  while (byteAt(at) === HASH && scan.mayLook()) at += 1;
  const hashes = at - scan.at;
  if (byteAt(at) !== QUOTE) return false;
  if (hashes === 0 && !isRaw()) return false;
  const end = scan.end;
  const opening = scan.at;
  scan.kind = LineKind.code;
  for (at += 1; at < end; at = passRaw(at)) {
    if (byteAt(at) === QUOTE && matches(at + 1, opening, hashes)) return closeRaw(at + 1 + hashes);
  }
  return leaveOpen(at);
}

/** `r"` and `br"` know no escapes; `b"` is an ordinary string. */
function isRaw(): bool {
  return byteAt(scan.at - 1) === 0x72;
}

/** Over one byte of the text, or over a line end. */
function passRaw(at: i32): i32 {
  const byte = byteAt(at);
  if (byte === NEWLINE || byte === RETURN) return crossedIntoText(scan.crossLine(at), LineKind.code);
  return at + 1;
}

function closeRaw(at: i32): bool {
  scan.at = at;
  scan.kind = LineKind.code;
  scan.afterOperand();
  return true;
}

function leaveOpen(at: i32): bool {
  scan.at = at;
  scan.afterOperand();
  return true;
}
