/**
 * The first look at a project, in a helping thread, while the server is still being loaded: what an earlier process
 * knew of it, else its files, which are scanned at once.
 */
import { type Listing, listFiles } from "../listing.ts";
import { takeListingMark } from "../listing-mark.ts";
import { openCache } from "./cache.ts";
import { allocateColumns } from "./file-table.ts";
import type { FirstLookRequest, HelperNews } from "./helper-task.ts";
import { countNames, packNames } from "./names.ts";
import { createScanJob, takeRows } from "./scan-rows.ts";

export async function lookFirst(
  { root, cacheFolder, listing }: FirstLookRequest,
  tell: (news: HelperNews) => void,
): Promise<void> {
  if (listing) return scanFirst(root, listing, tell);
  const cache = cacheFolder === undefined ? undefined : openCache(cacheFolder);
  const cached = cache?.load(root);
  cache?.close();
  if (!cached) return scanFirst(root, await listFiles(root), tell);
  const { names, table, gitLook } = cached;
  const mark = cached.mark ?? (await takeListingMark(root, table.paths));
  const { columns } = table;
  tell({ kind: "cached", names, columns, mark, gitLook, isNewMark: !cached.mark });
}

function scanFirst(root: string, { names: raw, source }: Listing, tell: (news: HelperNews) => void): void {
  const names = packNames(raw);
  const columns = allocateColumns(countNames(names));
  const job = createScanJob(root, names, columns);
  const { rows, progress } = job;
  tell({ kind: "scanning", names, source, columns, rows, progress });
  takeRows(job, Number.POSITIVE_INFINITY);
}
