/**
 * Parts of a file, by bytes or by lines, without holding the rest. Lines are found in the raw bytes of encodings
 * in which a line end is the byte 0x0A (all but UTF-16), else in the decoded text.
 */
import { fstatSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import type { TextEncoding } from "../../lib/text-encoding.ts";

const CHUNK_BYTES = 256 * 1024;
const readAsync = promisify(read);

export interface LineRequest {
  readonly encoding: TextEncoding;
  readonly bomBytes: number;
  /** The byte that ends a line: 0x0D in files that have nothing else. */
  readonly ending: number;
  /** From 1; `to` is included. */
  readonly from: number;
  readonly to: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface LinePart {
  readonly text: string;
  readonly from: number;
  /** The last line given; less than `from` when there is none. */
  readonly to: number;
  /** More was asked for than one answer holds. */
  readonly cut: boolean;
}

export function readBytes(fd: number, from: number, length: number): Buffer {
  const size = Math.max(0, Math.min(length, fstatSync(fd).size - from));
  const buffer = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const got = readSync(fd, buffer, done, size - done, from + done);
    if (got === 0) break;
    done += got;
  }
  return buffer.subarray(0, done);
}

/** Reads on in chunks, letting others work in between, until the last wanted line or the limit. */
export async function readLines(fd: number, request: LineRequest): Promise<LinePart> {
  const { encoding, bomBytes, ending, from, to, maxBytes, signal } = request;
  const ends = new LineEnds(encoding, ending);
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  let position = bomBytes;
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await readAsync(fd, chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    let start = 0;
    for (;;) {
      const end = ends.next(chunk, start, bytesRead, position - bomBytes);
      const stop = end < 0 ? bytesRead : end;
      if (line >= from) {
        const room = maxBytes - keptBytes;
        if (stop - start > room) {
          // A single line longer than the limit is given in part; otherwise only whole lines.
          if (keptBytes === 0) kept.push(Buffer.from(chunk.subarray(start, start + room)));
          return {
            text: decode(trimToLine(kept, keptBytes, ending), encoding),
            from,
            to: keptBytes === 0 ? line : line - 1,
            cut: true,
          };
        }
        kept.push(Buffer.from(chunk.subarray(start, stop)));
        keptBytes += stop - start;
      }
      if (end < 0) break;
      start = end;
      line += 1;
      if (line > to) return { text: decode(kept, encoding), from, to, cut: false };
    }
    position += bytesRead;
  }
  const last = keptBytes === 0 ? Math.min(from - 1, line) : endsWithLineEnd(kept) ? line - 1 : line;
  return { text: decode(kept, encoding), from, to: last, cut: false };
}

/** Parts of a line that did not fit are dropped with it. */
function trimToLine(kept: readonly Buffer[], keptBytes: number, ending: number): Buffer[] {
  if (keptBytes === 0) return [...kept];
  const all = Buffer.concat(kept, keptBytes);
  const end = all.lastIndexOf(ending);
  return [end < 0 ? all : all.subarray(0, end + 1)];
}

function endsWithLineEnd(kept: readonly Buffer[]): boolean {
  const last = kept.at(-1);
  return last !== undefined && (last.at(-1) === 0x0a || last.at(-1) === 0x0d || last.at(-2) === 0x0a);
}

function decode(parts: readonly Buffer[], encoding: TextEncoding): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(Buffer.concat(parts));
}

/** Finds the byte behind the next line end. */
class LineEnds {
  readonly #wide: "no" | "little" | "big";
  readonly #ending: number;

  constructor(encoding: TextEncoding, ending: number) {
    this.#ending = ending;
    this.#wide = encoding === "utf-16le" ? "little" : encoding === "utf-16be" ? "big" : "no";
  }

  next(chunk: Buffer, start: number, length: number, position: number): number {
    if (this.#wide === "no") {
      const at = chunk.subarray(0, length).indexOf(this.#ending, start);
      return at < 0 ? -1 : at + 1;
    }
    const low = this.#wide === "little" ? 0 : 1;
    for (let at = start + ((start + position) & 1); at + 1 < length; at += 2) {
      if (chunk[at + low] === this.#ending && chunk[at + 1 - low] === 0) return at + 2;
    }
    return -1;
  }
}
