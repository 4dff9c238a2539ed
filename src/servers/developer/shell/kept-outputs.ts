/**
 * The files of full outputs, bounded together: many long outputs must not fill a disk. The oldest go first, and
 * never the one that was just promised. Files of what still runs are not added.
 */
import { rmSync } from "node:fs";

const MAX_BYTES = 1024 * 1024 * 1024;

export class KeptOutputs {
  readonly #maxBytes: number;
  readonly #sizes = new Map<string, number>();
  #total = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  add(path: string, size: number): void {
    this.#sizes.set(path, size);
    this.#total += size;
    for (const [oldest, bytes] of this.#sizes) {
      if (this.#total <= this.#maxBytes || oldest === path) return;
      rmSync(oldest, { force: true });
      this.#sizes.delete(oldest);
      this.#total -= bytes;
    }
  }
}
