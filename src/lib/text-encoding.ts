/**
 * Finds the encoding of a text file and decodes it: byte-order mark, then UTF-8, then a ladder of Japanese,
 * Chinese, Korean and Western encodings, judged by how likely the decoded letters are.
 * Bytes that are no text are said to be binary and never decoded. Writing an encoding back is not done here.
 */
import { isAscii, isUtf8 } from "node:buffer";
import { letterScore, type ScoredEncoding } from "./letter-score.ts";

export type TextEncoding =
  | "utf-8"
  | "utf-16le"
  | "utf-16be"
  | "iso-2022-jp"
  | "windows-1252"
  | ScoredEncoding;

export type DetectedEncoding =
  | {
      readonly kind: "text";
      readonly encoding: TextEncoding;
      readonly bomBytes: number;
      readonly lossy: boolean;
    }
  | { readonly kind: "binary" };

export interface DecodedText {
  /** Without the byte-order mark. */
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly bomBytes: number;
  /** Some bytes have no meaning in the encoding and became U+FFFD: the text cannot be written back. */
  readonly lossy: boolean;
}

const UTF_8 = {
  kind: "text",
  encoding: "utf-8",
  bomBytes: 0,
  lossy: false,
} as const satisfies DetectedEncoding;
/** Enough letters to judge by; the rest of a long file is decoded with what was found. */
const SAMPLE_BYTES = 64 * 1024;
const CANDIDATES: readonly ScoredEncoding[] = ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"];

export function detectEncoding(bytes: Uint8Array): DetectedEncoding {
  const marked = byteOrderMark(bytes);
  if (marked) return marked;
  if (isAscii(bytes)) return detectSevenBit(bytes);
  if (isUtf8(bytes)) return bytes.includes(0) ? (detectUtf16(bytes) ?? { kind: "binary" }) : UTF_8;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.includes(0)) return detectUtf16(sample) ?? { kind: "binary" };
  return detectEightBit(bytes, sample);
}

/** Undefined for binary. `detected` saves the detection where the caller has done it on a part of the file. */
export function decodeText(bytes: Uint8Array, detected = detectEncoding(bytes)): DecodedText | undefined {
  if (detected.kind === "binary") return undefined;
  const { encoding, bomBytes } = detected;
  const body = bytes.subarray(bomBytes);
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(body);
  return {
    text,
    encoding,
    bomBytes,
    lossy: detected.lossy || (encoding !== "utf-8" && text.includes("\ufffd")),
  };
}

function byteOrderMark(bytes: Uint8Array): DetectedEncoding | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    const lossy = !isUtf8(bytes);
    return { kind: "text", encoding: "utf-8", bomBytes: 3, lossy };
  }
  if (first === 0xff && second === 0xfe) {
    return { kind: "text", encoding: "utf-16le", bomBytes: 2, lossy: bytes.length % 2 === 1 };
  }
  if (first === 0xfe && second === 0xff) {
    return { kind: "text", encoding: "utf-16be", bomBytes: 2, lossy: bytes.length % 2 === 1 };
  }
  return undefined;
}

/** ASCII, unless NULs say UTF-16 or escapes say ISO-2022-JP, which switches character sets in seven bits. */
function detectSevenBit(bytes: Uint8Array): DetectedEncoding {
  if (bytes.includes(0)) return detectUtf16(bytes.subarray(0, SAMPLE_BYTES)) ?? { kind: "binary" };
  const escapeAt = bytes.indexOf(0x1b);
  if (
    escapeAt >= 0 &&
    /\u001b\$[@B(]|\u001b\([JI]/.test(latin1(bytes.subarray(escapeAt, escapeAt + SAMPLE_BYTES)))
  ) {
    if (decodes(bytes, "iso-2022-jp")) {
      return { kind: "text", encoding: "iso-2022-jp", bomBytes: 0, lossy: false };
    }
  }
  return UTF_8;
}

/** UTF-16 without a mark: in text with any ASCII, one byte of most pairs is NUL, always on the same side. */
function detectUtf16(sample: Uint8Array): DetectedEncoding | undefined {
  if (sample.length < 2) return undefined;
  const nuls = [0, 0];
  let controls = 0;
  for (let i = 0; i + 1 < sample.length; i += 2) {
    const [even, odd] = [sample[i] as number, sample[i + 1] as number];
    if (even === 0) nuls[0] = (nuls[0] as number) + 1;
    if (odd === 0) nuls[1] = (nuls[1] as number) + 1;
    const unit = even === 0 ? odd : odd === 0 ? even : 0x20;
    if (unit < 9 || (unit > 13 && unit < 0x20)) controls += 1;
  }
  const [even, odd] = nuls as [number, number];
  const pairs = sample.length >> 1;
  if (controls > pairs / 100 || (even > 0 && odd > 0 && Math.min(even, odd) > pairs / 100)) return undefined;
  const encoding = odd > even ? "utf-16le" : "utf-16be";
  if (Math.max(even, odd) < pairs / 20 || !decodes(sample, encoding)) return undefined;
  return { kind: "text", encoding, bomBytes: 0, lossy: false };
}

function detectEightBit(bytes: Uint8Array, sample: Uint8Array): DetectedEncoding {
  if (mostlyUtf8(sample)) return { ...UTF_8, lossy: true };
  let best: { encoding: TextEncoding; score: number } = {
    encoding: "windows-1252",
    score: westernScore(sample),
  };
  for (const encoding of CANDIDATES) {
    const text = decodeStrictly(sample, encoding, sample.length < bytes.length);
    if (text === undefined) continue;
    const score = letterScore(text, encoding);
    if (score > best.score) best = { encoding, score };
  }
  if (best.encoding === "windows-1252" && best.score < 0) return { kind: "binary" };
  const lossy =
    best.encoding !== "windows-1252" && sample.length < bytes.length && !decodes(bytes, best.encoding);
  return { kind: "text", encoding: best.encoding, bomBytes: 0, lossy };
}

/** A UTF-8 file with a few broken bytes (a cut character, a pasted name) is still a UTF-8 file. */
function mostlyUtf8(sample: Uint8Array): boolean {
  let good = 0;
  let bad = 0;
  for (let i = 0; i < sample.length; ) {
    const byte = sample[i] as number;
    const length =
      byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
    let whole = length > 0 && i + length <= sample.length;
    for (let k = 1; whole && k < length; k += 1) whole = ((sample[i + k] as number) & 0xc0) === 0x80;
    if (whole) {
      if (length > 1) good += 1;
      i += length;
    } else {
      bad += 1;
      i += 1;
    }
  }
  return good > 0 && bad * 10 <= good;
}

/**
 * How much the bytes look like a Western text, in the measure of `letterScore`: accented letters stand alone
 * between ASCII letters; control characters mean that this is no text at all.
 */
function westernScore(sample: Uint8Array): number {
  let high = 0;
  let likely = 0;
  let controls = 0;
  for (let i = 0; i < sample.length; i += 1) {
    const byte = sample[i] as number;
    if (byte < 0x20 && (byte < 7 || (byte > 13 && byte !== 0x1b))) controls += 1;
    if (byte < 0x80) continue;
    high += 1;
    const before = sample[i - 1] ?? 0x20;
    const after = sample[i + 1] ?? 0x20;
    const alone = before < 0x80 && after < 0x80;
    if (byte >= 0xc0 && alone && (isAsciiLetter(before) || isAsciiLetter(after))) likely += 1;
    // Signs such as © § ° « » and the typographic quotes of windows-1252, and a lone capital.
    else if (alone) likely += 0.8;
    else if (byte >= 0xc0) likely += 0.25;
  }
  if (controls > sample.length / 50) return -1;
  return high === 0 ? 0 : likely / high;
}

function decodes(bytes: Uint8Array, encoding: TextEncoding): boolean {
  return decodeStrictly(bytes, encoding, false) !== undefined;
}

function decodeStrictly(bytes: Uint8Array, encoding: TextEncoding, cut: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}

function isAsciiLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
