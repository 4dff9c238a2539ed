/** Keeps the last bytes of an endless stream, such as a child's stderr, in bounded memory. */
export class TailBuffer {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #length = 0;
  #total = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    this.#parts.push(chunk.length > this.#limit ? chunk.subarray(chunk.length - this.#limit) : chunk);
    this.#length += this.#parts.at(-1)?.length ?? 0;
    while (this.#parts.length > 1 && this.#length - (this.#parts[0]?.length ?? 0) >= this.#limit) {
      this.#length -= this.#parts.shift()?.length ?? 0;
    }
  }

  /** Bytes that came in all, kept or not. */
  get total(): number {
    return this.#total;
  }

  text(): string {
    return Buffer.concat(this.#parts).subarray(-this.#limit).toString("utf8");
  }

  /** The last lines that say something. */
  lines(count: number): readonly string[] {
    const lines = this.text().split(/\r\n|\r|\n/);
    return lines.filter((line) => line.trim() !== "").slice(-count);
  }
}
