/**
 * Reads files of the collection: always through the root's boundary, never more than a limit, and the limit is
 * judged by the size before anything is read. What goes wrong is one sentence for the reader of the answer.
 */
import { closeSync, constants, fstatSync, openSync, read, readlinkSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { isInside, openInside, SafePathError, type SafePathErrorCode } from "../../lib/safe-path.ts";
import type { RealRoot } from "./real-root.ts";

export interface ReadFile {
  readonly bytes: Buffer<ArrayBuffer>;
  /** As it was when it was opened. */
  readonly stats: Stats;
}

export type FileProblemCode = "missing" | "refused" | "too-large" | "unreadable" | "changing";

/** The message is a Japanese sentence that names the file and not where it lies. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly code: FileProblemCode;
  constructor(code: FileProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

const readAt = promisify(read);

/** For small files, where one thread hop would cost more than the reading. */
export function readSmallFile(root: RealRoot, path: string, maxBytes: number): ReadFile {
  const { fd, stats } = open(root, path, maxBytes);
  try {
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(fd, bytes, length, bytes.length - length, length);
      if (count === 0) break;
      length += count;
    }
    return settled(fd, stats, bytes, length, path);
  } finally {
    closeSync(fd);
  }
}

/** For pictures: the event loop goes on while the disk works. */
export async function readLargeFile(root: RealRoot, path: string, maxBytes: number): Promise<ReadFile> {
  const { fd, stats } = open(root, path, maxBytes);
  try {
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await readAt(fd, bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return settled(fd, stats, bytes, length, path);
  } finally {
    closeSync(fd);
  }
}

/** The first bytes alone, whatever the size of the file. */
export function readHead(root: RealRoot, path: string, count: number): ReadFile {
  const { fd, stats } = open(root, path, Number.POSITIVE_INFINITY);
  try {
    const bytes = Buffer.allocUnsafeSlow(Math.min(count, stats.size));
    const length = readSync(fd, bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, length), stats };
  } finally {
    closeSync(fd);
  }
}

export function formatBytes(bytes: number): string {
  const units = ["バイト", "KiB", "MiB", "GiB", "TiB"];
  const step = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1024 ** step;
  return `${step === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[step]}`;
}

function open(root: RealRoot, path: string, maxBytes: number): { fd: number; stats: Stats } {
  const name = fileName(path);
  try {
    const { fd, stats } = openKnown(root, path) ?? openInside(root.path, path);
    if (stats.size <= maxBytes) return { fd, stats };
    closeSync(fd);
    throw new FileProblem(
      "too-large",
      `${name} は ${formatBytes(stats.size)} あり、上限の ${formatBytes(maxBytes)} を超えるため読みません。`,
    );
  } catch (error) {
    if (error instanceof SafePathError) throw explain(error.code, name);
    throw error;
  }
}

/**
 * The ordinary case, a plain file where a listing saw it: opened at once, then judged by what the kernel says was
 * opened. Whatever is not that goes the long way, which also says what is wrong with it.
 */
function openKnown(root: RealRoot, path: string): { fd: number; stats: Stats } | undefined {
  if (process.platform !== "linux") return undefined;
  let fd: number | undefined;
  try {
    fd = openSync(join(root.path, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (stats.isFile() && isInside(root.real, readlinkSync(`/proc/self/fd/${fd}`))) return { fd, stats };
  } catch {
    // Said by the long way.
  }
  if (fd !== undefined) closeSync(fd);
  return undefined;
}

/** A file that somebody is writing gives half of the old and half of the new: say so rather than show it. */
function settled(
  fd: number,
  stats: Stats,
  bytes: Buffer<ArrayBuffer>,
  length: number,
  path: string,
): ReadFile {
  const now = fstatSync(fd);
  if (length === stats.size && now.size === stats.size && now.mtimeMs === stats.mtimeMs)
    return { bytes, stats };
  throw new FileProblem(
    "changing",
    `${fileName(path)} は書き込みの途中です。少し待ってからもう一度お試しください。`,
  );
}

function explain(code: SafePathErrorCode, name: string): FileProblem {
  switch (code) {
    case "not-found":
      return new FileProblem("missing", `${name} がありません。`);
    case "outside":
      return new FileProblem("refused", `${name} は和歌集の外を指すリンクなので読みません。`);
    case "special":
    case "not-a-file":
      return new FileProblem("refused", `${name} は普通のファイルではないので読みません。`);
    case "permission":
      return new FileProblem("unreadable", `${name} を読む権限がありません。`);
    case "empty":
    case "null-byte":
    case "traversal":
    case "absolute":
    case "not-portable":
    case "too-long":
      return new FileProblem("refused", `${name} はファイルの名前として使えません。`);
    case "failed":
      return new FileProblem("unreadable", `${name} を読めませんでした。`);
    default:
      return code satisfies never;
  }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).normalize("NFC");
}
