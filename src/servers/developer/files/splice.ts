/**
 * Puts new text into a file's bytes. Only the new text is encoded: the bytes before, between and after the edits
 * are the file's own. The result is decoded again and must say exactly what was meant, else nothing comes of it.
 */
import { ASCII_STATE, encodeText, type ShiftState } from "../../../lib/text-encode.ts";
import { EditError, type TextDocument } from "./document.ts";

export interface TextEdit {
  /** Places in the document's text as it is; `end` is not included. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits are in order and do not overlap. Throws EditError and changes nothing. */
export function spliceBytes(document: TextDocument, edits: readonly TextEdit[]): Buffer {
  const { bytes, bomBytes, encoding } = document;
  const places = locate(
    document,
    edits.flatMap(({ start, end }) => [start, end]),
  );
  const parts: Buffer[] = [];
  let copied = 0;
  edits.forEach((edit, index) => {
    const [from, to] = [places[index * 2], places[index * 2 + 1]];
    if (from === undefined || to === undefined)
      throw new EditError("An edit lies outside of the file. Nothing was written.");
    const encoded = encodeText(edit.text, encoding, { from: from.state, to: to.state });
    if (!encoded.ok) throw new EditError(describeMissing(encoded.character, document));
    parts.push(bytes.subarray(copied, bomBytes + from.offset), encoded.bytes);
    copied = bomBytes + to.offset;
  });
  parts.push(bytes.subarray(copied));
  const result = Buffer.concat(parts);
  if (decode(document, result) !== expectedText(document, edits)) {
    throw new EditError(
      `The edit cannot be written in ${encoding} without changing other characters. Nothing was written.`,
    );
  }
  return result;
}

interface Place {
  readonly offset: number;
  readonly state: ShiftState;
}

/** Byte offsets, after the byte-order mark, of places in the text. `indices` is in order. */
function locate(
  { bytes, bomBytes, text, encoding }: TextDocument,
  indices: readonly number[],
): readonly Place[] {
  const walker = new CharacterWalker(bytes.subarray(bomBytes), encoding);
  let previous = 0;
  let offset = 0;
  return indices.map((index) => {
    switch (encoding) {
      case "utf-8":
        offset += Buffer.byteLength(text.slice(previous, index), "utf8");
        previous = index;
        return { offset, state: ASCII_STATE };
      case "utf-16le":
      case "utf-16be":
        return { offset: index * 2, state: ASCII_STATE };
      case "windows-1252":
        return { offset: index, state: ASCII_STATE };
      case "iso-2022-jp":
      case "shift_jis":
      case "euc-jp":
      case "gb18030":
      case "big5":
      case "euc-kr":
        return walker.walkTo(index);
      default:
        return encoding satisfies never;
    }
  });
}

/** Steps over the characters of an encoding of varying width. The file decoded without error, so first bytes tell. */
class CharacterWalker {
  readonly #bytes: Buffer;
  readonly #encoding: TextDocument["encoding"];
  #offset = 0;
  #units = 0;
  #state: ShiftState = ASCII_STATE;

  constructor(bytes: Buffer, encoding: TextDocument["encoding"]) {
    this.#bytes = bytes;
    this.#encoding = encoding;
  }

  walkTo(index: number): Place {
    while (this.#units < index && this.#offset < this.#bytes.length) this.#step();
    if (this.#units !== index)
      throw new EditError("The edit begins or ends inside of a character. Nothing was written.");
    return { offset: this.#offset, state: this.#state };
  }

  #step(): void {
    const first = this.#byte(0);
    if (this.#encoding === "iso-2022-jp") return this.#stepShifted(first);
    const isLead = first >= 0x81 && first <= 0xfe;
    switch (this.#encoding) {
      case "shift_jis":
        return this.#advance(isLead && !(first >= 0xa0 && first <= 0xdf) ? 2 : 1, 1);
      case "euc-jp":
        if (first === 0x8f) return this.#advance(3, 1);
        return this.#advance(first === 0x8e || first >= 0xa1 ? 2 : 1, 1);
      case "gb18030":
        if (isLead && this.#byte(1) >= 0x30 && this.#byte(1) <= 0x39)
          return this.#advance(4, first >= 0x90 ? 2 : 1);
        return this.#advance(isLead ? 2 : 1, 1);
      default:
        return this.#advance(isLead ? 2 : 1, 1);
    }
  }

  #stepShifted(first: number): void {
    if (first === 0x1b) {
      const length = this.#byte(1) === 0x24 && this.#byte(2) === 0x28 ? 4 : 3;
      this.#state = this.#bytes.toString("latin1", this.#offset, this.#offset + length) as ShiftState;
      return this.#advance(length, 0);
    }
    const isDouble = this.#state.startsWith("\u001b$") && first > 0x20;
    this.#advance(isDouble ? 2 : 1, 1);
  }

  #byte(ahead: number): number {
    return this.#bytes[this.#offset + ahead] ?? 0;
  }

  #advance(bytes: number, units: number): void {
    this.#offset += bytes;
    this.#units += units;
  }
}

function decode({ encoding, bomBytes }: TextDocument, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes.subarray(bomBytes));
  } catch {
    return undefined;
  }
}

function expectedText({ text }: TextDocument, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, text: replacement } of edits) {
    parts.push(text.slice(copied, start), replacement);
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

function describeMissing(character: string, { encoding, path }: TextDocument): string {
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return (
    `The file is ${encoding}, which has no character "${character.toWellFormed()}" (U+${point}). Nothing was written. ` +
    `Use other characters, or convert the file first: iconv -f ${encoding} -t utf-8 ${path}`
  );
}
