/**
 * A project's file names as they came from git or ripgrep: one run of bytes in shared memory, in order, and where
 * each begins. Strings are made only of the names that somebody asks for. Names that are not UTF-8 cannot be
 * addressed and are counted apart.
 */
import { isUtf8 } from "node:buffer";
import { sharedScanner } from "../scan/scanner.ts";

/** Names in shared memory: `offsets[row]` to `offsets[row + 1]`, each with its closing NUL. */
export interface PackedNames {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
}

/** Plain data: it can be sent to a thread as it is. */
export interface ProjectNames extends PackedNames {
  /** What the tool said, to see at once that nothing changed. */
  readonly raw: Uint8Array;
  readonly notUtf8: readonly string[];
}

export function packNames(raw: Buffer): ProjectNames {
  if (!isUtf8(raw)) return packSome(raw);
  const bytes = share(raw);
  const { offsets, isSorted } = split(bytes);
  // As they came, mostly: then one copy is enough.
  if (isSorted) return { raw: bytes, notUtf8: [], bytes, offsets };
  return { raw, notUtf8: [], ...pack(splitNames(raw)) };
}

/** What `packNames` made of the same bytes before, when they were in order. */
export function unpackNames(raw: Uint8Array, offsets: Uint8Array): ProjectNames {
  const bytes = share(raw);
  return { raw: bytes, notUtf8: [], bytes, offsets: new Int32Array(share(offsets).buffer) };
}

export function countNames({ offsets }: PackedNames): number {
  return offsets.length - 1;
}

export function nameAt({ bytes, offsets }: PackedNames, row: number): string {
  return asBuffer(bytes).toString("utf8", offsets[row] as number, (offsets[row + 1] as number) - 1);
}

/** The first row whose name is this one or comes after it. */
export function rowFrom({ bytes, offsets }: PackedNames, name: string): number {
  const names = asBuffer(bytes);
  const wanted = Buffer.from(`${name}\0`);
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = names.compare(wanted, 0, wanted.length, offsets[middle], offsets[middle + 1]);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function allNames({ bytes }: PackedNames): string[] {
  return splitNames(asBuffer(bytes));
}

function splitNames(bytes: Buffer): string[] {
  const names = bytes.toString("utf8").split("\0");
  names.pop();
  return names;
}

function packSome(raw: Buffer): ProjectNames {
  const notUtf8: string[] = [];
  const good: string[] = [];
  for (const name of splitNames(raw)) (name.includes("\ufffd") ? notUtf8 : good).push(name);
  return { raw, notUtf8, ...pack(good) };
}

function pack(names: readonly string[]): PackedNames {
  const sorted = names.map((name) => Buffer.from(`${name}\0`)).sort(Buffer.compare);
  const bytes = share(Buffer.concat(sorted));
  return { bytes, offsets: split(bytes).offsets };
}

function share(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Sorted by bytes, which is the order of git. */
function split(bytes: Uint8Array): { readonly offsets: Int32Array; readonly isSorted: boolean } {
  // A project that nothing is known of yet: that needs no scanner.
  if (bytes.length === 0) return { offsets: new Int32Array(new SharedArrayBuffer(4)), isSorted: true };
  const { ends, isSorted } = sharedScanner().splitNames(bytes);
  const offsets = new Int32Array(new SharedArrayBuffer((ends.length + 1) * 4));
  offsets.set(ends, 1);
  return { offsets, isSorted };
}
