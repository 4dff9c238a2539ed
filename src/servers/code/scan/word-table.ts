/**
 * Finds a keyword among bytes without making a string: by length and first letter, then letter by letter.
 * A word carries a set of marks; marks of a word that is listed twice are joined.
 */
export const WordMark = {
  decision: 1,
  control: 2,
  expects: 4,
  function: 8,
  tail: 16,
  creator: 32,
  arms: 64,
  case: 128,
  enum: 256,
  type: 512,
  prefix: 1024,
  extends: 2048,
  statement: 4096,
  typeTail: 8192,
  accessor: 16384,
} as const;

const MAX_LENGTH = 15;
const LOWER = 0x20;

export class WordTable {
  readonly #heads = new Int16Array((MAX_LENGTH + 1) << 8).fill(-1);
  readonly #caseless: boolean;
  readonly #bytes: Uint8Array[] = [];
  readonly #marks: number[] = [];
  readonly #next: number[] = [];
  /** For `prefix` words: which string rule they choose. */
  readonly #values: number[] = [];

  constructor(caseless: boolean) {
    this.#caseless = caseless;
  }

  add(word: string, mark: number, value = 0): void {
    const bytes = Buffer.from(this.#caseless ? word.toLowerCase() : word);
    if (bytes.length > MAX_LENGTH) throw new Error(`keyword ${word} is longer than ${MAX_LENGTH} bytes`);
    const known = this.#find(bytes, 0, bytes.length);
    if (known >= 0) {
      this.#marks[known] = (this.#marks[known] as number) | mark;
      if (value !== 0) this.#values[known] = value;
      return;
    }
    const slot = (bytes.length << 8) | (bytes[0] as number);
    this.#next.push(this.#heads[slot] as number);
    this.#heads[slot] = this.#bytes.length;
    this.#bytes.push(bytes);
    this.#marks.push(mark);
    this.#values.push(value);
  }

  /** Whether any word has that length and first letter: most names are told from keywords by this alone. */
  mayBe(first: number, length: number): boolean {
    const folded = this.#caseless ? first | LOWER : first;
    return length <= MAX_LENGTH && (this.#heads[(length << 8) | folded] as number) >= 0;
  }

  /** The marks of the word at `start`, 0 when it is none. */
  marks(bytes: Uint8Array, start: number, length: number): number {
    const index = this.#find(bytes, start, length);
    return index < 0 ? 0 : (this.#marks[index] as number);
  }

  value(bytes: Uint8Array, start: number, length: number): number {
    const index = this.#find(bytes, start, length);
    return index < 0 ? 0 : (this.#values[index] as number);
  }

  #find(bytes: Uint8Array, start: number, length: number): number {
    if (length > MAX_LENGTH) return -1;
    const fold = this.#caseless ? LOWER : 0;
    let index = this.#heads[(length << 8) | ((bytes[start] as number) | fold)] as number;
    while (index >= 0) {
      const word = this.#bytes[index] as Uint8Array;
      let i = 1;
      while (i < length && ((bytes[start + i] as number) | fold) === word[i]) i += 1;
      if (i >= length) return index;
      index = this.#next[index] as number;
    }
    return -1;
  }
}
