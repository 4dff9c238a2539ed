/**
 * Text with \n for every line end, and the way back to places in the text as it is. Models write \n; files have
 * \r\n or a mixture. A lone \r counts as a line end only in a text that has no \n at all.
 */
export interface NormalText {
  readonly text: string;
  /** From a place in `text` to the same place in the text as it is. */
  toRaw(index: number): number;
  /** The line end that text put in at this place of the raw text should have. */
  lineEndNear(rawIndex: number): string;
}

export function normalizeLineEnds(raw: string): NormalText {
  if (!raw.includes("\r")) return { text: raw, toRaw: (index) => index, lineEndNear: () => "\n" };
  if (!raw.includes("\n")) {
    return { text: raw.replaceAll("\r", "\n"), toRaw: (index) => index, lineEndNear: () => "\r" };
  }
  const removed: number[] = [];
  for (let at = raw.indexOf("\r\n"); at !== -1; at = raw.indexOf("\r\n", at + 2))
    removed.push(at - removed.length);
  return {
    text: raw.replaceAll("\r\n", "\n"),
    toRaw: (index) => index + countBelow(removed, index),
    lineEndNear: (rawIndex) => lineEndNear(raw, rawIndex),
  };
}

/** Of the line that the place is in; the last line has none, so there the one before counts. */
function lineEndNear(raw: string, rawIndex: number): string {
  const next = raw.indexOf("\n", rawIndex);
  const newline = next === -1 ? raw.lastIndexOf("\n", rawIndex) : next;
  return newline > 0 && raw[newline - 1] === "\r" ? "\r\n" : "\n";
}

function countBelow(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
