/**
 * One part of a long text for the model: by offset and limit in characters, or the places where a term occurs.
 * What is not shown is counted, with the way to get it.
 */
export interface WindowOptions {
  readonly offset?: number;
  readonly limit?: number;
  readonly search?: string;
}

export const DEFAULT_WINDOW = 12_000;
/** Below what shorten-results.ts keeps elsewhere: a part that was asked for must arrive. */
export const MAX_WINDOW = 20_000;
const MAX_MATCHES = 50;
const AROUND_MATCH = 120;

export function windowOf(text: string, options: WindowOptions): string {
  if (options.search !== undefined && options.search !== "")
    return matchesOf(text, options.search, options.offset ?? 0);
  const start = alignStart(text, Math.min(Math.max(0, Math.trunc(options.offset ?? 0)), text.length));
  const length = Math.min(Math.max(1, Math.trunc(options.limit ?? DEFAULT_WINDOW)), MAX_WINDOW);
  if (start === text.length && start > 0)
    return `[offset ${options.offset} is past the end: ${text.length} characters in all]`;
  const end = alignStart(text, Math.min(text.length, start + length));
  const part = text.slice(start, end);
  if (start === 0 && end === text.length) return part;
  const rest =
    end < text.length ? `; read on with offset=${end}, or find a place with search="…"` : "; this is the end";
  return `${part}\n[characters ${start} to ${end} of ${text.length}${rest}]`;
}

/** Never between the two halves of a surrogate pair. */
function alignStart(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

function matchesOf(text: string, term: string, from: number): string {
  const folded = text.toLowerCase();
  // A few characters change their length in lower case; then offsets would lie, and case must match.
  const haystack = folded.length === text.length ? folded : text;
  const needle = haystack === folded ? term.toLowerCase() : term;
  const found: string[] = [];
  let total = 0;
  for (let at = haystack.indexOf(needle, from); at >= 0; at = haystack.indexOf(needle, at + needle.length)) {
    total += 1;
    if (found.length >= MAX_MATCHES) continue;
    const start = alignStart(text, Math.max(0, at - AROUND_MATCH));
    const end = alignStart(text, Math.min(text.length, at + needle.length + AROUND_MATCH));
    found.push(`offset ${at}: …${text.slice(start, end).replace(/\s+/g, " ")}…`);
  }
  if (total === 0)
    return `"${term}" does not occur in these ${text.length} characters${from > 0 ? ` from offset ${from} on` : ""}.`;
  const more =
    total > found.length
      ? `\n[${total - found.length} more; search again with offset past the last one shown]`
      : "";
  return `${found.join("\n")}\n[${total} places in ${text.length} characters; read around one with offset and limit]${more}`;
}
