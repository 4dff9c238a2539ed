/** Whether a word that may begin a function does: a type or a declaration without a body is none. */
import { HAS_CLOSURES, NEEDS_BLOCK, NEEDS_BLOCK_ON_LINE } from "../tables.ts";
import { byteAt, has, isWordByte, lexicon } from "./memory.ts";
import { skipSpace } from "./places.ts";
import { scan } from "./state.ts";

const MAX_HEADER = 8192;

/** A type (`fn(u8)`, `func(int) bool`) or a declaration without a body is no function. */
export function beginsFunction(before: i32): bool {
  switch (lexicon.needs) {
    case NEEDS_BLOCK:
      return hasBlockAhead();
    case NEEDS_BLOCK_ON_LINE:
      // `[]func(int) bool{…}` is a list of functions.
      return byteAt(before) !== 0x5d && hasBodyOnLine();
    default:
      return true;
  }
}

/** Whether a name and parameters follow, and a block before the next semicolon. */
function hasBlockAhead(): bool {
  let at = scan.at;
  while (byteAt(at) === 0x20 || byteAt(at) === 0x2a || byteAt(at) === 0x26) at += 1;
  // `fn(u8)` is a type; `function (a)` is a function without a name.
  if (has(HAS_CLOSURES) && !isWordByte(byteAt(at))) return false;
  const end = min(scan.end, at + MAX_HEADER);
  let level = 0;
  for (; at < end && scan.mayLook(); at += 1) {
    const byte = byteAt(at);
    if (byte === 0x28 || byte === 0x5b) level += 1;
    else if (byte === 0x29 || byte === 0x5d) level -= 1;
    else if (level === 0 && byte === 0x7b) return true;
    else if (level === 0 && (byte === 0x3b || byte === 0x7d)) return false;
    else if (level === 0 && byte === 0x3d && byteAt(at + 1) === 0x3e) return true;
    if (level < 0) return false;
  }
  return false;
}

export function isBeforeBrace(): bool {
  return byteAt(skipSpace(scan.at)) === 0x7b;
}

/** Go: whether `func(…) result` is followed by a body on the same line. */
function hasBodyOnLine(): bool {
  const end = scan.end;
  let level = 0;
  for (let at = scan.at; at < end && scan.mayLook(); at += 1) {
    const byte = byteAt(at);
    if (byte === 0x28 || byte === 0x5b) level += 1;
    else if (byte === 0x29 || byte === 0x5d) {
      level -= 1;
      if (level < 0) return false;
    } else if (level > 0) continue;
    else if (byte === 0x7b) {
      if (!scan.endsWith("interface", at - 1) && !scan.endsWith("struct", at - 1)) return true;
      while (at < end && byteAt(at) !== 0x7d && scan.mayLook()) at += 1;
    } else if (byte === 0x0a || byte === 0x2c || byte === 0x3b || byte === 0x3d || byte === 0x7d)
      return false;
  }
  return false;
}
