/**
 * A unified diff of two texts by lines, for showing a model or a person what changed. Bounded: texts that differ
 * too much give no diff at all, and the caller sends the whole text instead.
 */
const CONTEXT_LINES = 3;
/** Edits beyond this are not worth a diff; the search is quadratic in them. */
const MAX_EDITS = 1000;

type Edit = { readonly type: "same" | "removed" | "added"; readonly line: string };

/** Undefined when the texts differ in more than MAX_EDITS lines. An empty string when they are the same. */
export function unifiedDiff(before: string, after: string): string | undefined {
  if (before === after) return "";
  const edits = diffLines(before.split("\n"), after.split("\n"));
  return edits && formatHunks(edits);
}

function diffLines(a: readonly string[], b: readonly string[]): readonly Edit[] | undefined {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end++;
  const middle = myers(a.slice(start, a.length - end), b.slice(start, b.length - end));
  if (!middle) return undefined;
  const same = (line: string): Edit => ({ type: "same", line });
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

/** Myers' greedy algorithm; the trace of furthest points leads back to the edits. */
function myers(a: readonly string[], b: readonly string[]): Edit[] | undefined {
  const limit = Math.min(a.length + b.length, MAX_EDITS);
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(new Map(furthest));
    const next = new Map(furthest);
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (next.get(k - 1) ?? -1) < (next.get(k + 1) ?? -1));
      let x = down ? (next.get(k + 1) ?? 0) : (next.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return backtrack(a, b, trace, edits);
    }
    furthest = next;
  }
  return undefined;
}

function backtrack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly Map<number, number>[],
  edits: number,
): Edit[] {
  const result: Edit[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = edits; d >= 0; d--) {
    const furthest = trace[d] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -d || (k !== d && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
    const previousK = down ? k + 1 : k - 1;
    const previousX = d === 0 ? 0 : (furthest.get(previousK) ?? 0);
    const previousY = d === 0 ? 0 : previousX - previousK;
    while (x > previousX && y > previousY && x > 0 && y > 0) {
      result.push({ type: "same", line: a[x - 1] ?? "" });
      x--;
      y--;
    }
    if (d === 0) break;
    if (x === previousX) result.push({ type: "added", line: b[--y] ?? "" });
    else result.push({ type: "removed", line: a[--x] ?? "" });
  }
  return result.reverse();
}

const SIGNS = { same: " ", removed: "-", added: "+" } as const;

function formatHunks(edits: readonly Edit[]): string {
  const near = edits.map((_, index) =>
    edits
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some((edit) => edit.type !== "same"),
  );
  const lines: string[] = [];
  let before = 1;
  let after = 1;
  edits.forEach((edit, index) => {
    if (near[index]) {
      if (!near[index - 1]) lines.push(`@@ -${before} +${after} @@`);
      lines.push(`${SIGNS[edit.type]}${edit.line}`);
    }
    if (edit.type !== "added") before++;
    if (edit.type !== "removed") after++;
  });
  return lines.join("\n");
}
