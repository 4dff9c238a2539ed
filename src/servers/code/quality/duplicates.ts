/**
 * Finds code that stands in two places: runs of equal lines, with indentation and blank lines left aside.
 * Windows of lines are hashed; equal windows are grown to the longest run. Lines that say nothing (a bracket, an
 * import) do not begin a run.
 */
export interface Duplicate {
  readonly lines: number;
  readonly places: readonly {
    readonly file: string;
    readonly start_line: number;
    readonly end_line: number;
  }[];
}

interface Line {
  readonly hash: number;
  readonly number: number;
}

/** More windows than these are not kept: memory is bounded, and the answer says that the search was cut. */
const MAX_WINDOWS = 2_000_000;

export class DuplicateFinder {
  readonly #window: number;
  readonly #files: { readonly path: string; readonly lines: readonly Line[] }[] = [];
  /** Window hash → the first places where it stands: file × 2^22 + line. */
  readonly #seen = new Map<number, number[]>();
  #windows = 0;

  constructor(window: number) {
    this.#window = window;
  }

  /** False when the limit was reached: what is added from now on is not searched. */
  add(path: string, text: string): boolean {
    if (this.#windows > MAX_WINDOWS) return false;
    const lines = significantLines(text);
    const file = this.#files.push({ path, lines }) - 1;
    for (let at = 0; at + this.#window <= lines.length; at += 1) {
      let hash = 17;
      for (let i = 0; i < this.#window; i += 1)
        hash = (Math.imul(hash, 31) + (lines[at + i] as Line).hash) | 0;
      const places = this.#seen.get(hash);
      if (!places) this.#seen.set(hash, [file * LINE_SPACE + at]);
      else if (places.length < 8) places.push(file * LINE_SPACE + at);
      this.#windows += 1;
    }
    return true;
  }

  /** The longest first. */
  find(limit: number): Duplicate[] {
    const covered = new Set<number>();
    const found: Duplicate[] = [];
    const groups = [...this.#seen.values()].filter((places) => places.length > 1);
    for (const places of groups) {
      const [first, second] = places as [number, number];
      if (covered.has(first) || overlap(first, second, this.#window)) continue;
      const length = this.#grow(first, second);
      for (let i = 0; i <= length - this.#window; i += 1) covered.add(first + i);
      const same = places.filter((place) => place === first || this.#grow(first, place) >= length);
      found.push({
        lines: length,
        places: (same.length > 1 ? same : [first, second]).map((place) => this.#place(place, length)),
      });
    }
    return found.sort((a, b) => b.lines * b.places.length - a.lines * a.places.length).slice(0, limit);
  }

  #grow(a: number, b: number): number {
    const [fileA, fileB] = [this.#fileOf(a), this.#fileOf(b)];
    const [atA, atB] = [a % LINE_SPACE, b % LINE_SPACE];
    const most = fileA === fileB ? Math.abs(atB - atA) : Number.POSITIVE_INFINITY;
    let length = 0;
    while (length < most) {
      const [lineA, lineB] = [fileA.lines[atA + length], fileB.lines[atB + length]];
      if (!lineA || !lineB || lineA.hash !== lineB.hash) break;
      length += 1;
    }
    return length;
  }

  #place(place: number, length: number): Duplicate["places"][number] {
    const { path, lines } = this.#fileOf(place);
    const at = place % LINE_SPACE;
    return {
      file: path,
      start_line: (lines[at] as Line).number,
      end_line: (lines[at + length - 1] as Line).number,
    };
  }

  #fileOf(place: number): { readonly path: string; readonly lines: readonly Line[] } {
    return this.#files[Math.floor(place / LINE_SPACE)] as { path: string; lines: Line[] };
  }
}

const LINE_SPACE = 2 ** 22;

function overlap(a: number, b: number, window: number): boolean {
  return Math.floor(a / LINE_SPACE) === Math.floor(b / LINE_SPACE) && Math.abs(a - b) < window;
}

/** Not blank, not a bare bracket, not an import, not a comment line. */
function significantLines(text: string): Line[] {
  const lines: Line[] = [];
  for (const [at, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line.length < 4 || /^(import|from|use|using|#include|package|\/\/|\*|\/\*|#|--)/.test(line)) continue;
    lines.push({ hash: hashOf(line), number: at + 1 });
  }
  return lines;
}

function hashOf(text: string): number {
  let hash = 5381;
  for (let i = 0; i < text.length; i += 1) hash = (Math.imul(hash, 33) + text.charCodeAt(i)) | 0;
  return hash;
}
