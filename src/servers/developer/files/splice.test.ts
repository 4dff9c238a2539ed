import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openInside } from "../../../lib/safe-path.ts";
import { encodeText } from "../../../lib/text-encode.ts";
import type { TextEncoding } from "../../../lib/text-encoding.ts";
import { loadDocument } from "./document.ts";
import { planReplace } from "./plan-edit.ts";
import { spliceBytes } from "./splice.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "splice-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function edit(
  bytes: Buffer,
  oldText: string,
  newText: string,
  all = false,
): { encoding: string; after: Buffer } {
  const path = join(folder, "file.txt");
  writeFileSync(path, bytes);
  const document = loadDocument(openInside(folder, "file.txt"), "file.txt");
  const { edits } = planReplace(document.text, "file.txt", { oldText, newText, all });
  const after = spliceBytes(document, edits);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  return { encoding: document.encoding, after };
}

const JAPANESE =
  "// 秋の田の かりほの庵の 苫をあらみ\r\nわが衣手は 露にぬれつつ、山鳥の尾の しだり尾の\nint count = 1; // 数\r\n長々し夜を ひとりかも寝む。カナ";
const TEXTS: readonly (readonly [TextEncoding, string])[] = [
  ["utf-8", `${JAPANESE}𠮷`],
  ["shift_jis", `${JAPANESE}ｱｲｳ①髙`],
  ["euc-jp", `${JAPANESE}ｱｲｳ`],
  ["iso-2022-jp", JAPANESE],
  ["utf-16le", `${JAPANESE}𠮷`],
  ["utf-16be", `${JAPANESE}𠮷`],
  [
    "gb18030",
    "// 春眠不觉晓，处处闻啼鸟。\r\n夜来风雨声，花落知多少。\nint count = 1; // 数\r\n床前明月光，疑是地上霜。",
  ],
  [
    "big5",
    "// 春眠不覺曉，處處聞啼鳥。\r\n夜來風雨聲，花落知多少。\nint count = 1; // 數\r\n床前明月光，疑是地上霜。",
  ],
  [
    "euc-kr",
    "// 가을밤에 달이 밝다. 나는 학교에 갑니다.\r\n산과 들이 아름답습니다.\nint count = 1; // 수\r\n그리고 우리는 집으로 돌아왔습니다.",
  ],
  ["windows-1252", "// À côté de l'été, “œuvre” déjà là\r\nça coûte 3 €\nint count = 1; // numéro\r\nfin é"],
];

describe("P16: an edit of an ASCII line keeps every other byte", () => {
  test.each(TEXTS)("%s", (encoding, text) => {
    const before = encoded(text, encoding);
    const { encoding: found, after } = edit(before, "count = 1", "total = 42");
    expect(found).toBe(encoding);
    expect(after.equals(encoded(text.replace("count = 1", "total = 42"), encoding))).toBe(true);
    const [old, now] = [encoded("count = 1", encoding), encoded("total = 42", encoding)];
    const at = before.indexOf(old);
    expect(after.subarray(0, at).equals(before.subarray(0, at))).toBe(true);
    expect(after.subarray(at + now.length).equals(before.subarray(at + old.length))).toBe(true);
  });

  test.each(TEXTS)("%s, with text of the language before and after it", (encoding, text) => {
    const word = [...text].slice(5, 7).join("");
    const expected = text.replace(word, `${word}${word}`);
    expect(
      edit(encoded(text, encoding), text.slice(3, 9), expected.slice(3, 11)).after.equals(
        encoded(expected, encoding),
      ),
    ).toBe(true);
  });

  test.each(["utf-8", "utf-16le", "utf-16be"] as const)("%s with a byte-order mark keeps it", (encoding) => {
    const before = encoded(`\ufeff${JAPANESE}`, encoding);
    const { after } = edit(before, "count", "total");
    expect(after.equals(encoded(`\ufeff${JAPANESE.replace("count", "total")}`, encoding))).toBe(true);
  });
});

describe("bytes that nobody would write anew stay as they are", () => {
  test("codes of CP932 that stand for the same character", () => {
    // 髙 as NEC and as IBM wrote it; encoding anew would make them the same.
    const twins = Buffer.from("eee0fbfc", "hex");
    const before = Buffer.concat([
      encoded("これは社員の名前です。\n", "shift_jis"),
      twins,
      encoded("です\nx = 1\n", "shift_jis"),
    ]);
    const { after, encoding } = edit(before, "x = 1", "y = 2");
    expect(encoding).toBe("shift_jis");
    expect(after.includes(twins)).toBe(true);
  });

  test("needless shifts of ISO-2022-JP", () => {
    const before = Buffer.from('\u001b(B\u001b(Ba\u001b$B$"\u001b$B$$\u001b(B=1\n', "latin1");
    const { after } = edit(before, "=1", "=2");
    expect(after.toString("latin1")).toBe('\u001b(B\u001b(Ba\u001b$B$"\u001b$B$$\u001b(B=2\n');
  });

  test("ISO-2022-JP: an edit in the middle of two-byte text", () => {
    const before = encoded("かきくけこ", "iso-2022-jp");
    expect(edit(before, "く", "x").after.toString("latin1")).toBe(
      encoded("かきxけこ", "iso-2022-jp").toString("latin1"),
    );
    expect(edit(before, "くけ", "").after.equals(encoded("かきこ", "iso-2022-jp"))).toBe(true);
  });
});

test.each([
  ["gb18030", "春眠不觉晓，处处闻啼鸟。 ÿ ก 𠮷 夜来风雨声，花落知多少。 x = 1 床前明月光"],
  ["euc-jp", "これは日本語の文章です。丂丄丅秋の田のかりほの庵の x = 1 苫をあらみ"],
] as const)(
  "%s: characters of three and four bytes before the edit are stepped over whole",
  (encoding, text) => {
    const { encoding: found, after } = edit(encoded(text, encoding), "x = 1", "y = 春");
    expect(found).toBe(encoding);
    expect(after.equals(encoded(text.replace("x = 1", "y = 春"), encoding))).toBe(true);
  },
);

test("many edits at once keep what is between them", () => {
  const text = JAPANESE.replaceAll("の", "x1");
  const { after } = edit(encoded(text, "euc-jp"), "x1", "のの", true);
  expect(after.equals(encoded(text.replaceAll("x1", "のの"), "euc-jp"))).toBe(true);
});

test("a character that the encoding does not have is refused by name", () => {
  expect(() => edit(encoded(JAPANESE, "shift_jis"), "count", "😀")).toThrow(
    /shift_jis.*"😀" \(U\+1F600\).*Nothing was written/,
  );
});

describe("P17: bytes without a meaning are not edited", () => {
  test("UTF-8 with broken bytes", () => {
    const before = Buffer.concat([
      Buffer.from("日本語の文章です。これは秋の田。x = 1\n"),
      Buffer.from([0xff, 0x0a]),
    ]);
    expect(() => edit(before, "x = 1", "x = 2")).toThrow(/mean nothing.*Nothing was written/s);
  });

  test("Shift_JIS broken far from the beginning", () => {
    const start = encoded(`${"これは日本語の文章です。\n".repeat(4000)}x = 1\n`, "shift_jis");
    const before = Buffer.concat([start, Buffer.from([0x81, 0x0a, 0x41])]);
    expect(() => edit(before, "x = 1", "x = 2")).toThrow(/mean nothing.*Nothing was written/s);
  });

  test("binary", () => {
    expect(() => edit(Buffer.from("x = 1\0\0\u0001\u0002\0abc", "latin1"), "x = 1", "x = 2")).toThrow(
      /binary/,
    );
  });
});

function encoded(text: string, encoding: TextEncoding): Buffer {
  const result = encodeText(text, encoding);
  if (!result.ok) throw new Error(`${encoding} has no ${result.character}`);
  return result.bytes;
}
