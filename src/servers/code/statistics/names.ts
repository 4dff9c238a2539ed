/**
 * A project's file names as they came from git or ripgrep: one run of bytes, packed in shared memory, and the
 * same as strings in order. Names that are not UTF-8 cannot be addressed and are counted apart.
 */
import { isUtf8 } from "node:buffer";
import type { PackedNames } from "./scan-all.ts";

export interface ProjectNames extends PackedNames {
  /** What the tool said, to see at once that nothing changed. */
  readonly raw: Buffer;
  readonly paths: readonly string[];
  readonly notUtf8: readonly string[];
}

export function packNames(raw: Buffer): ProjectNames {
  const notUtf8: string[] = [];
  let paths = raw.toString("utf8").split("\0");
  paths.pop();
  if (!isUtf8(raw)) {
    const good: string[] = [];
    for (const path of paths) (path.includes("\ufffd") ? notUtf8 : good).push(path);
    paths = good;
  }
  if (!isSorted(paths)) paths.sort(compare);
  const joined = paths.length === 0 ? "" : `${paths.join("\0")}\0`;
  const bytes = new Uint8Array(new SharedArrayBuffer(Buffer.byteLength(joined)));
  Buffer.from(bytes.buffer).write(joined, "utf8");
  return { raw, paths, notUtf8, bytes, offsets: findOffsets(bytes, paths.length) };
}

function findOffsets(bytes: Uint8Array, count: number): Int32Array {
  const offsets = new Int32Array(new SharedArrayBuffer((count + 1) * 4));
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let row = 0; row < count; row += 1) {
    offsets[row] = at;
    at = view.indexOf(0, at) + 1;
  }
  offsets[count] = at;
  return offsets;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isSorted(paths: readonly string[]): boolean {
  for (let i = 1; i < paths.length; i += 1) if ((paths[i - 1] as string) > (paths[i] as string)) return false;
  return true;
}
