/**
 * Puts new content in the place of a file, whole or not at all: a draft beside it is flushed to the disk and takes
 * its name. A reader sees the old file or the new one, never a part. Links are followed by the caller.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export interface ReplaceOptions {
  /** 0600 unless told: what Kari keeps is the person's alone. */
  readonly mode?: number;
  /** Looked at when the draft is ready, just before it takes the name; throwing leaves the file as it was. */
  confirm?(): void;
}

export function replaceFile(path: string, content: string, options: ReplaceOptions = {}): void {
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  const fd = openSync(draft, "wx", options.mode ?? 0o600);
  try {
    writeAndClose(fd, content);
    options.confirm?.();
    renameSync(draft, path);
  } catch (error) {
    unlinkSync(draft);
    throw error;
  }
}

function writeAndClose(fd: number, content: string): void {
  try {
    const bytes = Buffer.from(content, "utf8");
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
