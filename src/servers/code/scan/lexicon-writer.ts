/**
 * Lays a lexicon into the memory of the scanner's module, as tables.ts and wasm/memory.ts describe it: a head of
 * fixed size, and behind it strings, openers and words, which the head finds by address. Knows nothing of their
 * meaning; the caller finds the room.
 */
import { DIRECTIVE_COMMENT, type Lexicon, type Opener } from "./lexicon.ts";
import type { CompiledString } from "./string-rules.ts";
import * as table from "./tables.ts";
import type { Keyword } from "./word-table.ts";

/** The lexicon as bytes that are right at `address` and nowhere else. */
export function lexiconImage(lexicon: Lexicon, address: number): Uint8Array {
  const image = new Image(address);
  const head = [
    lexicon.features,
    lexicon.question,
    lexicon.needs,
    lexicon.armArrow,
    lexicon.functionArrow,
    image.bytes(lexicon.armDefault),
    lexicon.armDefault.length,
    image.list(lexicon.caseNot),
    image.list(lexicon.caseNotAfter),
    image.records(lexicon.strings.map((string) => stringRecord(image, string))),
    (lexicon.features & table.HAS_CASELESS) === 0 ? 0 : 0x20,
    image.records([openerRecord(image, DIRECTIVE_COMMENT)]),
  ];
  image.setNumbers(0, head);
  image.setBytes(at(table.ACTIONS_AT), lexicon.actions);
  image.setBytes(at(table.WORD_BYTES_AT), lexicon.wordBytes);
  image.setBytes(at(table.WORD_HALVES_AT), halvesOf(lexicon.wordBytes));
  for (const [first, words] of lexicon.words.byFirstByte()) writeWords(image, first, words);
  for (const [first, openers] of lexicon.openers.entries()) {
    if (openers) {
      const records = [...openers.map((opener) => openerRecord(image, opener)), END_OF_OPENERS];
      image.setNumbers(at(table.OPENERS_AT) + 4 * first, [image.records(records)]);
    }
  }
  return image.finish();
}

/** Where in a lexicon a table lies that `address` is the place of in the lexicon in use. */
function at(address: number): number {
  return address - table.LEXICON_AT;
}

/** A set of bytes in which all that are not ASCII are: by the lower half of a byte, and behind that by the upper. */
function halvesOf(set: Uint8Array): Uint8Array {
  const halves = new Uint8Array(32);
  for (let upper = 0; upper < 16; upper += 1) halves[16 + upper] = upper < 8 ? 1 << upper : 0xff;
  for (let byte = 0; byte < 0x80; byte += 1)
    if (set[byte] === 1) halves[byte & 15] = (halves[byte & 15] as number) | (1 << (byte >> 4));
  const isSame = set.every((is, byte) => {
    const found = (halves[byte & 15] as number) & (halves[16 + (byte >> 4)] as number);
    return is === Number(found !== 0);
  });
  if (!isSame) throw new Error("the words of a language leave out bytes that are not ASCII");
  return halves;
}

function writeWords(image: Image, first: number, words: readonly Keyword[]): void {
  const lengths = words.reduce((set, { bytes }) => set | (1 << bytes.length), 0);
  image.setBytes(at(table.LENGTHS_AT) + 2 * first, Uint8Array.of(lengths & 0xff, lengths >> 8));
  const address = image.align();
  for (const { bytes, marks, rules } of words) {
    image.records([[bytes.length, marks, rules]]);
    image.append(bytes);
    image.align();
  }
  image.records([[0]]);
  image.setNumbers(at(table.WORDS_AT) + 4 * first, [address]);
}

/** The fields of `StringRule` in wasm/memory.ts. */
function stringRecord(image: Image, string: CompiledString): number[] {
  const escapes = { backslash: 0x5c, backquote: 0x60, double: -1, none: -1 };
  return [
    image.bytes(string.close),
    string.close.length,
    escapes[string.escape],
    Number(string.escape === "double"),
    Number(string.multiline),
    image.bytes(string.interpolate),
    string.interpolate.length,
    Number(string.documents),
    -1,
    string.heredoc,
    image.bytes(string.stops),
    image.bytes(string.open),
    string.open.length,
  ];
}

/** The fields of `Opener` in wasm/memory.ts. */
function openerRecord(image: Image, opener: Opener): number[] {
  return [
    opener.text.length,
    opener.kind,
    opener.text[1] ?? 0,
    opener.place,
    opener.value,
    image.bytes(opener.text),
    image.bytes(opener.close),
    opener.close.length,
    Number(opener.nested),
    Number(opener.closesLine),
  ];
}

const END_OF_OPENERS = [0];

/** Bytes that grow, and that know at which address they will lie. */
class Image {
  readonly #address: number;
  readonly #known = new Map<string, number>();
  #bytes = new Uint8Array(16 * 1024);
  #length = table.LEXICON_BYTES;

  constructor(address: number) {
    this.#address = address;
  }

  /** Appends; the same bytes lie there only once. */
  bytes(bytes: Uint8Array): number {
    const key = Buffer.from(bytes).toString("latin1");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const address = this.append(bytes);
    this.#known.set(key, address);
    return address;
  }

  /** Words, each behind its length, and a length of 0. */
  list(words: readonly Uint8Array[]): number {
    return this.append(
      Buffer.concat([...words.flatMap((word) => [Buffer.of(word.length), word]), Buffer.of(0)]),
    );
  }

  /** Appends numbers, four bytes each. */
  records(records: readonly (readonly number[])[]): number {
    const address = this.align();
    this.append(new Uint8Array(Int32Array.from(records.flat()).buffer));
    return address;
  }

  align(): number {
    while (this.#length % 4 !== 0) this.append(Uint8Array.of(0));
    return this.#address + this.#length;
  }

  setBytes(offset: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, offset);
  }

  setNumbers(offset: number, numbers: readonly number[]): void {
    this.setBytes(offset, new Uint8Array(Int32Array.from(numbers).buffer));
  }

  finish(): Uint8Array {
    this.align();
    return this.#bytes.subarray(0, this.#length);
  }

  append(bytes: Uint8Array): number {
    const address = this.#address + this.#length;
    while (this.#length + bytes.length > this.#bytes.length) this.#grow();
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return address;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
