/**
 * Looks whether files are still as they were when their rows were filled, by their sizes and times alone. Several
 * threads share the rows, as they do for scanning.
 */
import { lstatSync } from "node:fs";
import { mayHaveChangedSince } from "../file-clock.ts";
import { type FileColumns, FileState } from "./file-table.ts";

export interface LookJob {
  readonly root: string;
  /** The names of all rows, NUL-separated, and where each begins. */
  readonly names: Uint8Array;
  readonly offsets: Int32Array;
  readonly columns: FileColumns;
  /** Rows that were filled later than this (milliseconds since 1970) need no look. */
  readonly since: number;
  /** 1 for each row that is known to be true and needs no look. */
  readonly believed: Uint8Array | undefined;
  /** 1 for each row that must be filled again. */
  readonly dirty: Uint8Array;
  /** [0]: how many rows are taken; [1]: how many are done. */
  readonly progress: Int32Array;
}

const STEP = 64;
const IF_ANY = { throwIfNoEntry: false } as const;

/** Looks until no rows are left or the time is over. True when there is nothing more to take. */
export function takeLooks(job: LookJob, deadline: number): boolean {
  const { dirty, progress, columns, offsets, since, believed } = job;
  const names = Buffer.from(job.names.buffer, job.names.byteOffset, job.names.byteLength);
  for (;;) {
    const from = Atomics.add(progress, 0, STEP);
    if (from >= dirty.length) return true;
    const to = Math.min(from + STEP, dirty.length);
    if (believed && !believed.subarray(from, to).includes(0)) {
      Atomics.add(progress, 1, to - from);
      continue;
    }
    // All of them at once: one by one, making the names takes as long as asking the system.
    const paths = names.toString("utf8", offsets[from] as number, offsets[to] as number).split("\0");
    for (let row = from; row < to; row += 1) {
      if (believed?.[row] === 1 || (columns.seen[row] as number) > since || isByNameAlone(columns, row)) {
        continue;
      }
      if (!isAsItWas(`${job.root}/${paths[row - from]}`, columns, row)) dirty[row] = 1;
    }
    Atomics.add(progress, 1, to - from);
    if (performance.now() > deadline) return false;
  }
}

/** Left out by its name alone: no content can change that. */
function isByNameAlone({ state, size, changed, seen }: FileColumns, row: number): boolean {
  if (seen[row] === 0 || size[row] !== 0 || changed[row] !== 0) return false;
  return state[row] === FileState.noLanguage || state[row] === FileState.binary;
}

function isAsItWas(file: string, { size, modified, changed, seen }: FileColumns, row: number): boolean {
  const stats = lstatSync(file, IF_ANY);
  return (
    stats !== undefined &&
    stats.size === size[row] &&
    stats.mtimeMs === modified[row] &&
    stats.ctimeMs === changed[row] &&
    !mayHaveChangedSince(Math.max(stats.mtimeMs, stats.ctimeMs), seen[row] as number)
  );
}
