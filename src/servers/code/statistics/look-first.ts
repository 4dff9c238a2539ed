/**
 * The first look at a project, in a helping thread, while the server is still being loaded: what an earlier process
 * knew of it, else its files, which are scanned at once. A folder that is no work tree is left alone until somebody
 * asks: it may be a whole disk.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { languageOfPath, syntaxOf } from "../languages/index.ts";
import { listFiles } from "../listing.ts";
import { takeListingMark } from "../listing-mark.ts";
import { lexiconOf } from "../scan/lexicon.ts";
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
  prepareScanner();
  const { names: raw, source } = await listing;
  const names = packNames(raw);
  const columns = allocateColumns(countNames(names));
  const job = createScanJob(root, names, columns, columns.state.keys());
  const { rows, progress } = job;
  tell({ kind: "scanning", names, source, columns, rows, progress });
  takeRows(job, Number.POSITIVE_INFINITY);
}

/** While git lists the files: the scanner, with the tables of languages that most projects have. */
function prepareScanner(): void {
  const scanner = sharedScanner();
  for (const path of COMMON) scanner.scan(0, lexiconOf(syntaxOf(languageOfPath(path), path)));
}

const COMMON = [
  "a.ts",
  "a.js",
  "a.json",
  "a.md",
  "a.html",
  "a.css",
  "a.py",
  "a.java",
  "a.c",
  "a.go",
  "a.yaml",
];

function isWorkTree(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isWorkTree(parent);
}
