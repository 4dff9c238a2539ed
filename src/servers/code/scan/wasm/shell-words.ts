/** Shell words, looked at after they were read: which decide, which lead, which assign. */
import { byteAt, isText, isWordByte } from "./memory.ts";
import { textEnd, textIs } from "./shell-context.ts";
import { scan } from "./state.ts";

const OPEN = 0x28;
const CLOSE = 0x29;

export function isDecision(start: i32): bool {
  return (
    textIs(start, "if") ||
    textIs(start, "elif") ||
    textIs(start, "while") ||
    textIs(start, "until") ||
    textIs(start, "for") ||
    textIs(start, "select")
  );
}

/** After these a command begins, and after most words that decide. */
export function isLeader(start: i32): bool {
  return (
    textIs(start, "then") ||
    textIs(start, "do") ||
    textIs(start, "else") ||
    textIs(start, "!") ||
    textIs(start, "{") ||
    textIs(start, "time") ||
    textIs(start, "fi") ||
    textIs(start, "done") ||
    textIs(start, "}") ||
    textIs(start, "esac")
  );
}

/** `name()`, also with spaces; leaves `at` behind it. */
export function isEmptyParentheses(): bool {
  let at = scan.at;
  while (byteAt(at) === 0x20) at += 1;
  if (byteAt(at) !== OPEN) return false;
  at += 1;
  while (byteAt(at) === 0x20) at += 1;
  if (byteAt(at) !== CLOSE) return false;
  scan.at = at + 1;
  return true;
}

/** A star, with nothing around it but white space. */
export function takesTheRest(start: i32): bool {
  let end = textEnd(start);
  while (start < end && isTrimmed(byteAt(start))) start += 1;
  while (end > start && isTrimmed(byteAt(end - 1))) end -= 1;
  return end - start === 1 && byteAt(start) === 0x2a;
}

function isTrimmed(byte: i32): bool {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0xa0;
}

/** `NAME=value command`: a command still begins behind it. */
export function isAssignment(start: i32): bool {
  for (let at = start; at < scan.at; at += 1) {
    const byte = byteAt(at);
    if (byte === 0x3d) return at > start;
    if (!isWordByte(byte) && byte !== 0x2b && byte !== 0x5b && byte !== 0x5d) return false;
  }
  return false;
}

export function isEsac(at: i32): bool {
  return isText(at, "esac") && !isWordByte(byteAt(at + 4));
}
