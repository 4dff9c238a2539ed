/** A worker that scans rows of a shared table beside the server's own thread. See scan-all.ts. */
import { workerData } from "node:worker_threads";
import { type ScanJob, takeRows } from "./scan-rows.ts";

takeRows(workerData as ScanJob, Number.POSITIVE_INFINITY);
