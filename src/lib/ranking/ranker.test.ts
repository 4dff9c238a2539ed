import { describe, expect, test } from "vitest";
import { documentOf } from "./document.ts";
import { createRanker, type RankDocument } from "./ranker.ts";
import { createSynonyms, everydaySynonyms } from "./synonyms.ts";

const doc = (id: string, text: string, weight = 1): RankDocument => ({ id, fields: [{ text, weight }] });
const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

describe("createRanker", () => {
  test("the document that shares the rarest words comes first", () => {
    const ranker = createRanker([
      doc("list", "list files of a directory"),
      doc("read", "read the contents of a file"),
      doc("weather", "weather forecast of a city"),
    ]);
    expect(ids(ranker.rank("what does this file contain? read its contents", 2))).toEqual(["read", "list"]);
  });

  test("documents that share no word are not found", () => {
    expect(createRanker([doc("a", "weather")]).rank("poem", 5)).toEqual([]);
  });

  test("a heavier field counts more", () => {
    const ranker = createRanker([
      {
        id: "body",
        fields: [
          { text: "other", weight: 2 },
          { text: "ranking", weight: 1 },
        ],
      },
      {
        id: "name",
        fields: [
          { text: "ranking", weight: 2 },
          { text: "other", weight: 1 },
        ],
      },
    ]);
    expect(ids(ranker.rank("ranking", 2))).toEqual(["name", "body"]);
  });

  test("equal scores keep the order in which documents were added", () => {
    const ranker = createRanker([doc("b", "equal"), doc("a", "equal"), doc("c", "equal")]);
    expect(ids(ranker.rank("equal", 3))).toEqual(["b", "a", "c"]);
  });

  test("adding and removing is incremental and leaves no trace", () => {
    const ranker = createRanker([doc("a", "alpha common"), doc("b", "beta common")]);
    const before = ranker.rank("alpha beta common", 5);
    ranker.add(doc("c", "gamma common"));
    expect(ids(ranker.rank("gamma", 5))).toEqual(["c"]);
    ranker.remove("c");
    expect(ranker.size).toBe(2);
    expect(ranker.rank("gamma", 5)).toEqual([]);
    expect(ranker.rank("alpha beta common", 5)).toEqual(before);
  });

  test("a document of the same id replaces the old one", () => {
    const ranker = createRanker([doc("a", "old words")]);
    ranker.add(doc("a", "new text"));
    expect(ranker.size).toBe(1);
    expect(ranker.rank("old", 5)).toEqual([]);
    expect(ids(ranker.rank("text", 5))).toEqual(["a"]);
  });

  test("a synonym finds, the word itself finds better", () => {
    const synonyms = createSynonyms([{ groups: "show display", weight: 0.7 }]);
    const ranker = createRanker([doc("synonym", "display"), doc("word", "show")], { synonyms });
    expect(ids(ranker.rank("show", 5))).toEqual(["word", "synonym"]);
  });

  test("a word nobody uses finds those that begin alike", () => {
    const ranker = createRanker([doc("a", "translator"), doc("b", "weather")]);
    expect(ids(ranker.rank("translatable", 5))).toEqual(["a"]);
  });

  test("Japanese asks, English answers", () => {
    const ranker = createRanker(
      [
        doc("list", "List the files of a directory"),
        doc("write", "Write text into a file"),
        doc("get", "Get the ranking"),
      ],
      { synonyms: everydaySynonyms() },
    );
    expect(ids(ranker.rank("ディレクトリのファイル一覧を表示して", 1))).toEqual(["list"]);
    expect(ids(ranker.rank("ランキングを取得", 1))).toEqual(["get"]);
  });

  test("R20: 5,000 tools are ranked in a few passes of the query's words, not of the tools' text", () => {
    const words = Array.from(
      { length: 900 },
      (_, index) => `word${String.fromCharCode(97 + (index % 26))}${index}`,
    );
    const documents = Array.from({ length: 5000 }, (_, index) =>
      doc(`t${index}`, Array.from({ length: 30 }, (_, at) => words[(index * 7 + at * 13) % 900]).join(" ")),
    );
    const started = performance.now();
    const ranker = createRanker(documents, { synonyms: everydaySynonyms() });
    const indexing = performance.now() - started;
    const query = words.slice(0, 12).join(" ");
    ranker.rank(query, 10);
    const before = performance.now();
    for (let round = 0; round < 10; round += 1) ranker.rank(query, 10);
    const ranking = (performance.now() - before) / 10;
    expect(ranker.rank(query, 10)).toHaveLength(10);
    // By ratio in one run: ranking is a small part of indexing, whatever the machine.
    expect(ranking).toBeLessThan(indexing / 4);
  });
});

describe("documentOf", () => {
  test("names, titles, descriptions and parameters are all words of a tool", () => {
    const ranker = createRanker([
      documentOf({
        id: "t",
        name: "getRanking",
        title: "順位の取得",
        description: "Posts of an edition",
        schema: { properties: { wakashuName: { description: "name of the anthology" } } },
      }),
    ]);
    for (const word of ["ranking", "順位", "edition", "wakashu", "anthology"])
      expect(ids(ranker.rank(word, 1)), word).toEqual(["t"]);
  });

  test("R21: a cyclic or endless schema is read to a limit", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["properties"] = { again: cyclic };
    expect(documentOf({ id: "t", name: "t", schema: cyclic }).fields.length).toBe(2);
    const wide = {
      properties: Object.fromEntries(
        Array.from({ length: 50_000 }, (_, i) => [`p${i}`, { description: "x" }]),
      ),
    };
    const text = documentOf({ id: "t", name: "t", schema: wide }).fields.map((field) => field.text.length);
    expect(Math.max(...text)).toBeLessThan(10_000);
  });
});
