/**
 * The keywords of a language with what each means, by first letter: so the scanner finds them among bytes without
 * making a string. Marks of a word that is listed twice are joined.
 */
import { MAX_WORD } from "./tables.ts";

export interface Keyword {
  readonly bytes: Uint8Array;
  /** A set of `MARK_…`. */
  marks: number;
  /** For a prefix of strings: a bit for each string rule that it may choose. */
  rules: number;
}

export class WordTable {
  readonly #words = new Map<string, Keyword>();
  readonly #caseless: boolean;

  constructor(caseless: boolean) {
    this.#caseless = caseless;
  }

  add(text: string, mark: number, rules = 0): void {
    const word = this.#caseless ? text.toLowerCase() : text;
    const bytes = Buffer.from(word);
    if (bytes.length > MAX_WORD) throw new Error(`keyword ${word} is longer than ${MAX_WORD} bytes`);
    const known = this.#words.get(word);
    if (known) {
      known.marks |= mark;
      known.rules |= rules;
    } else this.#words.set(word, { bytes, marks: mark, rules });
  }

  /** The words that begin with each byte. */
  byFirstByte(): Map<number, Keyword[]> {
    return Map.groupBy(this.#words.values(), ({ bytes }) => bytes[0] as number);
  }
}
