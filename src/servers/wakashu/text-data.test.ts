import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleRoot } from "./package-root.ts";
import { tinyPng } from "./temp-collection.ts";
import { readTextData, TEXT_DATA_SCHEMA } from "./text-data.ts";

const read = (value: unknown) => readTextData(Buffer.from(JSON.stringify(value)), "TextData1.json");

describe("TextData", () => {
  test("the documented fields are read", () => {
    const { data, problems } = read({
      account: "@Laptop",
      text: "歌",
      urls: ["https://a.example/", "https://b.example/"],
      prompt: "絵",
    });
    expect(data).toEqual({
      account: "Laptop",
      text: "歌",
      urls: ["https://a.example/", "https://b.example/"],
      prompt: "絵",
    });
    expect(problems).toEqual([]);
  });

  test.each([
    { アカウント名: "@雁", 本文: "歌", URL: "https://a.example/", プロンプト: "絵" },
    { アカウント: "雁", テキスト: "歌", リンク: ["https://a.example/"], 画像プロンプト: "絵" },
    { account_name: "雁", Body: "歌", url1: "https://a.example/", "image-prompt": "絵" },
    {
      作者: "雁",
      和歌: ["歌"],
      links: [{ title: "a", url: "https://a.example/" }],
      ジャケット生成に使ったプロンプト: "絵",
    },
    [{ ｔｅｘｔ: "歌", userName: "雁", urls: "https://a.example/", PROMPT: "絵" }],
  ])("other spellings are accepted: %j", (value) => {
    expect(read(value)).toEqual({
      data: { account: "雁", text: "歌", urls: ["https://a.example/"], prompt: "絵" },
      problems: [],
    });
  });

  test("numbered links come in the order of their numbers", () => {
    expect(
      read({ text: "x", url10: "https://c.example", url2: "https://b.example", url: "https://a.example" })
        .data.urls,
    ).toEqual(["https://a.example", "https://b.example", "https://c.example"]);
  });

  test("a missing text is said, a missing link or prompt is not", () => {
    expect(read({ account: "a" })).toEqual({
      data: { account: "a", text: undefined, urls: [], prompt: undefined },
      problems: ["TextData1.json に本文（text）がありません。"],
    });
  });

  test("a field of the wrong kind is said and the others are read", () => {
    expect(read({ account: "a", text: { ja: "歌" }, prompt: "絵" })).toEqual({
      data: { account: "a", text: undefined, urls: [], prompt: "絵" },
      problems: ["TextData1.json の text は文字列ではありません。"],
    });
  });

  test("broken JSON says where it breaks and quotes nothing of it", () => {
    const { data, problems } = readTextData(Buffer.from('{\n  "text": "秘密",,\n}'), "TextData1.json");
    expect(data.text).toBeUndefined();
    expect(problems[0]).toMatch(/正しい JSON ではありません（2 行目の \d+ 文字目）/);
    expect(problems[0]).not.toContain("秘密");
    expect(readTextData(Buffer.from(""), "T").problems[0]).toContain("空のファイル");
    expect(readTextData(Buffer.from('"text"'), "T").problems[0]).toContain("オブジェクト");
  });

  test("UTF-8 with a mark, UTF-16, Shift_JIS and EUC-JP are read; unknown bytes are said", () => {
    const json = '{"text":"雁"}';
    const sjis = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0x8a, 0xe5]), Buffer.from('"}')]);
    const euc = Buffer.concat([
      Buffer.from('{"text":"'),
      Buffer.from([0xb2, 0xce, 0xa4, 0xce, 0xb2, 0xce]),
      Buffer.from('"}'),
    ]);
    expect(readTextData(Buffer.from(`\uFEFF${json}`), "T").data.text).toBe("雁");
    expect(readTextData(Buffer.from(`\uFEFF${json}`, "utf16le"), "T").data.text).toBe("雁");
    expect(readTextData(sjis, "T").data.text).toBe("雁");
    expect(readTextData(euc, "T").data.text).toBe("歌の歌");
    expect(readTextData(tinyPng(), "T").problems[0]).toContain("文字コード");
  });

  test("P19: control characters and direction overrides are taken out, line ends are one", () => {
    const { data } = read({ account: "a\u001b[31m\nb", text: "一\r\n二\u202e三\u0000" });
    expect(data).toMatchObject({ account: "a[31m b", text: "一\n二三" });
  });

  test("R11: keys of the prototype are only keys", () => {
    const { data } = readTextData(
      Buffer.from('{"__proto__":{"text":"bad"},"constructor":"x","text":"歌"}'),
      "T",
    );
    expect(data.text).toBe("歌");
    expect(({} as Record<string, unknown>)["text"]).toBeUndefined();
  });

  test("R12: nesting a hundred thousand deep is an answer and not a stack overflow", () => {
    const deep = `{"text":"歌","more":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(readTextData(Buffer.from(deep), "T").data.text).toBe("歌");
    expect(
      readTextData(Buffer.from(`{"urls":${"[".repeat(100_000)}${"]".repeat(100_000)},"text":"歌"}`), "T").data
        .text,
    ).toBe("歌");
  });

  test("the schema beside the sample is the schema of the code", () => {
    const file = join(sampleRoot() ?? "", "TextData.schema.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(TEXT_DATA_SCHEMA);
  });
});
