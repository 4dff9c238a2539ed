/**
 * A text file as it was read for an edit: its bytes, what they say, and what it takes to know later that the
 * file is still the same. Files that cannot be written back byte for byte are refused here, before any edit.
 */
import { fstatSync, statSync } from "node:fs";
import type { OpenedFile } from "../../../lib/safe-path.ts";
import { decodeText, type TextEncoding } from "../../../lib/text-encoding.ts";
import { formatBytes } from "../amounts.ts";
import { readBytes } from "./read-bytes.ts";

export interface TextDocument {
  /** Absolute, with every symlink resolved. */
  readonly path: string;
  readonly bytes: Buffer;
  /** Without the byte-order mark, line ends as they are. */
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly bomBytes: number;
  readonly identity: FileIdentity;
}

/** Changes whenever the file does. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modifiedNs: bigint;
}

export class EditError extends Error {
  override readonly name = "EditError";
}

const MAX_EDIT_BYTES = 64 * 1024 * 1024;

export function loadDocument(file: OpenedFile, name: string): TextDocument {
  const { size } = file.stats;
  if (size > MAX_EDIT_BYTES) {
    throw new EditError(
      `${name} has ${formatBytes(size)}, over the limit of ${formatBytes(MAX_EDIT_BYTES)} for edits. Use shell (sed, a script) for it. Nothing was written.`,
    );
  }
  const identity = identityOf(file.fd);
  const bytes = readBytes(file.fd, 0, size);
  const decoded = decodeText(bytes);
  if (decoded === undefined) {
    throw new EditError(`${name} is a binary file (${formatBytes(size)}), not text. Nothing was written.`);
  }
  if (decoded.lossy) {
    throw new EditError(
      `${name} holds bytes that mean nothing in any known encoding (it is nearest to ${decoded.encoding}), so an edit could damage it. ` +
        "Nothing was written. Repair it first with shell, or replace the whole file with write.",
    );
  }
  return { path: file.path, bytes, identity, ...decoded };
}

export function identityOf(target: number | string): FileIdentity {
  const stats =
    typeof target === "number" ? fstatSync(target, { bigint: true }) : statSync(target, { bigint: true });
  return { device: stats.dev, inode: stats.ino, size: stats.size, modifiedNs: stats.mtimeNs };
}

export function sameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return a.device === b.device && a.inode === b.inode && a.size === b.size && a.modifiedNs === b.modifiedNs;
}
