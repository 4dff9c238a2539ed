/** Follows the pages of a listing to its end. A server that repeats a cursor, or never stops, gets an error instead of our time. */
import { ExtensionError } from "./extension-error.ts";

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | undefined;
}

const MAX_PAGES = 1000;
const MAX_ITEMS = 100_000;

export async function allPages<T>(
  what: string,
  fetchPage: (cursor: string | undefined) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const items: T[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await fetchPage(cursor);
    for (const item of page.items) items.push(item);
    if (items.length > MAX_ITEMS)
      throw new ExtensionError("refused", `${what} gave more than ${MAX_ITEMS} entries`);
    cursor = page.nextCursor;
    // An empty string is a cursor like any other.
    if (cursor === undefined) return items;
    if (seen.has(cursor)) throw new ExtensionError("refused", `${what} gave the same cursor twice`);
    seen.add(cursor);
  }
  throw new ExtensionError("refused", `${what} gave more than ${MAX_PAGES} pages`);
}
