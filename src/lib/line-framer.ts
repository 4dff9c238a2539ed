/**
 * Splits a byte stream into lines in linear time, whatever the sizes of the chunks.
 * A line over the limit is dropped whole while the stream goes on: `onOversize` gets its two ends and its length, so that one bad message costs one message and not the connection.
 */
import { headOf, lastOf } from "./message-ends.ts";

export interface LineFramerOptions {
  readonly maxLineBytes: number;
  /** Nobody else keeps the chunks: the memory of a line that is dropped is given back at once, not when the collector comes. */
  readonly ownsChunks?: boolean;
  onLine(line: string): void;
  /** `ends` are the line's first and last bytes: enough to find out whose line it was. */
  onOversize(ends: { readonly head: string; readonly tail: string }, bytes: number): void;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export class LineFramer {
  readonly #options: LineFramerOptions;
  #parts: Buffer[] = [];
  #length = 0;
  #oversize: { head: string; tail: Buffer } | undefined;

  constructor(options: LineFramerOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#add(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** The stream is over: an unterminated line counts. */
  end(): void {
    if (this.#length > 0) this.#finishLine();
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#oversize) {
      this.#oversize.tail = lastOf(this.#oversize.tail, part);
      if (this.#options.ownsChunks) release(part);
      return;
    }
    this.#parts.push(part);
    if (this.#length <= this.#options.maxLineBytes) return;
    this.#oversize = { head: headOf(this.#parts), tail: lastOf(Buffer.alloc(0), part) };
    if (this.#options.ownsChunks) for (const dropped of this.#parts) release(dropped);
    this.#parts = [];
  }

  #finishLine(): void {
    const parts = this.#parts;
    const length = this.#length;
    const oversize = this.#oversize;
    this.#parts = [];
    this.#length = 0;
    this.#oversize = undefined;
    if (oversize) {
      return this.#options.onOversize({ head: oversize.head, tail: oversize.tail.toString("utf8") }, length);
    }
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length);
    const end = bytes[bytes.length - 1] === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    if (end > 0) this.#options.onLine(bytes.toString("utf8", 0, end));
  }
}

/** Only where the chunk is its own memory: a part of a larger one may still be needed. */
function release(part: Buffer): void {
  if (part.byteLength > 0 && part.byteLength === part.buffer.byteLength)
    (part.buffer as ArrayBuffer).transfer(0);
}
