/**
 * Events from several producers, read in order by one consumer as an AsyncIterable.
 * The channel ends when `close` is called and what was pushed before has been read.
 */
export class Channel<T> implements AsyncIterable<T> {
  readonly #queue: T[] = [];
  #waiting: (() => void) | undefined;
  #closed = false;

  push(value: T): void {
    if (this.#closed) return;
    this.#queue.push(value);
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      while (this.#queue.length > 0) yield this.#queue.shift() as T;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }

  #wake(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }
}
