/**
 * Encodes text into the encodings that text-encoding.ts finds, so that an edit can be written back as it was.
 * The tables are the decoder's own, inverted when first needed: what is encoded here decodes to the same text.
 * A character that the encoding does not have is named, never replaced.
 */
import type { TextEncoding } from "./text-encoding.ts";

export type EncodedText =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly character: string };

/** An escape sequence of ISO-2022-JP, after which bytes mean other characters. */
export type ShiftState = "\u001b(B" | "\u001b(J" | "\u001b(I" | "\u001b$B" | "\u001b$@" | "\u001b$(D";
export const ASCII_STATE: ShiftState = "\u001b(B";

export interface EncodeOptions {
  /** ISO-2022-JP only: the state in which the bytes before leave off and the one that the bytes after need. */
  readonly from?: ShiftState;
  readonly to?: ShiftState;
}

export function encodeText(text: string, encoding: TextEncoding, options: EncodeOptions = {}): EncodedText {
  if (!text.isWellFormed()) return { ok: false, character: loneSurrogate(text) };
  switch (encoding) {
    case "utf-8":
      return { ok: true, bytes: Buffer.from(text, "utf8") };
    case "utf-16le":
      return { ok: true, bytes: Buffer.from(text, "utf16le") };
    case "utf-16be":
      return { ok: true, bytes: Buffer.from(text, "utf16le").swap16() };
    case "iso-2022-jp":
      return encodeShifted(text, options);
    case "windows-1252":
    case "shift_jis":
    case "euc-jp":
    case "gb18030":
    case "big5":
    case "euc-kr":
      return encodeByTable(text, encoding);
    default:
      return encoding satisfies never;
  }
}

type TableEncoding = Exclude<TextEncoding, "utf-8" | "utf-16le" | "utf-16be">;
/** From a character to its bytes, in one number, the first byte highest. */
type Table = ReadonlyMap<string, number>;

const tables = new Map<TableEncoding, Table>();

function encodeByTable(text: string, encoding: Exclude<TableEncoding, "iso-2022-jp">): EncodedText {
  const table = tableOf(encoding);
  const out = new ByteWriter(text.length * 2);
  for (const character of text) {
    const code = table.get(character) ?? (encoding === "gb18030" ? beyondTable(character) : undefined);
    if (code === undefined) return { ok: false, character };
    out.writeCode(code);
  }
  return { ok: true, bytes: out.bytes() };
}

function encodeShifted(text: string, { from = ASCII_STATE, to = ASCII_STATE }: EncodeOptions): EncodedText {
  const table = tableOf("iso-2022-jp");
  const out = new ByteWriter(text.length * 2 + 8);
  let state = from;
  for (const character of text) {
    const code = table.get(character);
    if (code === undefined) return { ok: false, character };
    // The set of the character stands above its bytes.
    const wanted = SHIFTS[code >>> 16] as ShiftState;
    const same = state === wanted || (wanted === "\u001b$B" && state === "\u001b$@");
    // ASCII and the Roman set differ in two characters only; staying where one is keeps bytes few.
    const romanDoes =
      wanted === ASCII_STATE && state === "\u001b(J" && character !== "\\" && character !== "~";
    if (!same && !romanDoes) {
      out.writeEscape(wanted);
      state = wanted;
    }
    out.writeCode(code & 0xffff);
  }
  if (state !== to) out.writeEscape(to);
  return { ok: true, bytes: out.bytes() };
}

const SHIFTS: readonly ShiftState[] = [ASCII_STATE, "\u001b(J", "\u001b(I", "\u001b$B", "\u001b$(D"];

function tableOf(encoding: TableEncoding): Table {
  let table = tables.get(encoding);
  if (!table) {
    table = buildTable(encoding);
    tables.set(encoding, table);
  }
  return table;
}

const BIG5_LATER_CODES = [0xf9f9, 0xf9e9, 0xf9eb, 0xf9ea, 0xa451, 0xa4ca];

function buildTable(encoding: TableEncoding): Table {
  const table = new Map<string, number>();
  switch (encoding) {
    case "windows-1252":
      addRow(table, encoding, [], 0, 0xff);
      break;
    case "shift_jis":
      addRow(table, encoding, [], 0, 0x7f);
      addRow(table, encoding, [], 0xa1, 0xdf);
      // ED and EE repeat characters that Windows writes elsewhere: they come last.
      for (const lead of [...span(0x81, 0x9f), ...span(0xe0, 0xec), ...span(0xef, 0xfc), 0xed, 0xee]) {
        addRow(table, encoding, [lead], 0x40, 0xfc);
      }
      break;
    case "euc-jp":
      addRow(table, encoding, [], 0, 0x7f);
      addRow(table, encoding, [0x8e], 0xa1, 0xdf);
      for (const lead of span(0xa1, 0xfe)) addRow(table, encoding, [lead], 0xa1, 0xfe);
      for (const lead of span(0xa1, 0xfe)) addRow(table, encoding, [0x8f, lead], 0xa1, 0xfe);
      break;
    case "big5":
      addRow(table, encoding, [], 0, 0x7f);
      // Below A1 lie extensions that repeat some characters: they come last.
      for (const lead of [...span(0xa1, 0xfe), ...span(0x81, 0xa0)])
        addRow(table, encoding, [lead], 0x40, 0xfe);
      // Six characters stand twice; the later code is the usual one.
      for (const code of BIG5_LATER_CODES) {
        const character = single(decodeRow(encoding, [code >> 8], code & 0xff, code & 0xff)[0]);
        if (character !== undefined) table.set(character, code);
      }
      break;
    case "euc-kr":
      addRow(table, encoding, [], 0, 0x7f);
      for (const lead of span(0x81, 0xfe)) addRow(table, encoding, [lead], 0x41, 0xfe);
      break;
    case "gb18030":
      addRow(table, encoding, [], 0, 0x7f);
      for (const lead of span(0x81, 0xfe)) addRow(table, encoding, [lead], 0x40, 0xfe);
      break;
    case "iso-2022-jp":
      addShifted(table, 0, [], 0, 0x7f);
      addShifted(table, 1, [], 0x21, 0x7e);
      addShifted(table, 2, [], 0x21, 0x5f);
      for (const lead of span(0x21, 0x7e)) addShifted(table, 3, [lead], 0x21, 0x7e);
      break;
    default:
      return encoding satisfies never;
  }
  return table;
}

/** Adds what decodes to one character under the given first bytes. The first to give a character keeps it. */
function addRow(
  table: Map<string, number>,
  encoding: TableEncoding,
  lead: readonly number[],
  low: number,
  high: number,
): void {
  const base = lead.reduce((value, byte) => value * 256 + byte, 0) * 256;
  decodeRow(encoding, lead, low, high).forEach((text, index) => {
    const character = single(text);
    if (character !== undefined && !table.has(character)) table.set(character, base + low + index);
  });
}

/** Decodes a row in one go, a line for each code: one by one, the errors alone would take a quarter of a second. */
function decodeRow(
  encoding: TableEncoding,
  lead: readonly number[],
  low: number,
  high: number,
): readonly string[] {
  const codes = span(low, high).map((last) => [...lead, last]);
  const texts = new TextDecoder(encoding, { ignoreBOM: true })
    .decode(Uint8Array.from(codes.flatMap((code) => [...code, ...SEPARATOR])))
    .split("\n\t\n");
  // A code that swallowed what separates it from the next spoils the row, and so does the separator itself.
  if (texts.length === codes.length + 1) return texts.slice(0, -1);
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return codes.map((code) => decodeStrictly(decoder, Uint8Array.from(code)) ?? "");
}

const SEPARATOR = Buffer.from("\n\t\n");

function addShifted(
  table: Map<string, number>,
  shift: number,
  lead: readonly number[],
  low: number,
  high: number,
): void {
  const decoder = new TextDecoder("iso-2022-jp", { fatal: true, ignoreBOM: true });
  const shiftIn = Buffer.from(SHIFTS[shift] as string, "latin1");
  const back = Buffer.from(ASCII_STATE, "latin1");
  for (let last = low; last <= high; last++) {
    const character = single(
      decodeStrictly(decoder, Buffer.concat([shiftIn, Uint8Array.of(...lead, last), back])),
    );
    if (character === undefined || table.has(character)) continue;
    table.set(character, (shift << 16) | ((lead[0] ?? 0) << 8) | last);
  }
}

function decodeStrictly(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function single(text: string | undefined): string | undefined {
  const [first, second] = text ?? "";
  return second === undefined && first !== "\ufffd" ? first : undefined;
}

/** GB18030 holds all of Unicode, in four bytes what it has not in two: other planes by reckoning, the first by table. */
function beyondTable(character: string): number | undefined {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x10000) {
    fourByteTable ??= buildFourByteTable();
    return fourByteTable.get(character);
  }
  let rest = point - 0x10000 + 189_000;
  const bytes = [10, 126, 10].map((size) => {
    const value = rest % size;
    rest = Math.floor(rest / size);
    return value;
  });
  const [fourth = 0, third = 0, second = 0] = bytes;
  return (((0x81 + rest) * 256 + 0x30 + second) * 256 + 0x81 + third) * 256 + 0x30 + fourth;
}

let fourByteTable: Table | undefined;

function buildFourByteTable(): Table {
  const table = new Map<string, number>();
  for (const first of span(0x81, 0x84)) {
    for (const second of span(0x30, 0x39)) {
      for (const third of span(0x81, 0xfe)) addRow(table, "gb18030", [first, second, third], 0x30, 0x39);
    }
  }
  return table;
}

class ByteWriter {
  #buffer: Buffer;
  #length = 0;

  constructor(expected: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(expected, 16));
  }

  writeCode(code: number): void {
    if (code > 0xffffff) this.#push(Math.floor(code / 0x1000000));
    if (code > 0xffff) this.#push((code >>> 16) & 0xff);
    if (code > 0xff) this.#push((code >>> 8) & 0xff);
    this.#push(code & 0xff);
  }

  writeEscape(state: ShiftState): void {
    for (const byte of Buffer.from(state, "latin1")) this.#push(byte);
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #push(byte: number): void {
    if (this.#length === this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], this.#length * 2);
    this.#buffer[this.#length++] = byte;
  }
}

function span(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function loneSurrogate(text: string): string {
  return /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text)?.[0] ?? "";
}
