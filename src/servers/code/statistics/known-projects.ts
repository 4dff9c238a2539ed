/**
 * Which projects the cache knows, told without opening it: an empty file for each, beside the database. A hint and
 * no more: one that is wrong costs time.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function isProbablyKnown(cacheFolder: string, root: string): boolean {
  return existsSync(markOf(cacheFolder, root));
}

export function noteKnown(cacheFolder: string, root: string): void {
  mkdirSync(folderIn(cacheFolder), { recursive: true, mode: 0o700 });
  writeFileSync(markOf(cacheFolder, root), "", { mode: 0o600 });
}

/** Those that were noted before this moment (milliseconds since 1970). */
export function forgetKnown(cacheFolder: string, before: number): void {
  for (const name of readdirSync(folderIn(cacheFolder))) {
    const mark = join(folderIn(cacheFolder), name);
    if (lstatSync(mark).mtimeMs < before) rmSync(mark, { force: true });
  }
}

/** A file name for a project. Short and nearly always its own: node:crypto would take longer to load than all else. */
export function fileNameOf(root: string): string {
  let [one, other] = [0x811c9dc5, 0x1234567];
  for (let at = 0; at < root.length; at += 1) {
    one = Math.imul(one ^ root.charCodeAt(at), 0x01000193);
    other = (Math.imul(other, 31) + root.charCodeAt(at)) | 0;
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

function folderIn(cacheFolder: string): string {
  return join(cacheFolder, "known");
}

function markOf(cacheFolder: string, root: string): string {
  return join(folderIn(cacheFolder), fileNameOf(root));
}
