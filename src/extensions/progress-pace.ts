/**
 * Lets a call's progress through at a pace a person can follow: the first at once, then about ten a second, always
 * ending with the newest. A server that reports thousands of steps a second costs nobody anything.
 */
import type { Progress } from "../conversation/index.ts";

const INTERVAL_MS = 100;

export class ProgressPace {
  readonly #emit: (progress: Progress) => void;
  #held: Progress | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (progress: Progress) => void) {
    this.#emit = emit;
  }

  push(progress: Progress): void {
    if (this.#timer) {
      this.#held = progress;
      return;
    }
    this.#emit(progress);
    this.#timer = setTimeout(() => this.#release(), INTERVAL_MS);
  }

  /** The call is over: what is held back goes out. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#emit(held);
  }

  #release(): void {
    this.#timer = undefined;
    const held = this.#held;
    this.#held = undefined;
    if (held) this.push(held);
  }
}
