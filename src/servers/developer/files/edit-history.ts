/**
 * What files were before each edit, so that edits can be undone, step by step. Kept in memory and bounded, in
 * steps per file and in bytes overall: the oldest steps go first. A file that somebody else changed after the
 * edit is not touched.
 */
export interface EditStep {
  /** Undefined when the edit made the file. */
  readonly before: Buffer | undefined;
  readonly afterHash: string;
}

const MAX_STEPS_PER_FILE = 20;
const MAX_BYTES = 64 * 1024 * 1024;

export class EditHistory {
  /** The file edited last is last. */
  readonly #steps = new Map<string, EditStep[]>();
  #bytes = 0;

  /** False when the step is too large to be kept. */
  add(path: string, before: Buffer | undefined, after: Buffer): boolean {
    const size = before?.length ?? 0;
    if (size > MAX_BYTES / 2) {
      this.#forget(path);
      return false;
    }
    const steps = this.#steps.get(path) ?? [];
    this.#steps.delete(path);
    this.#steps.set(path, steps);
    steps.push({ before, afterHash: hashOf(after) });
    this.#bytes += size;
    if (steps.length > MAX_STEPS_PER_FILE) this.#dropOldest(path, steps);
    while (this.#bytes > MAX_BYTES) {
      const [oldestPath, oldestSteps] = this.#steps.entries().next().value ?? [];
      if (oldestPath === undefined || oldestSteps === undefined) break;
      this.#dropOldest(oldestPath, oldestSteps);
    }
    return true;
  }

  last(path: string): EditStep | undefined {
    return this.#steps.get(path)?.at(-1);
  }

  /** How many more steps can be undone afterwards. */
  removeLast(path: string): number {
    const steps = this.#steps.get(path);
    const step = steps?.pop();
    this.#bytes -= step?.before?.length ?? 0;
    if (steps?.length === 0) this.#steps.delete(path);
    return steps?.length ?? 0;
  }

  #dropOldest(path: string, steps: EditStep[]): void {
    this.#bytes -= steps.shift()?.before?.length ?? 0;
    if (steps.length === 0) this.#steps.delete(path);
  }

  #forget(path: string): void {
    for (const step of this.#steps.get(path) ?? []) this.#bytes -= step.before?.length ?? 0;
    this.#steps.delete(path);
  }
}

export function hashOf(bytes: Buffer): string {
  // Not imported above: it takes milliseconds to load, and most servers never edit.
  return process.getBuiltinModule("node:crypto").hash("sha256", bytes);
}
