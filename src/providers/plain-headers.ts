/**
 * Stands in for the global `Headers` inside the bundled AI SDK (scripts/plain-headers-plugin.ts puts it there).
 * Touching the global loads all of undici, about 30 ms and 9 MiB at start, and the SDK needs it only to
 * lower-case names. Values are not checked here: node:http refuses a bad header itself.
 */
export class PlainHeaders {
  readonly #entries = new Map<string, string>();

  constructor(init: Iterable<readonly [string, string]> | Readonly<Record<string, string>> = {}) {
    for (const [name, value] of Symbol.iterator in init ? init : Object.entries(init)) this.set(name, value);
  }

  get(name: string): string | null {
    return this.#entries.get(name.toLowerCase()) ?? null;
  }

  set(name: string, value: string): void {
    this.#entries.set(name.toLowerCase(), String(value));
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  delete(name: string): void {
    this.#entries.delete(name.toLowerCase());
  }

  forEach(visit: (value: string, name: string) => void): void {
    this.#entries.forEach(visit);
  }

  entries(): IterableIterator<[string, string]> {
    return this.#entries.entries();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#entries.entries();
  }
}
