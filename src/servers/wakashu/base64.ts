/**
 * Bytes that are wanted as base64, held in the form that was asked for last: raw as they were read, text for a
 * JSON string, or ASCII bytes that go out as they are. One form at a time, so keeping it costs its size once.
 */
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
    this.#bytes ??= Buffer.from(this.text, "latin1");
    this.#text = undefined;
    return this.#bytes;
  }

  get raw(): Buffer {
    return this.#raw ?? Buffer.from(this.text, "base64");
  }
}
