/**
 * Scans the rows of a table that need it: alone for a few, with workers for many. The server's thread works too,
 * in short turns, so that it still answers; when a worker cannot start (or dies) it does the rest itself.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { scannerModule } from "../scan/scanner.ts";
import type { WasmModule } from "../scan/webassembly.ts";
import { FileState, type FileTable } from "./file-table.ts";
import { type ScanJob, takeRows } from "./scan-rows.ts";

/** Starting a worker takes as long as scanning about this many files. */
const FILES_PER_WORKER = 1500;
const MAX_WORKERS = 3;
const TURN_MS = 40;

export interface ScanRequest {
  readonly root: string;
  readonly table: FileTable;
  readonly names: PackedNames;
  readonly rows: readonly number[];
  readonly signal?: AbortSignal;
}

/** Names in shared memory: `offsets[row]` to `offsets[row + 1]`, each with its closing NUL. */
export interface PackedNames {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
}

/** What a worker is given: the job, and the scanner, so that it is compiled once for all. */
export interface WorkerJob extends ScanJob {
  readonly scanner: WasmModule;
}

export async function scanRows(request: ScanRequest): Promise<void> {
  const { root, table, names, rows, signal } = request;
  if (rows.length === 0) return;
  // Here and not at the first file: a scanner that is missing is no file's fault.
  const scanner = scannerModule();
  const shared = new Int32Array(new SharedArrayBuffer(rows.length * 4));
  shared.set(rows);
  for (const row of rows) table.columns.state[row] = FileState.unknown;
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const job: ScanJob = {
    root,
    names: names.bytes,
    offsets: names.offsets,
    columns: table.columns,
    rows: shared,
    progress,
    now: Date.now(),
  };
  const helpers = Math.min(
    MAX_WORKERS,
    availableParallelism() - 1,
    Math.floor(rows.length / FILES_PER_WORKER),
  );
  const workers = Array.from({ length: Math.max(0, helpers) }, () => startWorker({ ...job, scanner }));
  while (!takeRows(job, performance.now() + TURN_MS)) {
    signal?.throwIfAborted();
    await new Promise(setImmediate);
  }
  await Promise.all(workers);
  // A worker that died took rows with it: they are still unknown.
  if ((progress[1] as number) < rows.length) await scanLost(request);
}

/** Resolves when the worker has ended, well or not. */
function startWorker(workerData: WorkerJob): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  try {
    const worker = new Worker(workerFile(), { workerData, stdout: false, stderr: false });
    worker.once("error", () => resolve());
    worker.once("exit", () => resolve());
  } catch {
    resolve();
  }
  return promise;
}

/** Beside this file in the sources; the build puts it beside its chunk under a name of its own. */
function workerFile(): URL {
  const source = import.meta.url.endsWith(".ts");
  return new URL(source ? "./scan-worker.ts" : "./code-scan-worker.js", import.meta.url);
}

async function scanLost({ root, table, names, rows, signal }: ScanRequest): Promise<void> {
  const lost = rows.filter((row) => table.columns.state[row] === FileState.unknown);
  const job: ScanJob = {
    root,
    names: names.bytes,
    offsets: names.offsets,
    columns: table.columns,
    rows: Int32Array.from(lost),
    progress: new Int32Array(2),
    now: Date.now(),
  };
  while (!takeRows(job, performance.now() + TURN_MS)) {
    signal?.throwIfAborted();
    await new Promise(setImmediate);
  }
}
