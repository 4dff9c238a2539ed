/**
 * A project's file names as they came from git or ripgrep: one run of bytes, packed in shared memory, and the
 * same as strings in order. Names that are not UTF-8 cannot be addressed and are counted apart.
 */
import { isUtf8 } from "node:buffer";

/** Names in shared memory: `offsets[row]` to `offsets[row + 1]`, each with its closing NUL. */
export interface PackedNames {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
}

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
  const asTheyCame = notUtf8.length === 0 && isSorted(paths);
  if (!asTheyCame) paths.sort(compare);
  const bytes = share(asTheyCame ? raw : Buffer.from(paths.map((path) => `${path}\0`).join("")));
  return { raw, paths, notUtf8, bytes, offsets: findOffsets(bytes, paths.length) };
}

function share(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function findOffsets(bytes: Uint8Array, count: number): Int32Array {
  const offsets = new Int32Array(new SharedArrayBuffer((count + 1) * 4));
  let row = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0) continue;
    row += 1;
    offsets[row] = at + 1;
  }
  return offsets;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isSorted(paths: readonly string[]): boolean {
  for (let i = 1; i < paths.length; i += 1) if ((paths[i - 1] as string) > (paths[i] as string)) return false;
  return true;
}
