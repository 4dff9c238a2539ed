/**
 * Turns any number of requests into runs that are at least an interval apart: the first at once, the last never
 * lost, no two at the same time. A server that says ten thousand times that its list changed is asked about once a second.
 */
export class Coalescer {
  readonly #intervalMs: number;
  readonly #run: () => Promise<void>;
  #lastStart = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #again = false;
  #idle: PromiseWithResolvers<void> | undefined;
  #stopped = false;

  /** `run` must not throw. */
  constructor(intervalMs: number, run: () => Promise<void>) {
    this.#intervalMs = intervalMs;
    this.#run = run;
  }

  request(): void {
    if (this.#stopped) return;
    this.#idle ??= Promise.withResolvers<void>();
    if (this.#running) this.#again = true;
    else this.#schedule();
  }

  /** Resolves when what was requested so far is done, or after `maxMs`. */
  async settled(maxMs: number): Promise<void> {
    if (!this.#idle) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxMs);
    });
    await Promise.race([this.#idle.promise, late]);
    clearTimeout(timer);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#idle?.resolve();
  }

  #schedule(): void {
    if (this.#timer) return;
    const wait = this.#lastStart + this.#intervalMs - performance.now();
    if (wait <= 0) return this.#start();
    this.#timer = setTimeout(() => this.#start(), wait);
  }

  #start(): void {
    this.#timer = undefined;
    this.#lastStart = performance.now();
    this.#running = this.#run().finally(() => this.#finished());
  }

  #finished(): void {
    this.#running = undefined;
    if (this.#again && !this.#stopped) {
      this.#again = false;
      return this.#schedule();
    }
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
