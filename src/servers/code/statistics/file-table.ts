/**
 * What is known of every file of a project, as columns of numbers in shared memory: workers fill rows, the
 * server sums them up, the cache stores them as they are. A row is one file; its name lies packed in `names`.
 * Sixty thousand files take about five megabytes.
 */
import type { Stats } from "node:fs";
import { allNames, countNames, nameAt, type PackedNames } from "./names.ts";

export const FileState = {
  /** Not looked at yet. */
  unknown: 0,
  counted: 1,
  /** Left out, and why. */
  noLanguage: 2,
  binary: 3,
  tooLarge: 4,
  unreadable: 5,
  notRegular: 6,
  gone: 7,
} as const;

/** The words for the states that leave a file out. */
export const SKIP_REASONS: Readonly<Record<number, string>> = {
  [FileState.noLanguage]: "unknown language",
  [FileState.binary]: "binary",
  [FileState.tooLarge]: "too large",
  [FileState.unreadable]: "unreadable",
  [FileState.notRegular]: "not a regular file (symbolic link, submodule or special file)",
  [FileState.gone]: "listed but missing",
};

/** Made of shared buffers only, so that it can be sent to a worker as it is. */
export interface FileColumns {
  readonly state: Uint8Array;
  readonly language: Int16Array;
  readonly lines: Int32Array;
  readonly code: Int32Array;
  readonly comments: Int32Array;
  readonly decisions: Int32Array;
  readonly functions: Int32Array;
  readonly size: Float64Array;
  readonly modified: Float64Array;
  /** Set by the system at every change, also when `modified` was set back by hand. */
  readonly changed: Float64Array;
  /** Who the file is to the system, of each the lowest 32 bits: git compares them too. */
  readonly inode: Uint32Array;
  readonly owner: Uint32Array;
  readonly group: Uint32Array;
  /** When the row was filled: a file changed in the same moment must be looked at again. */
  readonly seen: Float64Array;
}

/** What the system says of the file of a row. */
export function noteStats(columns: FileColumns, row: number, stats: Stats): void {
  columns.size[row] = stats.size;
  columns.modified[row] = stats.mtimeMs;
  columns.changed[row] = stats.ctimeMs;
  columns.inode[row] = stats.ino;
  columns.owner[row] = stats.uid;
  columns.group[row] = stats.gid;
}

export class FileTable {
  readonly names: PackedNames;
  readonly columns: FileColumns;
  readonly length: number;
  #paths: readonly string[] | undefined;

  constructor(names: PackedNames, columns = allocateColumns(countNames(names))) {
    this.names = names;
    this.columns = columns;
    this.length = countNames(names);
  }

  path(row: number): string {
    return this.#paths?.[row] ?? nameAt(this.names, row);
  }

  /** Of all rows; a few are cheaper one by one. */
  get paths(): readonly string[] {
    this.#paths ??= allNames(this.names);
    return this.#paths;
  }

  /** Takes over what another table knows of a file. */
  copyRow(to: number, from: FileTable, row: number): void {
    for (const name of COLUMN_NAMES) this.columns[name][to] = from.columns[name][row] as number;
  }
}

type ColumnArray = Uint8Array | Int16Array | Int32Array | Uint32Array | Float64Array;
type ColumnType = { new (buffer: SharedArrayBuffer): ColumnArray; readonly BYTES_PER_ELEMENT: number };

const COLUMN_TYPES: Readonly<Record<keyof FileColumns, ColumnType>> = {
  state: Uint8Array,
  language: Int16Array,
  lines: Int32Array,
  code: Int32Array,
  comments: Int32Array,
  decisions: Int32Array,
  functions: Int32Array,
  size: Float64Array,
  modified: Float64Array,
  changed: Float64Array,
  inode: Uint32Array,
  owner: Uint32Array,
  group: Uint32Array,
  seen: Float64Array,
};

export const COLUMN_NAMES = Object.keys(COLUMN_TYPES) as readonly (keyof FileColumns)[];

export function allocateColumns(rows: number): FileColumns {
  const columns = COLUMN_NAMES.map((name) => {
    const type = COLUMN_TYPES[name];
    return [name, new type(new SharedArrayBuffer(rows * type.BYTES_PER_ELEMENT))];
  });
  return Object.fromEntries(columns) as FileColumns;
}
