/**
 * The bytes of an index as git reads it, made of what we know of files: version 2, sorted by name, nothing optional.
 * Git compares the files of such an index with the disk as it does with its own. Contents are not in it: every
 * entry says that its file is empty, and whoever compares contents finds them changed.
 */
import type { FileColumns } from "./file-table.ts";
import { countNames, type PackedNames, rowFrom } from "./names.ts";

export interface IndexContents {
  readonly names: PackedNames;
  readonly columns: FileColumns;
  /** 1 for each row that gets an entry. */
  readonly rows: Uint8Array;
  /** The name of one more entry, of a file that has never been there. */
  readonly witness: string;
}

const HEADER_BYTES = 12;
const FIXED_BYTES = 62;
const CHECKSUM_BYTES = 20;
const REGULAR_FILE = 0o100644;
const LONGEST_LENGTH = 0xfff;
/** Also of files that are not: but one without a byte must have it, or git takes the entry for a spoiled one. */
const EMPTY_FILE = Buffer.from("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "hex");

export function encodeGitIndex({ names, columns, rows, witness }: IndexContents): Buffer {
  const { bytes, offsets } = names;
  const witnessName = Buffer.from(witness);
  const count = countNames(names);
  // Entries are padded to multiples of eight; a name has its closing NUL already.
  const most = bytes.length + witnessName.length + 1 + (count + 1) * (FIXED_BYTES + 7);
  const index = Buffer.alloc(HEADER_BYTES + most + CHECKSUM_BYTES);
  const view = new DataView(index.buffer, index.byteOffset, index.length);
  let entries = 0;
  let at = HEADER_BYTES;
  const add = (name: Uint8Array, row: number) => {
    if (row >= 0) writeTimes(view, at, columns, row);
    view.setUint32(at + 24, REGULAR_FILE);
    index.set(EMPTY_FILE, at + 40);
    view.setUint16(at + 60, Math.min(name.length, LONGEST_LENGTH));
    index.set(name, at + FIXED_BYTES);
    at += (FIXED_BYTES + name.length + 8) & ~7;
    entries += 1;
  };
  const witnessRow = rowFrom(names, witness);
  for (let row = 0; row <= count; row += 1) {
    if (row === witnessRow) add(witnessName, -1);
    if (rows[row] === 1) add(bytes.subarray(offsets[row], (offsets[row + 1] as number) - 1), row);
  }
  index.write("DIRC", 0, "latin1");
  view.setUint32(4, 2);
  view.setUint32(8, entries);
  const { hash } = process.getBuiltinModule("node:crypto");
  hash("sha1", index.subarray(0, at), "buffer").copy(index, at);
  return index.subarray(0, at + CHECKSUM_BYTES);
}

/** Whole seconds: builds of git that compare more are rare, and find all files changed. The device is not compared. */
function writeTimes(view: DataView, at: number, columns: FileColumns, row: number): void {
  view.setUint32(at, (columns.changed[row] as number) / 1000);
  view.setUint32(at + 8, (columns.modified[row] as number) / 1000);
  view.setUint32(at + 20, columns.inode[row] as number);
  view.setUint32(at + 28, columns.owner[row] as number);
  view.setUint32(at + 32, columns.group[row] as number);
  view.setUint32(at + 36, columns.size[row] as number);
}
