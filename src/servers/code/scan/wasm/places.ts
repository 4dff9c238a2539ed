/** Questions about a place in the file that several readers ask. */
import { FILE_AT } from "../tables.ts";
import { byteAt } from "./memory.ts";
import { scan } from "./state.ts";

/** Whether nothing but white space stands before it on its line. */
export function isFirstOnLine(start: i32): bool {
  let at = start - 1;
  while (at >= FILE_AT && (byteAt(at) === 0x20 || byteAt(at) === 0x09)) at -= 1;
  return at < FILE_AT || byteAt(at) === 0x0a || byteAt(at) === 0x0d;
}

/** The first place from `at` on that is no white space. */
export function skipSpace(at: i32): i32 {
  while (byteAt(at) <= 0x20 && at < scan.end) at += 1;
  return at;
}
