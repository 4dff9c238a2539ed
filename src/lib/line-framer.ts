/**
 * Splits a byte stream into lines in linear time, whatever the sizes of the chunks.
 * A line over the limit is dropped whole while the stream goes on: `onOversize` gets its first bytes and its
 * length once it ends, so that one bad message costs one message and not the connection.
 */
export interface LineFramerOptions {
  readonly maxLineBytes: number;
  onLine(line: string): void;
  onOversize(head: string, bytes: number): void;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Enough to find the id of the message that was too long. */
const HEAD_BYTES = 4096;

export class LineFramer {
  readonly #options: LineFramerOptions;
  #parts: Buffer[] = [];
  #length = 0;
  #oversizeHead: string | undefined;

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
    if (this.#oversizeHead !== undefined) return;
    this.#parts.push(part);
    if (this.#length <= this.#options.maxLineBytes) return;
    this.#oversizeHead = headOf(this.#parts);
    this.#parts = [];
  }

  #finishLine(): void {
    const parts = this.#parts;
    const length = this.#length;
    const head = this.#oversizeHead;
    this.#parts = [];
    this.#length = 0;
    this.#oversizeHead = undefined;
    if (head !== undefined) return this.#options.onOversize(head, length);
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length);
    const end = bytes[bytes.length - 1] === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    if (end > 0) this.#options.onLine(bytes.toString("utf8", 0, end));
  }
}

function headOf(parts: readonly Buffer[]): string {
  const head: Buffer[] = [];
  let length = 0;
  for (const part of parts) {
    head.push(part.subarray(0, HEAD_BYTES - length));
    length += part.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(head).toString("utf8");
}
