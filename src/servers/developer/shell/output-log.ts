/**
 * What a command has printed: all of it while it is little, then the beginning and the end in memory and the
 * whole in a file. Memory is bounded whatever is printed; so is the file, and whoever pushes learns when it is full.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import type { PrivateFolder } from "../private-folder.ts";

/** What a model gets at most, in bytes of the output. */
export const SHOWN_BYTES = 30_000;
const HEAD_BYTES = 10_000;
const TAIL_BYTES = SHOWN_BYTES - HEAD_BYTES;
const NEWLINE = 0x0a;

export type ShownOutput =
  | { readonly type: "whole"; readonly bytes: Buffer }
  | {
      readonly type: "cut";
      readonly head: Buffer;
      readonly tail: Buffer;
      readonly hiddenBytes: number;
      readonly hiddenLines: number;
      /** The line number, from 1, of the first line that is not in `head`. */
      readonly nextLine: number;
    };

export class OutputLog {
  readonly #folder: PrivateFolder;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #partsLength = 0;
  #head: Buffer | undefined;
  #fd: number | undefined;
  #path: string | undefined;
  #failure: string | undefined;
  #total = 0;
  #newlines = 0;
  #full = false;

  constructor(folder: PrivateFolder, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** False when the limit is reached and the rest of the chunk was not kept. */
  push(chunk: Buffer): boolean {
    const room = this.#maxBytes - this.#total;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (kept.length > 0) this.#keep(kept);
    if (kept.length === chunk.length) return true;
    if (!this.#full) this.#write(Buffer.from("\n[the limit is reached: what came after this is not kept]\n"));
    this.#full = true;
    return false;
  }

  get total(): number {
    return this.#total;
  }

  get newlines(): number {
    return this.#newlines;
  }

  /** Where the whole is kept, when it is more than a model gets. */
  get path(): string | undefined {
    return this.#path;
  }

  /** Why the file does not hold the whole, if it does not. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** From now on everything goes to the file too, for output that nobody waits for. */
  keepInFile(): void {
    if (this.#path === undefined) this.#spill();
  }

  /** The last bytes, for a word on what is going on. */
  recent(bytes: number): Buffer {
    return (this.#parts.at(-1) ?? Buffer.alloc(0)).subarray(-bytes);
  }

  shown(): ShownOutput {
    const kept = Buffer.concat(this.#parts, this.#partsLength);
    if (this.#head === undefined) return { type: "whole", bytes: kept };
    const head = cutEnd(this.#head);
    const tail = cutStart(kept.subarray(-TAIL_BYTES));
    const shownLines = countNewlines(head) + countNewlines(tail);
    return {
      type: "cut",
      head,
      tail,
      hiddenBytes: this.#total - head.length - tail.length,
      hiddenLines: Math.max(this.#newlines - shownLines, 0),
      nextLine: countNewlines(head) + 1,
    };
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #keep(chunk: Buffer): void {
    this.#total += chunk.length;
    this.#newlines += countNewlines(chunk);
    this.#parts.push(chunk);
    this.#partsLength += chunk.length;
    if (this.#fd !== undefined) this.#write(chunk);
    if (this.#total <= SHOWN_BYTES) return;
    if (this.#path === undefined) this.#spill();
    this.#head ??= Buffer.concat(this.#parts, this.#partsLength).subarray(0, HEAD_BYTES);
    for (
      let first = this.#parts[0];
      first && this.#partsLength - first.length >= TAIL_BYTES;
      first = this.#parts[0]
    ) {
      this.#parts.shift();
      this.#partsLength -= first.length;
    }
  }

  #spill(): void {
    try {
      const path = this.#folder.newPath("output", ".txt");
      this.#fd = openSync(path, "wx", 0o600);
      this.#path = path;
    } catch (error) {
      this.#failure ??= reason(error);
      return;
    }
    for (const part of this.#parts) this.#write(part);
  }

  #write(chunk: Buffer): void {
    if (this.#fd === undefined) return;
    try {
      for (let done = 0; done < chunk.length; ) done += writeSync(this.#fd, chunk, done);
    } catch (error) {
      // A full disk must not end the command: what is shown stays right, and it is said.
      this.#failure ??= reason(error);
      this.close();
    }
  }
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === NEWLINE) count++;
  return count;
}

/** Ends after a line where one ends near enough, so that no line and no character is halved. */
function cutEnd(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(NEWLINE);
  if (end >= bytes.length / 2) return bytes.subarray(0, end + 1);
  let cut = bytes.length;
  while (cut > bytes.length - 4 && ((bytes[cut - 1] ?? 0) & 0xc0) === 0x80) cut--;
  return ((bytes[cut - 1] ?? 0) & 0xc0) === 0xc0 ? bytes.subarray(0, cut - 1) : bytes;
}

function cutStart(bytes: Buffer): Buffer {
  const end = bytes.indexOf(NEWLINE);
  if (end !== -1 && end < bytes.length / 2) return bytes.subarray(end + 1);
  let cut = 0;
  while (cut < 4 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut++;
  return bytes.subarray(cut);
}

function reason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
