/**
 * The first names of a folder in order, without holding the folder in memory: one pass over its entries that
 * keeps only the smallest. A folder of a million entries gives its first page this way, and each later page too.
 */
import { opendirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

export interface SortedNamesRequest {
  readonly folder: string;
  /** Only names that come after this one; from the beginning when absent. */
  readonly after?: string;
  /** The name `after` itself too. */
  readonly inclusive?: boolean;
  readonly limit: number;
  readonly accept: (name: string) => boolean;
  readonly signal: AbortSignal;
}

export interface SortedNames {
  readonly names: readonly string[];
  /** How many accepted names come after those given. */
  readonly remaining: number;
  /** Accepted names in the whole folder. */
  readonly total: number;
  readonly rejected: number;
}

const READ_AHEAD = 4096;
const YIELD_EVERY = 65_536;

export async function readSortedNames(request: SortedNamesRequest): Promise<SortedNames> {
  const { after, inclusive = false, limit, accept, signal } = request;
  const smallest = new Smallest(limit);
  let seen = 0;
  let total = 0;
  let following = 0;
  const folder = opendirSync(request.folder, { bufferSize: READ_AHEAD });
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
      seen += 1;
      if (seen % YIELD_EVERY === 0) {
        await setImmediate();
        signal.throwIfAborted();
      }
      if (!accept(entry.name)) continue;
      total += 1;
      const { name } = entry;
      if (after !== undefined && (name < after || (name === after && !inclusive))) continue;
      following += 1;
      smallest.offer(name);
    }
  } finally {
    folder.closeSync();
  }
  const names = smallest.take();
  return { names, remaining: following - names.length, total, rejected: seen - total };
}

/** Keeps the smallest of what it is offered: a sorted cut whenever twice the limit has come in. */
class Smallest {
  readonly #limit: number;
  #kept: string[] = [];
  #bound: string | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(name: string): void {
    if (this.#bound !== undefined && name >= this.#bound) return;
    this.#kept.push(name);
    if (this.#kept.length >= this.#limit * 2 + 64) this.#cut();
  }

  take(): readonly string[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort(compareNames);
    if (this.#kept.length <= this.#limit) return;
    this.#kept.length = this.#limit;
    this.#bound = this.#kept.at(-1);
  }
}

/** By code units: the same on every machine, whatever its language. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
