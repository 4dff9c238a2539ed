/**
 * When a crashed server may be started again: at once after the first crash, then with growing waits, and not at
 * all after too many crashes in a minute. Pure; the clock is the caller's, and must not jump.
 */
const WINDOW_MS = 60_000;
const MAX_CRASHES = 5;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 8000;

export class RestartPolicy {
  #crashes: number[] = [];

  noteCrash(now: number): void {
    this.#crashes = [...this.#crashes.filter((at) => now - at < WINDOW_MS), now];
  }

  /** How long to wait before the next start, or why there is none. */
  next(
    now: number,
  ):
    | { readonly type: "start"; readonly waitMs: number }
    | { readonly type: "open"; readonly retryInMs: number } {
    const recent = this.#crashes.filter((at) => now - at < WINDOW_MS);
    if (recent.length >= MAX_CRASHES)
      return { type: "open", retryInMs: WINDOW_MS - (now - (recent[0] ?? now)) };
    if (recent.length <= 1) return { type: "start", waitMs: 0 };
    return { type: "start", waitMs: Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (recent.length - 2)) };
  }
}
