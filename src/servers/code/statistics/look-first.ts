/**
 * The first look at a project, in a helping thread, while the server is still being loaded: what an earlier process
 * knew of it, else its files, which are scanned at once. A folder that is no work tree is left alone until somebody
 * asks: it may be a whole disk.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { listFiles } from "../listing.ts";
import { takeListingMark } from "../listing-mark.ts";
import { sharedScanner } from "../scan/scanner.ts";
import { openCache } from "./cache.ts";
import { allocateColumns } from "./file-table.ts";
import type { FirstLookRequest, HelperNews } from "./helper-task.ts";
import { countNames, packNames } from "./names.ts";
import { createScanJob, takeRows } from "./scan-rows.ts";

export async function lookFirst(
  { root, cacheFolder }: FirstLookRequest,
  tell: (news: HelperNews) => void,
): Promise<void> {
  const cache = cacheFolder === undefined ? undefined : openCache(cacheFolder);
  const cached = cache?.load(root);
  cache?.close();
  if (cached) {
    const { names, table, gitLook } = cached;
    const mark = cached.mark ?? (await takeListingMark(root, table.paths));
    const { columns } = table;
    return tell({ kind: "cached", names, columns, mark, gitLook, isNewMark: !cached.mark });
  }
  if (!isWorkTree(root)) return;
  const listing = listFiles(root);
  // While git lists them.
  sharedScanner();
  const { names: raw, source } = await listing;
  const names = packNames(raw);
  const columns = allocateColumns(countNames(names));
  const job = createScanJob(root, names, columns);
  const { rows, progress } = job;
  tell({ kind: "scanning", names, source, columns, rows, progress });
  takeRows(job, Number.POSITIVE_INFINITY);
}

function isWorkTree(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isWorkTree(parent);
}
