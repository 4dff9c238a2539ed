/** A worker that scans rows of a shared table beside the server's own thread. See scan-all.ts. */
import { workerData } from "node:worker_threads";
import { useScannerModule } from "../scan/scanner.ts";
import type { WorkerJob } from "./scan-all.ts";
import { takeRows } from "./scan-rows.ts";

const { scanner, ...job } = workerData as WorkerJob;
useScannerModule(scanner);
takeRows(job, Number.POSITIVE_INFINITY);
