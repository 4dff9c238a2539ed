import { describe, expect, test } from "vitest";
import {
  editionOf,
  fold,
  foldForSearch,
  isTextFile,
  pictureExtension,
  postOf,
  readInteger,
} from "./names.ts";

describe("names of the collection", () => {
  test("an edition is read from digits, full-width digits, leading zeros and kanji", () => {
    expect(
      ["第1回", "第１回", "第01回", "第一回", "第十二回", "第二〇回", "第百五回"].map(editionOf),
    ).toEqual([1, 1, 1, 1, 12, 20, 105]);
  });

  test("what is not an edition's name is none", () => {
    const names = [
      "第0回",
      "第回",
      "1回",
      "第1回 ",
      "第1回のコピー",
      "第-1回",
      "第1.5回",
      `第${"9".repeat(50)}回`,
      "第十十回",
    ];
    expect(names.map(editionOf)).toEqual([undefined, undefined, undefined, 1, ...Array(5).fill(undefined)]);
  });

  test("a post's rank and name are read; leading zeros and full-width digits count", () => {
    expect(postOf("1-Laptop")).toEqual({ rank: 1, name: "Laptop" });
    expect(postOf("01-x")).toEqual({ rank: 1, name: "x" });
    expect(postOf("１０－雁")).toEqual({ rank: 10, name: "雁" });
    expect(postOf("3-a-b..c")).toEqual({ rank: 3, name: "a-b..c" });
    expect(postOf("2-か\u3099")).toEqual({ rank: 2, name: "が" });
    expect([postOf("0-x"), postOf("x-1"), postOf("1x"), postOf(".."), postOf("⑩-x")]).toEqual(
      Array(5).fill(undefined),
    );
  });

  test("texts and pictures are found by rank, without case", () => {
    expect(isTextFile("TextData1.json", 1)).toBe(true);
    expect(isTextFile("TEXTDATA01.JSON", 1)).toBe(true);
    expect(isTextFile("TextData12.json", 1)).toBe(false);
    expect(isTextFile("TextData1.json.bak", 1)).toBe(false);
    expect(
      ["Picture1.png", "PICTURE1.JPEG", "picture01.heic", "Picture2.png", "Picture1.gif"].map((name) =>
        pictureExtension(name, 1),
      ),
    ).toEqual(["png", "jpeg", "heic", undefined, undefined]);
  });

  test("NFC and NFD, width and case are one", () => {
    expect(fold("か\u3099ラス ＡＢ")).toBe(fold("がラス AB"));
    expect(foldForSearch("ガラス")).toBe(foldForSearch("がらす"));
  });

  test("a number is read as people write it, and fractions are none", () => {
    expect([1, "2", "３", "第4回", "5位", "第六回", -1, "-2"].map(readInteger)).toEqual([
      1, 2, 3, 4, 5, 6, -1, -2,
    ]);
    expect([1.5, "1.5", "", "一二十", null, undefined, {}, Number.NaN, "1e3"].map(readInteger)).toEqual(
      Array(9).fill(undefined),
    );
  });
});
