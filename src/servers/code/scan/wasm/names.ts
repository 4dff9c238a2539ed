/**
 * Finds the names in what git or ripgrep lists, each closed by a zero: where they begin, and whether they are in the
 * order of their bytes. No scan of a source; it is here because it must be fast in a new process, too.
 */
import { FILE_AT } from "../tables.ts";
import { byteAt } from "./memory.ts";

/** How many names lie in the `length` bytes at `FILE_AT`. What is behind the last zero is none. */
export function countNames(length: i32): i32 {
  const end = FILE_AT + length;
  let count = 0;
  for (let at = FILE_AT; at < end; at += 16) count += popcnt(zerosFrom(at, end));
  return count;
}

/** Writes where each of them ends, counted from the first; true when they are sorted. */
export function splitNames(length: i32, ends: i32): bool {
  const end = FILE_AT + length;
  let sorted = true;
  let before = FILE_AT;
  let start = FILE_AT;
  for (let block = FILE_AT; block < end; block += 16) {
    for (let zeros = zerosFrom(block, end); zeros !== 0; zeros &= zeros - 1) {
      const next = block + ctz(zeros) + 1;
      if (sorted) sorted = isInOrder(before, start);
      store<i32>(ends, next - FILE_AT);
      ends += 4;
      before = start;
      start = next;
    }
  }
  return sorted;
}

/** A bit for each of sixteen bytes that is a zero before the end. */
function zerosFrom(at: i32, end: i32): i32 {
  const zeros = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0)));
  return end - at < 16 ? zeros & ((1 << (end - at)) - 1) : zeros;
}

/** Whether the name at `one`, which ends where the `other` begins, comes before it or is the same. */
function isInOrder(one: i32, other: i32): bool {
  const length = other - one;
  for (let i = 0; i < length; i += 16) {
    const differ = i8x16.bitmask(i8x16.ne(v128.load(one + i), v128.load(other + i)));
    if (differ !== 0) {
      i += ctz(differ);
      return i >= length || byteAt(one + i) < byteAt(other + i);
    }
  }
  return true;
}
