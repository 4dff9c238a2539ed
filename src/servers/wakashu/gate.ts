/** Lets a few through at a time; the others wait in the order they came. */
export class Gate {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves with the function that lets the next one in. Calling it twice does nothing more. */
  async enter(): Promise<() => void> {
    if (this.#inside < this.#limit) this.#inside += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    };
  }

  async run<Value>(action: () => Promise<Value>): Promise<Value> {
    const leave = await this.enter();
    try {
      return await action();
    } finally {
      leave();
    }
  }
}
