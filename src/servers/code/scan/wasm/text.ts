/** Whether a file is plain text at first sight, as most are; where it is not, others look closer. */
import { FILE_AT } from "../tables.ts";
import { byteAt } from "./memory.ts";

/** Whether the `length` bytes at `FILE_AT` are ASCII, and none is zero. */
export function isAscii(length: i32): bool {
  const end = FILE_AT + length;
  let at = FILE_AT;
  // With a sign, these are the bytes above zero.
  let least = i8x16.splat(1);
  for (; at + 16 <= end; at += 16) least = i8x16.min_s(least, v128.load(at));
  for (; at < end; at += 1) if (byteAt(at) === 0 || byteAt(at) > 0x7f) return false;
  return i8x16.all_true(i8x16.gt_s(least, i8x16.splat(0)));
}
