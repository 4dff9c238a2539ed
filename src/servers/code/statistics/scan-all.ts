/**
 * Work on many rows of a table: alone for a few, with helping threads for many. The server's thread works too,
 * in short turns, so that it still answers; what a dead helper took with it, it does itself.
 */
import { scannerModule } from "../scan/scanner.ts";
import { FileState, type FileTable } from "./file-table.ts";
import { askGit, believedRows, type GitLook } from "./git-look.ts";
import { askHelper, helpersFor } from "./helpers.ts";
import { type LookJob, takeLooks } from "./look-rows.ts";
import type { PackedNames } from "./names.ts";
import { createScanJob, newProgress, type ScanJob, takeRows } from "./scan-rows.ts";
import { countRows } from "./settled-rows.ts";

/** Starting a thread takes as long as scanning, or looking at, about this many files. */
const SCANS_PER_HELPER = 1500;
const LOOKS_PER_HELPER = 15_000;
/** So few are looked at before a helper has heard of them. */
const LOOKS_ALONE = 1000;
const TURN_MS = 40;

export interface ScanRequest {
  readonly root: string;
  readonly table: FileTable;
  readonly names: PackedNames;
  readonly rows: readonly number[];
}

export async function scanRows({ root, table, names, rows }: ScanRequest): Promise<void> {
  if (rows.length === 0) return;
  // Here and not at the first file: a scanner that is missing is no file's fault.
  scannerModule();
  for (const row of rows) table.columns.state[row] = FileState.unknown;
  const job = createScanJob(root, names, table.columns, rows);
  const helping = Array.from({ length: helpersFor(rows.length, SCANS_PER_HELPER) }, () =>
    askHelper({ kind: "scan", job }),
  );
  await finishScan(job, Promise.all(helping));
}

/** Works with whoever has begun on the job, until all of its rows are filled. */
export async function finishScan(job: ScanJob, others: Promise<unknown>): Promise<void> {
  await inTurns((deadline) => takeRows(job, deadline));
  await others;
  if ((job.progress[1] as number) === job.rows.length) return;
  const { root, names: bytes, offsets, columns } = job;
  const lost = job.rows.filter((row) => columns.state[row] === FileState.unknown);
  const rest = createScanJob(root, { bytes, offsets }, columns, lost);
  await inTurns((deadline) => takeRows(rest, deadline));
}

export interface LookRequest {
  readonly root: string;
  readonly table: FileTable;
  readonly names: PackedNames;
  /** Rows that were filled later than this (milliseconds since 1970) need no look. */
  readonly since: number;
  /** What git can look with, of these rows. */
  readonly gitLook: GitLook | undefined;
  /** What it says, when it was asked before. */
  readonly asked?: Promise<readonly string[] | undefined> | undefined;
}

/**
 * Begins to look for rows whose file is not as it was when it was scanned: git looks at what it can, else helpers look
 * at all. The function that is returned looks at the rest, and gives those rows.
 */
export function beginLook(request: LookRequest): () => Promise<number[]> {
  const { root, names, gitLook } = request;
  if (!gitLook) return lookOurselves(request);
  const asked = request.asked ?? askGit(gitLook.folder, root);
  return async () => {
    const changed = await asked;
    return await lookOurselves(request, changed && believedRows(names, gitLook, changed))();
  };
}

function lookOurselves(
  { root, table, names, since }: LookRequest,
  believed?: Uint8Array,
): () => Promise<number[]> {
  const job: LookJob = {
    root,
    names: names.bytes,
    offsets: names.offsets,
    columns: table.columns,
    since,
    believed,
    dirty: new Uint8Array(new SharedArrayBuffer(table.length)),
    progress: newProgress(),
  };
  const rows = believed ? table.length - countRows(believed) : table.length;
  const helpers = rows < LOOKS_ALONE ? 0 : helpersFor(rows, LOOKS_PER_HELPER);
  const helping = Array.from({ length: helpers }, () => askHelper({ kind: "look", job }));
  return async () => {
    await inTurns((deadline) => takeLooks(job, deadline));
    await Promise.all(helping);
    if ((job.progress[1] as number) < table.length) {
      const again = { ...job, progress: newProgress() };
      await inTurns((deadline) => takeLooks(again, deadline));
    }
    const rows: number[] = [];
    for (let row = job.dirty.indexOf(1); row >= 0; row = job.dirty.indexOf(1, row + 1)) rows.push(row);
    return rows;
  };
}

async function inTurns(work: (deadline: number) => boolean): Promise<void> {
  while (!work(performance.now() + TURN_MS)) await new Promise(setImmediate);
}
