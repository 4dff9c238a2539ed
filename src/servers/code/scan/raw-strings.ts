/** Strings whose end depends on how they began: C++ `R"x(…)x"`, Rust `r#"…"#`, Swift `#"…"#`. */
import { crossedIntoText, matches } from "./literals.ts";
import { LineKind, type Scan } from "./state.ts";

const QUOTE = 0x22;
const HASH = 0x23;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** `scan.at` is on the quote behind `R`. */
export function scanCppRawString(scan: Scan): boolean {
  const { bytes } = scan;
  if (bytes[scan.at] !== QUOTE) return false;
  let at = scan.at + 1;
  while (at - scan.at < 18 && bytes[at] !== 0x28) at += 1;
  if (bytes[at] !== 0x28) return false;
  const delimiter = bytes.slice(scan.at + 1, at);
  const close = Buffer.concat([Buffer.from(")"), delimiter, Buffer.from('"')]);
  return readTo(scan, at + 1, close);
}

/** `scan.at` is on the first `#` or the quote. */
export function scanHashString(scan: Scan): boolean {
  const { bytes } = scan;
  let at = scan.at;
  while (bytes[at] === HASH) at += 1;
  const hashes = at - scan.at;
  if (bytes[at] !== QUOTE) return false;
  if (hashes === 0 && !isRaw(scan)) return false;
  return readTo(scan, at + 1, Buffer.from(`"${"#".repeat(hashes)}`));
}

/** `r"` and `br"` know no escapes; `b"` is an ordinary string. */
function isRaw(scan: Scan): boolean {
  return scan.bytes[scan.at - 1] === 0x72;
}

function readTo(scan: Scan, at: number, close: Uint8Array): boolean {
  const { bytes, end } = scan;
  const first = close[0] as number;
  scan.kind = LineKind.code;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === first && matches(bytes, at, close)) break;
    if (byte === NEWLINE || byte === RETURN) at = crossedIntoText(scan, scan.crossLine(at), LineKind.code);
    else if (at >= end) {
      scan.at = at;
      scan.afterOperand();
      return true;
    } else at += 1;
  }
  scan.at = at + close.length;
  scan.kind = LineKind.code;
  scan.afterOperand();
  return true;
}
