/**
 * Many files by several threads: the rows to scan lie in shared memory, and each thread takes the next few until
 * none are left. Nothing is sent back, because the rows themselves are shared.
 */

import { RealFolders } from "../real-folders.ts";
import type { FileColumns } from "./file-table.ts";
import { countNames, type PackedNames } from "./names.ts";
import { scanFile } from "./scan-file.ts";

/** [0]: how many of the rows are taken; [1]: how many are done. */
export type ScanProgress = Int32Array;

export interface ScanJob {
  readonly root: string;
  /** The names of all rows, NUL-separated, and where each begins. */
  readonly names: Uint8Array;
  readonly offsets: Int32Array;
  readonly columns: FileColumns;
  /** Rows to look at. */
  readonly rows: Int32Array;
  readonly progress: ScanProgress;
}

/** Rows that a thread takes at once: many, so that threads hardly meet in the same folders; few near the end. */
const STEP = 64;
const LAST_STEP = 8;
const LAST_ROWS = 1024;

/** Of these rows, or of all. */
export function createScanJob(
  root: string,
  names: PackedNames,
  columns: FileColumns,
  rows?: ArrayLike<number>,
): ScanJob {
  const shared = new Int32Array(new SharedArrayBuffer((rows?.length ?? countNames(names)) * 4));
  if (rows) shared.set(rows);
  else for (let row = 0; row < shared.length; row += 1) shared[row] = row;
  const { bytes, offsets } = names;
  return { root, names: bytes, offsets, columns, rows: shared, progress: newProgress() };
}

export function newProgress(): ScanProgress {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Scans until no rows are left or the time is over. True when there is nothing more to take. */
export function takeRows(job: ScanJob, deadline: number): boolean {
  const { root, offsets, columns, rows, progress } = job;
  const folders = foldersOf(job);
  const names = Buffer.from(job.names.buffer, job.names.byteOffset, job.names.byteLength);
  for (;;) {
    const step = rows.length - Atomics.load(progress, 0) > LAST_ROWS ? STEP : LAST_STEP;
    const from = Atomics.add(progress, 0, step);
    if (from >= rows.length) return true;
    const to = Math.min(from + step, rows.length);
    // Before any of them is opened: what changes from now on is later than what was seen.
    const now = Date.now();
    for (let i = from; i < to; i += 1) {
      const row = rows[i] as number;
      const path = names.toString("utf8", offsets[row] as number, (offsets[row + 1] as number) - 1);
      scanFile({ root, path, row, columns, folders, now });
    }
    Atomics.add(progress, 1, to - from);
    if (performance.now() > deadline) return false;
  }
}

const foldersOfJobs = new WeakMap<ScanJob, RealFolders>();

/** A job comes here turn by turn: what was seen of its folders stays for all of them. */
function foldersOf(job: ScanJob): RealFolders {
  const folders = foldersOfJobs.get(job) ?? new RealFolders(job.root);
  foldersOfJobs.set(job, folders);
  return folders;
}
