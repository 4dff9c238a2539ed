import { describe, expect, test } from "vitest";
import { encodeText } from "./text-encode.ts";
import type { TextEncoding } from "./text-encoding.ts";

/** The bytes come from another program (CPython's codecs), not from here. */
const SAMPLES: readonly (readonly [TextEncoding, string, string])[] = [
  ["shift_jis", "秋の田の①", "8f4882cc936382cc8740"],
  ["euc-jp", "秋の田のｱ", "bda9a4cec5c4a4ce8eb1"],
  ["iso-2022-jp", "秋の田abcの", "1b24423d29244e45441b28426162631b2442244e1b2842"],
  ["gb18030", "秋天€𠮷", "c7efcceca2e39534b235"],
  ["big5", "秋天十卅", "aceea4d1a451a4ca"],
  ["euc-kr", "가을밤", "b0a1c0bbb9e3"],
  ["windows-1252", "à côté “œ” €", "e02063f474e920939c942080"],
  ["utf-16le", "秋の田𠮷", "cb796e30307542d8b7df"],
  ["utf-16be", "秋の田𠮷", "79cb306e7530d842dfb7"],
  ["utf-8", "秋の田𠮷", "e7a78be381aee794b0f0a0aeb7"],
];

test.each(SAMPLES)("%s: %s is written as other programs write it", (encoding, text, hex) => {
  const encoded = encodeText(text, encoding);
  expect(encoded.ok && encoded.bytes.toString("hex")).toBe(hex);
});

describe.each(SAMPLES.map(([encoding]) => encoding))("%s", (encoding) => {
  test("whatever can be encoded decodes to the same text", () => {
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    const characters = Array.from({ length: 0x10000 }, (_, point) => String.fromCharCode(point)).filter(
      (character) => encodeText(character, encoding).ok,
    );
    expect(characters.length).toBeGreaterThan(255);
    const text = characters.join("");
    const encoded = encodeText(text, encoding);
    expect(encoded.ok && decoder.decode(encoded.bytes) === text).toBe(true);
  });

  test("half of a surrogate pair is refused and named", () => {
    expect(encodeText("a\ud842b", encoding)).toEqual({ ok: false, character: "\ud842" });
  });
});

test.each([
  ["shift_jis", "😀"],
  ["shift_jis", "가"],
  ["euc-jp", "😀"],
  ["iso-2022-jp", "é"],
  ["big5", "が̂"],
  ["euc-kr", "髙"],
  ["windows-1252", "あ"],
] as const)("%s refuses %s and says which character it was", (encoding, text) => {
  const encoded = encodeText(`ab${text}`, encoding);
  expect(encoded.ok).toBe(false);
  expect(!encoded.ok && text.includes(encoded.character)).toBe(true);
});

test("GB18030 has every character of Unicode", () => {
  const text = "\u00ff\u0e01\u{1f600}\u{10ffff}";
  const encoded = encodeText(text, "gb18030");
  expect(encoded.ok && new TextDecoder("gb18030", { fatal: true }).decode(encoded.bytes)).toBe(text);
});

test("Shift_JIS writes a character that stands twice as Windows does", () => {
  const encoded = encodeText("髙纊Ⅰ∵", "shift_jis");
  expect(encoded.ok && encoded.bytes.toString("hex")).toBe("fbfcfa5c875481e6");
});

describe("ISO-2022-JP fits between bytes in any shift state", () => {
  const double = "\u001b$B";

  test("from two-byte state to two-byte state nothing is shifted for kanji", () => {
    const encoded = encodeText("田", "iso-2022-jp", { from: double, to: double });
    expect(encoded.ok && encoded.bytes.toString("latin1")).toBe("ED");
  });

  test("ASCII inside of two-byte text shifts out and back", () => {
    const encoded = encodeText("x", "iso-2022-jp", { from: double, to: double });
    expect(encoded.ok && encoded.bytes.toString("latin1")).toBe("\u001b(Bx\u001b$B");
  });

  test("nothing at all still brings the bytes after it into their state", () => {
    const encoded = encodeText("", "iso-2022-jp", { from: "\u001b(B", to: double });
    expect(encoded.ok && encoded.bytes.toString("latin1")).toBe(double);
  });
});
