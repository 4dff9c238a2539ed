/**
 * The time limits of one call: how long it may be silent, and how long it may take in all. Progress starts the
 * silence anew; while a person is asked something for the server, no time passes. Its signal ends the request, and
 * the SDK then cancels it at the server in the way of its era.
 */
export type Expiry = "idle" | "total" | "stopped";

export interface CallLimits {
  /** Of silence: progress resets it. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export class CallClock {
  readonly #limits: CallLimits;
  readonly #abort = new AbortController();
  readonly #caller: AbortSignal;
  readonly #onCallerAbort = () => this.#abort.abort(this.#caller.reason);
  #idle: NodeJS.Timeout | undefined;
  #total: NodeJS.Timeout | undefined;
  #totalLeftMs: number;
  #runningSince = 0;
  #pauses = 0;
  #expired: Expiry | undefined;

  constructor(limits: CallLimits, caller: AbortSignal) {
    this.#limits = limits;
    this.#caller = caller;
    this.#totalLeftMs = limits.totalMs;
    if (caller.aborted) this.#onCallerAbort();
    else caller.addEventListener("abort", this.#onCallerAbort, { once: true });
    this.#run();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Why it ended the call; undefined when it did not. */
  get expired(): Expiry | undefined {
    return this.#expired;
  }

  /** A sign of life. */
  touch(): void {
    if (this.#pauses === 0) this.#restartIdle();
  }

  /** Stops both clocks until the function it returns is called. */
  pause(): () => void {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#halt();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#run();
    };
  }

  expire(reason: Expiry): void {
    if (this.#abort.signal.aborted) return;
    this.#expired = reason;
    this.#abort.abort(new Error(EXPIRY_WORDS[reason]));
  }

  /** The call is over, however it ended. */
  stop(): void {
    this.#halt();
    this.#caller.removeEventListener("abort", this.#onCallerAbort);
  }

  #run(): void {
    this.#runningSince = performance.now();
    this.#restartIdle();
    this.#total = setTimeout(() => this.expire("total"), clampDelay(this.#totalLeftMs));
  }

  #halt(): void {
    if (this.#total === undefined) return;
    clearTimeout(this.#idle);
    clearTimeout(this.#total);
    this.#total = undefined;
    this.#totalLeftMs -= performance.now() - this.#runningSince;
  }

  #restartIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.expire("idle"), clampDelay(this.#limits.idleMs));
  }
}

/** The longest delay a timer takes; a longer one would fire at once. */
export const LONGEST_DELAY_MS = 2_147_483_647;

/** What the server reads as the reason of the cancellation. */
const EXPIRY_WORDS: Readonly<Record<Expiry, string>> = {
  idle: "the call gave no sign of life for too long",
  total: "the call took too long in all",
  stopped: "the server's process is stopped",
};

function clampDelay(ms: number): number {
  return Math.min(Math.max(0, ms), LONGEST_DELAY_MS);
}
