/**
 * When to ask again, and after how long: the server's own delay where it gave one, else doubling with jitter,
 * so that many programs that failed together do not come back together.
 */
import { setTimeout as delay } from "node:timers/promises";

export interface RetryRules {
  /** Questions in all, the first included. */
  readonly attempts: number;
  /** Resolves early, without an error, when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1. */
  random(): number;
}

export const RETRY: RetryRules = {
  attempts: 5,
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }).catch(() => {}),
  random: Math.random,
};

const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 10_000;
/** A server that wants longer than this gets its answer at once: the user decides whether to wait. */
const MAX_SERVER_DELAY_MS = 90_000;

/** Undefined: do not ask again. `attempt` counts from 1. */
export function retryDelayMs(
  attempt: number,
  serverDelayMs: number | undefined,
  { attempts, random }: RetryRules,
): number | undefined {
  if (attempt >= attempts) return undefined;
  if (serverDelayMs !== undefined && serverDelayMs > MAX_SERVER_DELAY_MS) return undefined;
  const doubled = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const jittered = Math.round(doubled * (0.5 + random() / 2));
  return serverDelayMs === undefined ? jittered : serverDelayMs + Math.round(random() * FIRST_DELAY_MS);
}
