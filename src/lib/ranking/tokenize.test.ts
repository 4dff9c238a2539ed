import { describe, expect, test } from "vitest";
import { MAX_LENGTH, tokenize } from "./tokenize.ts";

const terms = (text: string) => tokenize(text).map(({ term }) => term);

describe("tokenize", () => {
  test("identifiers are split and kept whole", () => {
    expect(terms("getRanking")).toEqual(["getrank", "rank"]);
    expect(terms("list_files")).toEqual(["list", "fil"]);
    expect(terms("HTTPServer2")).toEqual(["httpserver2", "http", "serv", "2"]);
  });

  test("the parts of a compound weigh less than the whole", () => {
    const [whole, ...parts] = tokenize("JavaScript");
    expect(whole?.weight).toBe(1);
    expect(parts.every(({ weight }) => weight < 1)).toBe(true);
  });

  test("function words and politeness say nothing", () => {
    expect(terms("Could you please show me the files of it")).toEqual(["show", "fil"]);
    expect(terms("これをください")).toEqual([]);
  });

  test("Japanese goes through the dictionary, and pairs of kanji are added with less weight", () => {
    const tokens = tokenize("ファイル一覧を表示して");
    expect(tokens.filter(({ weight }) => weight === 1).map(({ term }) => term)).toEqual([
      "ファイル",
      "一覧",
      "表示",
    ]);
    expect(tokens.filter(({ weight }) => weight < 1).map(({ term }) => term)).toEqual([
      "\u0002一覧",
      "\u0002表示",
    ]);
  });

  test("full-width letters and half-width kana are the same words", () => {
    expect(terms("ＦＩＬＥ ﾌｧｲﾙ")).toEqual(terms("file ファイル"));
  });

  test("text beyond the limit is not read", () => {
    expect(terms(`${" ".repeat(MAX_LENGTH)}beyond`)).toEqual([]);
  });
});
