/**
 * Answers kept for as long as every file and folder they were made from stays as it was. Each use asks the file
 * system about all of them again, so a change is in the next answer; what is saved is the work, not the looking.
 */
import type { Answer } from "./answer.ts";
import { type FileState, hasSettled, sameState, stateOf, trackStates } from "./stat-cache.ts";

interface Kept {
  readonly answer: Answer;
  readonly states: readonly (readonly [path: string, state: FileState])[];
  readonly bytes: number;
}

export class AnswerCache {
  readonly #kept = new Map<string, Kept>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** `make` must look at all its files before it first waits for anything. */
  async answer(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      if (known.states.every(([path, state]) => isStill(path, state))) {
        this.#kept.set(key, known);
        return known.answer;
      }
      this.#bytes -= known.bytes;
    }
    const { value, states } = trackStates(make);
    const answer = await value;
    if (states && !answer.isError) this.#keep(key, answer, states);
    return answer;
  }

  #keep(key: string, answer: Answer, states: ReadonlyMap<string, FileState>): void {
    const bytes = answer.blocks.reduce(
      (sum, block) => sum + (block.type === "picture" ? block.base64.length : 1000),
      0,
    );
    if (bytes > this.#maxBytes / 2 || this.#kept.has(key)) return;
    if (![...states.values()].every(hasSettled)) return;
    this.#kept.set(key, { answer, states: [...states], bytes });
    this.#bytes += bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= kept.bytes;
    }
  }
}

function isStill(path: string, state: FileState): boolean {
  const now = stateOf(path);
  return now !== undefined && sameState(now, state);
}
