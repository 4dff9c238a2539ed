/**
 * Values made from a file or a folder, kept for as long as it stays as it was. Each use asks the file system
 * again (one stat), so a change is seen at once and nothing has to watch. A value made so soon after the last
 * change that the clock of the file system could hide another one is never reused.
 */
import { type Stats, statSync } from "node:fs";

/** What identifies one state of a file. Content changed in place moves ctime even where mtime was set back. */
export interface FileState {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

interface Entry<Value> {
  readonly state: FileState;
  readonly value: Value;
  readonly cost: number;
}

/** FAT counts in steps of two seconds; every other file system is finer. */
const SETTLED_AFTER_MS = 2500;
let tracked: Map<string, FileState> | undefined;

export class StatCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxCost: number;
  #cost = 0;

  /** `maxCost` bounds the sum of the costs given to `set`; what was not used for longest goes first. */
  constructor(maxCost: number) {
    this.#maxCost = maxCost;
  }

  /** The value kept for `key`, if what it was made from is still in `state`. */
  get(key: string, state: FileState): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (!sameState(entry.state, state)) {
      this.#entries.delete(key);
      this.#cost -= entry.cost;
      return undefined;
    }
    // The order matters only when something will have to go soon.
    if (this.#cost > this.#maxCost / 2) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry.value;
  }

  /** `state` must have been taken before the content was read. */
  set(key: string, state: FileState, value: Value, cost: number): void {
    if (cost > this.#maxCost / 2 || !hasSettled(state)) return;
    this.#cost += cost - (this.#entries.get(key)?.cost ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, { state: onlyState(state), value, cost });
    for (const [oldest, entry] of this.#entries) {
      if (this.#cost <= this.#maxCost) break;
      this.#entries.delete(oldest);
      this.#cost -= entry.cost;
    }
  }

  get cost(): number {
    return this.#cost;
  }
}

/** Undefined when there is nothing of that name, or nothing that may be looked at. */
export function stateOf(path: string): Stats | undefined {
  const state = look(path);
  if (state) tracked?.set(path, state);
  else doNotKeep();
  return state;
}

/**
 * Runs an action and tells which states it looked at before it first waited. Undefined when they do not say
 * everything: something was missing, or lay behind a link.
 */
export function trackStates<Value>(action: () => Value): {
  value: Value;
  states: ReadonlyMap<string, FileState> | undefined;
} {
  const outer = tracked;
  const own = new Map<string, FileState>();
  tracked = own;
  try {
    const value = action();
    return { value, states: tracked };
  } finally {
    tracked = outer;
  }
}

/** What is being worked out depends on more than the states that were looked at. */
export function doNotKeep(): void {
  tracked = undefined;
}

export function sameState(a: FileState, b: FileState): boolean {
  return (
    a.ino === b.ino &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.dev === b.dev
  );
}

export function hasSettled(state: FileState): boolean {
  return Math.max(state.ctimeMs, state.mtimeMs) < Date.now() - SETTLED_AFTER_MS;
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Stats are large objects: thousands of them are worth cutting down. */
function onlyState({ dev, ino, size, mtimeMs, ctimeMs }: FileState): FileState {
  return { dev, ino, size, mtimeMs, ctimeMs };
}
