/**
 * The texts of many files of a project, one after another, letting others work in between. Links are not
 * followed; what cannot be read or is no text is passed over.
 */
import { isUtf8 } from "node:buffer";
import * as fs from "node:fs";
import { decodeText } from "../../lib/text-encoding.ts";
import { RealFolders } from "./real-folders.ts";

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;
const MAX_BYTES = 4 * 1024 * 1024;
const TURN_MS = 40;

export interface ProjectText {
  readonly path: string;
  readonly text: string;
}

export async function* readTexts(
  root: string,
  paths: Iterable<string>,
  options: { readonly signal?: AbortSignal } = {},
): AsyncIterable<ProjectText> {
  const folders = new RealFolders(root);
  let turn = performance.now() + TURN_MS;
  for (const path of paths) {
    if (performance.now() > turn) {
      options.signal?.throwIfAborted();
      await new Promise(setImmediate);
      turn = performance.now() + TURN_MS;
    }
    const text = folders.has(path) ? readText(`${root}/${path}`) : undefined;
    if (text !== undefined) yield { path, text };
  }
}

function readText(file: string): string | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    const bytes = Buffer.allocUnsafe(stats.size);
    const length = fs.readSync(fd, bytes, 0, stats.size, 0);
    const read = bytes.subarray(0, length);
    return isUtf8(read) && !read.includes(0) ? read.toString("utf8") : decodeText(read)?.text;
  } catch {
    return undefined;
  } finally {
    fs.closeSync(fd);
  }
}
