import { describe, expect, test } from "vitest";
import { decodeText, detectEncoding, type TextEncoding } from "./text-encoding.ts";

const JAPANESE = "// 設定ファイルを読み込んで、結果を表示する関数です。\nconst 値 = 'テスト';\n";

/** Encoded by other programs: [encoding, text, base64]. */
const SAMPLES: readonly (readonly [TextEncoding, string, string])[] = [
  [
    "shift_jis",
    JAPANESE,
    "Ly8gkN2S6IN0g0CDQ4OLgvCTx4LdjZ6C8YLFgUGMi4nKgvCVXI6mgreC6YrWkJSCxYK3gUIKY29uc3QgkmwgPSAng2WDWINnJzsK",
  ],
  ["shift_jis", "// 表\n", "Ly8glVwK"],
  ["shift_jis", "// 注文処理\n", "Ly8gko2Vto+Il50K"],
  [
    "euc-jp",
    JAPANESE,
    "Ly8gwN/E6qXVpaGlpKXrpPLGyaTfuf6k86THoaK367LMpPLJvbyopLmk67TYv/Skx6S5oaMKY29uc3Qgw80gPSAnpcaluaXIJzsK",
  ],
  ["euc-jp", "// 注文処理\n", "Ly8gw+3KuL3ozf0K"],
  [
    "iso-2022-jp",
    JAPANESE,
    "Ly8gGyRCQF9EaiVVJSElJCVrJHJGSSRfOX4kcyRHISI3azJMJHJJPTwoJDkkazRYP3QkRyQ5ISMbKEIKY29uc3QgGyRCQ00bKEIgPSAnGyRCJUYlOSVIGyhCJzsK",
  ],
  [
    "gb18030",
    "// 这个函数用来读取配置文件，并返回结果。\nint x = 1; // 默认值\n",
    "Ly8g1eK49rqvyv3Tw8C0tsHIocXk1sPOxLz+o6yyore1u9i94bn7oaMKaW50IHggPSAxOyAvLyDErMjP1rUK",
  ],
  [
    "big5",
    "// 這個函數用來讀取設定檔案，並且回傳結果。\nint x = 1; // 預設值\n",
    "Ly8gs2+t06jnvMalzqjTxaqo+rNdqXfAya7XoUGow6VCpl62x7WyqkehQwppbnQgeCA9IDE7IC8vILl3s12tyAo=",
  ],
  [
    "euc-kr",
    "// 설정 파일을 읽어서 결과를 보여주는 함수입니다.\nint x = 1; // 기본값\n",
    "Ly8gvLPBpCDGxMDPwLsgwNC+7rytILDhsPq4piC6uL+pwda0wiDH1Lz2wNS0z7TZLgppbnQgeCA9IDE7IC8vILHiuruwqgo=",
  ],
  [
    "windows-1252",
    "// Größe der Tür, naïve façade, año, Straße © 2020\nint x = 1;\n",
    "Ly8gR3L232UgZGVyIFT8ciwgbmHvdmUgZmHnYWRlLCBh8W8sIFN0cmHfZSCpIDIwMjAKaW50IHggPSAxOwo=",
  ],
  [
    "windows-1252",
    "# Créé par François, à l'été; déjà vérifié, où ça\n",
    "IyBDcunpIHBhciBGcmFu529pcywg4CBsJ+l06TsgZOlq4CB26XJpZmnpLCBv+SDnYQo=",
  ],
  [
    "utf-16le",
    JAPANESE,
    "LwAvACAALYqaW9UwoTCkMOswkjCtin8wvI+TMGcwATBQfZxnkjBoiDp5WTCLMKKVcGVnMFkwAjAKAGMAbwBuAHMAdAAgACRQIAA9ACAAJwDGMLkwyDAnADsACgA=",
  ],
  [
    "utf-16be",
    JAPANESE,
    "AC8ALwAgii1bmjDVMKEwpDDrMJKKrTB/j7wwkzBnMAF9UGecMJKIaHk6MFkwi5WiZXAwZzBZMAIACgBjAG8AbgBzAHQAIFAkACAAPQAgACcwxjC5MMgAJwA7AAo=",
  ],
];

describe("a text in an older encoding", () => {
  test.each(SAMPLES)("%s: %j is found and decoded", (encoding, text, base64) => {
    expect(decodeText(Buffer.from(base64, "base64"))).toEqual({ text, encoding, bomBytes: 0, lossy: false });
  });

  test.each(SAMPLES)("%s: %j is found in a long file of mostly ASCII too", (encoding, text, base64) => {
    if (encoding.startsWith("utf-16")) return;
    const code = Buffer.from("const answer = compute(first, second);\n".repeat(5000));
    const bytes = Buffer.concat([Buffer.from(base64, "base64"), code]);
    expect(decodeText(bytes)?.encoding).toBe(encoding);
    expect(decodeText(bytes)?.text.startsWith(text)).toBe(true);
  });
});

describe("Unicode", () => {
  test("UTF-8 is UTF-8, with and without a mark", () => {
    expect(decodeText(Buffer.from(JAPANESE))).toEqual({
      text: JAPANESE,
      encoding: "utf-8",
      bomBytes: 0,
      lossy: false,
    });
    expect(decodeText(Buffer.from(`\ufeff${JAPANESE}`))).toEqual({
      text: JAPANESE,
      encoding: "utf-8",
      bomBytes: 3,
      lossy: false,
    });
  });

  test("UTF-16 with a mark, both ways", () => {
    const little = Buffer.from(`\ufeff${JAPANESE}`, "utf16le");
    expect(decodeText(little)).toEqual({ text: JAPANESE, encoding: "utf-16le", bomBytes: 2, lossy: false });
    const big = Buffer.from(little).swap16();
    expect(decodeText(big)).toEqual({ text: JAPANESE, encoding: "utf-16be", bomBytes: 2, lossy: false });
  });

  test("UTF-8 with a broken byte stays UTF-8 and is said to be lossy", () => {
    const bytes = Buffer.concat([Buffer.from(JAPANESE), Buffer.from([0xe3, 0x81]), Buffer.from("\n")]);
    const decoded = decodeText(bytes);
    expect(decoded?.encoding).toBe("utf-8");
    expect(decoded?.lossy).toBe(true);
    expect(decoded?.text.startsWith(JAPANESE)).toBe(true);
  });

  test("an empty file is UTF-8", () => {
    expect(decodeText(Buffer.alloc(0))).toEqual({ text: "", encoding: "utf-8", bomBytes: 0, lossy: false });
  });

  test("terminal escapes do not make ISO-2022-JP of ASCII", () => {
    expect(decodeText(Buffer.from("echo '\u001b[31mred\u001b[0m'\n"))?.encoding).toBe("utf-8");
  });
});

describe("what is no text", () => {
  test.each([
    [
      "a PNG",
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    ],
    ["an ELF header", "f0VMRgIBAQAAAAAAAAAAAAMAPgABAAAAYBAAAAAAAABAAAAAAAAAAA=="],
    ["bytes with controls", "gQECAwSFBgEBAgOEBYYBAQKDBIUGAQECA4QFhg=="],
  ])("%s is binary", (_name, base64) => {
    const bytes = Buffer.from(base64, "base64");
    expect(detectEncoding(bytes)).toEqual({ kind: "binary" });
    expect(decodeText(bytes)).toBeUndefined();
  });
});
