/** At most so many calls at once to one extension; the others wait their turn, in order, and may be cancelled meanwhile. */
export class CallSlots {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves with the function that gives the slot back; rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.#limit) this.#taken += 1;
    else await this.#wait(signal);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#give();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal.reason);
      };
      this.#waiting.push(turn);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** The slot goes straight to whoever waits longest. */
  #give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }
}
