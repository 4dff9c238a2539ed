/**
 * Writes a file whole or not at all: a new file beside it takes its name, with the same permissions. Written only
 * if the file is still the one that was read. Where renaming would break something (hard links, a folder that
 * cannot be written to), the file is written in place.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { EditError, type FileIdentity, identityOf, sameIdentity } from "./document.ts";

/** `path` has no symlinks in it. `expected` is undefined for a file that must not exist yet. */
export function saveFile(path: string, bytes: Buffer, expected: FileIdentity | undefined): void {
  const existing = lstatSync(path, { throwIfNoEntry: false });
  refuseIfChanged(path, existing, expected);
  if (existing === undefined) mkdirSync(dirname(path), { recursive: true });
  if (existing !== undefined && existing.nlink > 1) return writeInPlace(path, bytes);
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${process.pid}-${counter++}.tmp`);
  let fd: number;
  try {
    fd = openSync(temporary, "wx", existing === undefined ? 0o666 : existing.mode & 0o777);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (existing !== undefined && (code === "EACCES" || code === "EPERM")) return writeInPlace(path, bytes);
    throw error;
  }
  try {
    writeAndClose(fd, bytes);
    if (existing !== undefined) copyOwner(temporary, existing);
    refuseIfChanged(path, lstatSync(path, { throwIfNoEntry: false }), expected);
    renameSync(temporary, path);
  } catch (error) {
    unlinkIfAny(temporary);
    throw error;
  }
}

let counter = 0;

function refuseIfChanged(
  path: string,
  existing: Stats | undefined,
  expected: FileIdentity | undefined,
): void {
  if (expected === undefined) {
    if (existing !== undefined)
      throw new EditError(`${path} has come into being meanwhile. Nothing was written.`);
    return;
  }
  if (existing === undefined) throw new EditError(`${path} is gone meanwhile. Nothing was written.`);
  if (existing.isDirectory()) throw new EditError(`${path} is now a directory. Nothing was written.`);
  if (!existing.isFile()) throw new EditError(`${path} is no regular file any more. Nothing was written.`);
  if (!sameIdentity(identityOf(path), expected)) {
    throw new EditError(
      `${path} was changed by somebody else meanwhile. Nothing was written; look at it again.`,
    );
  }
}

function writeInPlace(path: string, bytes: Buffer): void {
  const fd = openSync(path, "r+");
  writeAndClose(fd, bytes, true);
}

function writeAndClose(fd: number, bytes: Buffer, truncates = false): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, done);
    if (truncates) ftruncateSync(fd, bytes.length);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The mask of the process took bits away at creation; the owner is ours unless root edits another's file. */
function copyOwner(path: string, { mode, uid, gid }: Stats): void {
  try {
    const now = lstatSync(path);
    if (now.uid !== uid || now.gid !== gid) chownSync(path, uid, gid);
  } catch {
    // Only root may give files away.
  }
  chmodSync(path, mode & 0o7777);
}

function unlinkIfAny(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Renamed or never made.
  }
}
