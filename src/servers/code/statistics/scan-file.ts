/**
 * Looks at one file and fills its row: opened without following links, read into the scanner's own memory, its
 * language made certain by its content, decoded where it is not UTF-8, and scanned.
 * Runs in the server's thread and in workers alike.
 */
import { isUtf8 } from "node:buffer";
import * as fs from "node:fs";
import { decodeText, detectEncoding } from "../../../lib/text-encoding.ts";
import { isBinaryName } from "../languages/binary-names.ts";
import { languageByContent, languageOfPath, languageOfShebang, syntaxOf } from "../languages/index.ts";
import type { RealFolders } from "../real-folders.ts";
import { type Scanner, sharedScanner } from "../scan/scanner.ts";
import { type FileColumns, FileState, noteStats } from "./file-table.ts";

/** Larger files are data, whatever their names say. */
export const MAX_SCANNED_BYTES = 16 * 1024 * 1024;
const BINARY_SAMPLE_BYTES = 8000;
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;
const OPEN_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

export interface FileToScan {
  readonly root: string;
  readonly path: string;
  readonly row: number;
  readonly columns: FileColumns;
  readonly folders: RealFolders;
  readonly now: number;
}

export function scanFile({ root, path, row, columns, folders, now }: FileToScan): void {
  columns.seen[row] = now;
  const named = languageOfPath(path);
  columns.language[row] = named;
  if (named < 0 && !mayHaveShebang(path)) {
    columns.state[row] = isBinaryName(path) ? FileState.binary : FileState.noLanguage;
    return;
  }
  if (!folders.has(path)) {
    columns.state[row] = FileState.notRegular;
    return;
  }
  let fd: number;
  try {
    fd = fs.openSync(`${root}/${path}`, OPEN_FLAGS);
  } catch (error) {
    columns.state[row] = stateOfError(error);
    return;
  }
  try {
    columns.state[row] = scanOpened(fd, path, row, columns, named);
  } catch (error) {
    columns.state[row] = stateOfError(error);
  } finally {
    fs.closeSync(fd);
  }
}

function scanOpened(fd: number, path: string, row: number, columns: FileColumns, named: number): number {
  const stats = fs.fstatSync(fd);
  noteStats(columns, row, stats);
  if (!stats.isFile()) return FileState.notRegular;
  if (stats.size > MAX_SCANNED_BYTES) return FileState.tooLarge;
  const scanner = sharedScanner();
  const room = scanner.room(stats.size);
  const read = readWhole(fd, room, stats.size);
  const language = named < 0 ? languageOfShebang(room, read) : languageByContent(named, path, room, read);
  if (language < 0) return isBinary(room.subarray(0, read)) ? FileState.binary : FileState.noLanguage;
  columns.language[row] = language;
  const length = scanner.isAscii(read) ? read : asUtf8(scanner, room.subarray(0, read));
  if (length < 0) return FileState.binary;
  const counts = scanner.scan(length, syntaxOf(language, path));
  columns.lines[row] = counts.lines;
  columns.code[row] = counts.code;
  columns.comments[row] = counts.comments;
  columns.decisions[row] = counts.decisions;
  columns.functions[row] = counts.functions;
  return FileState.counted;
}

/**
 * How many bytes were read. A file may grow meanwhile, or say that it has no size: what comes is read, up to the
 * room's end.
 */
function readWhole(fd: number, room: Buffer, size: number): number {
  let length = 0;
  while (length < room.length - 1) {
    const read = fs.readSync(fd, room, length, room.length - 1 - length, null);
    length += read;
    // One read is enough for a file that is as long as it said.
    if (read === 0 || length === size) break;
  }
  return length;
}

/** Puts the text as UTF-8 where its bytes were, and says how long it is now; -1 when it is no text. */
function asUtf8(scanner: Scanner, bytes: Buffer): number {
  if (!isBinary(bytes) && isUtf8(bytes)) return bytes.length;
  const decoded = decodeText(bytes, detectEncoding(bytes));
  if (decoded === undefined) return -1;
  const length = Buffer.byteLength(decoded.text);
  return scanner.room(length).write(decoded.text, 0, length, "utf8");
}

function isBinary(bytes: Buffer): boolean {
  const zero = bytes.indexOf(0);
  return zero >= 0 && zero < BINARY_SAMPLE_BYTES;
}

/** Scripts have no extension; a file with one that we do not know is not opened to find out. */
function mayHaveShebang(path: string): boolean {
  return !path.slice(path.lastIndexOf("/") + 1).includes(".", 1);
}

function stateOfError(error: unknown): number {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return FileState.gone;
    case "ELOOP":
    case "EISDIR":
    case "ENXIO":
    case "EMLINK":
      return FileState.notRegular;
    default:
      return FileState.unreadable;
  }
}
