/**
 * Bytes that are wanted as base64, held in the form that was asked for last: raw as they were read, text for a
 * JSON string, or ASCII bytes that go out as they are. One form at a time, so keeping it costs its size once.
 */

/** A multiple of three, so that the pieces join without padding between them. */
const PIECE_BYTES = 48 * 1024;

export class Base64 {
  #raw: Buffer | undefined;
  #text: string | undefined;
  #bytes: Buffer | undefined;
  /** Of the base64, in any form. */
  readonly length: number;

  constructor(raw: Buffer) {
    this.#raw = raw;
    this.length = Math.ceil(raw.length / 3) * 4;
  }

  get text(): string {
    this.#text ??= this.#raw?.toString("base64") ?? this.#bytes?.toString("latin1") ?? "";
    this.#raw = undefined;
    this.#bytes = undefined;
    return this.#text;
  }

  get bytes(): Buffer {
    this.#bytes ??= this.#raw ? encode(this.#raw, this.length) : Buffer.from(this.text, "latin1");
    this.#raw = undefined;
    this.#text = undefined;
    return this.#bytes;
  }

  get raw(): Buffer {
    return this.#raw ?? Buffer.from(this.text, "base64");
  }
}

/** Piece by piece: a string of the whole would cost its size once more. */
function encode(raw: Buffer, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (let start = 0; start < raw.length; start += PIECE_BYTES) {
    at += bytes.write(raw.toString("base64", start, start + PIECE_BYTES), at, "latin1");
  }
  return bytes;
}
