/** `#if`, `#define` …: the whole directive, with its continued lines, decides nothing at run time. */
import { scanBlockComment, scanLineComment } from "./literals.ts";
import { byteAt, lexicon, Opener } from "./memory.ts";
import { LineKind, scan } from "./state.ts";

/** `scan.at` is on the `#`; false when something stands before it on its line. */
export function scanDirective(): bool {
  if (scan.kind !== LineKind.blank) return false;
  const end = scan.end;
  scan.kind = LineKind.code;
  let at = scan.at + 1;
  for (;;) {
    const byte = byteAt(at);
    if (byte === 0 && at >= end) break;
    if (byte === 0x0a || byte === 0x0d) {
      const last = byteAt(at - 1) === 0x0d ? byteAt(at - 2) : byteAt(at - 1);
      if (last !== 0x5c) break;
      at = scan.crossLine(at);
      scan.kind = LineKind.code;
    } else if (byte === 0x2f && byteAt(at + 1) === 0x2f) {
      scan.at = at;
      scanLineComment();
      return true;
    } else if (byte === 0x2f && byteAt(at + 1) === 0x2a) {
      scan.at = at;
      scanBlockComment(changetype<Opener>(lexicon.directiveComment));
      at = scan.at;
    } else if (byte === 0x22 || byte === 0x27) {
      at = skipQuotedOnLine(at);
    } else at += 1;
  }
  scan.at = at;
  return true;
}

function skipQuotedOnLine(at: i32): i32 {
  const end = scan.end;
  const quote = byteAt(at);
  const start = at;
  for (at += 1; at < end; at += 1) {
    const byte = byteAt(at);
    if (byte === 0x5c) at += 1;
    else if (byte === quote) return at + 1;
    else if (byte === 0x0a) return start + 1;
  }
  return at;
}
