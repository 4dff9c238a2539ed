/**
 * A listing that its server lets us keep for a while (`ttlMs`), until then or until the server says that it changed.
 * Kept for one connection, and so for one person and one token: what is `private` goes to nobody else.
 */
export interface Listed<T> {
  readonly items: readonly T[];
  /** Of the page that may be kept the shortest. */
  readonly ttlMs: number;
}

/** A server that says "a year" has most likely mistaken the unit. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

export class FreshList<T> {
  #kept: { readonly items: readonly T[]; readonly until: number } | undefined;
  /** Counts what was forgotten, so that an answer that was on its way meanwhile is not kept. */
  #changes = 0;

  async get(fetch: () => Promise<Listed<T>>): Promise<readonly T[]> {
    if (this.#kept && performance.now() < this.#kept.until) return this.#kept.items;
    const changes = this.#changes;
    const { items, ttlMs } = await fetch();
    const keep = ttlMs > 0 && changes === this.#changes;
    this.#kept = keep ? { items, until: performance.now() + Math.min(ttlMs, LONGEST_MS) } : undefined;
    return items;
  }

  forget(): void {
    this.#changes += 1;
    this.#kept = undefined;
  }
}

/** Anything odd counts as "not at all". */
export function ttlOf(result: Readonly<Record<string, unknown>>): number {
  const ttlMs = result["ttlMs"];
  return typeof ttlMs === "number" && Number.isFinite(ttlMs) && ttlMs > 0 ? ttlMs : 0;
}
