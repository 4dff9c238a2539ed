/**
 * Which rows another look can tell true by whole seconds. Git compares no more of a file's times; a row is settled
 * when its file had been left alone for some seconds before it was last seen. Any change since then has a later
 * second in the time that only the system sets, whatever was done to the other one.
 */
import { type FileColumns, FileState } from "./file-table.ts";

/** More than one second, and more than clocks of file servers mostly are behind ours. */
const QUIET_MS = 5000;
/** What git's index can hold. */
const MAX_UINT32 = 0xffff_ffff;

/** 1 for each settled row. At `looked` (milliseconds since 1970) every row that is older was true. */
export function settledRows(columns: FileColumns, looked: number): Uint8Array {
  const { state, size, modified, changed, seen } = columns;
  const settled = new Uint8Array(new SharedArrayBuffer(state.length));
  for (let row = 0; row < settled.length; row += 1) {
    const last = Math.max(modified[row] as number, changed[row] as number);
    const isQuiet = Math.max(looked, seen[row] as number) - last >= QUIET_MS;
    if (isQuiet && wasRead(state[row] as number) && fits(size, modified, changed, row)) settled[row] = 1;
  }
  return settled;
}

/** How many rows are marked with 1. */
export function countRows(marked: Uint8Array): number {
  let rows = 0;
  for (let row = 0; row < marked.length; row += 1) rows += marked[row] as number;
  return rows;
}

/** A regular file that could be opened. */
function wasRead(state: number): boolean {
  switch (state) {
    case FileState.counted:
    case FileState.noLanguage:
    case FileState.binary:
    case FileState.tooLarge:
      return true;
    default:
      return false;
  }
}

/** Files that are left out by their names alone have no times. */
function fits(size: Float64Array, modified: Float64Array, changed: Float64Array, row: number): boolean {
  return (
    (size[row] as number) <= MAX_UINT32 && isTime(modified[row] as number) && isTime(changed[row] as number)
  );
}

function isTime(time: number): boolean {
  return time >= 1000 && time / 1000 <= MAX_UINT32;
}
