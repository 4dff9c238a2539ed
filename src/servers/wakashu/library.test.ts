import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Library, LibraryError } from "./library.ts";
import { type TempCollection, tempCollection } from "./temp-collection.ts";

let temp: TempCollection;
beforeEach(() => {
  temp = tempCollection();
});
afterEach(() => temp.remove());

const library = () => new Library(temp.root);

describe("one collection", () => {
  test("the document's layout is one collection that answers to every name", () => {
    temp.post(1, 1, "Laptop");
    const [collection] = library().collections();
    expect(collection).toMatchObject({ named: false, path: "" });
    expect(library().findCollection("遠慮したラップトップ和歌集")).toEqual(collection);
  });

  test.each(["collection.json", "和歌集.json", "Collection.JSON"])(
    "%s names it, and then only its name is answered",
    (file) => {
      temp.post(1, 1, "Laptop");
      temp.write(file, '{"name": "遠慮したラップトップ和歌集"}');
      expect(library().collections()).toMatchObject([{ name: "遠慮したラップトップ和歌集", named: true }]);
      const found = [
        "遠慮したラップトップ和歌集",
        "「遠慮したラップトップ和歌集」",
        "ラップトップ",
        "遠慮したﾗｯﾌﾟﾄｯﾌﾟ和歌集 第1回",
      ].map((name) => library().findCollection(name)?.name);
      expect(found).toEqual(Array(4).fill("遠慮したラップトップ和歌集"));
      expect(library().findCollection("百人一首")).toBeUndefined();
    },
  );

  test("a description that is broken, huge or not text is no description", () => {
    temp.post(1, 1, "Laptop");
    temp.write("collection.json", "{");
    expect(library().collections()[0]?.named).toBe(false);
    temp.write("collection.json", JSON.stringify({ name: "x", more: "y".repeat(100_000) }));
    expect(library().collections()[0]?.named).toBe(false);
    temp.write("collection.json", '{"name": 5}');
    expect(library().collections()[0]?.named).toBe(false);
  });

  test("a root that is not there is said with what to do", () => {
    const missing = new Library(join(temp.root, "nowhere"));
    expect(() => missing.collections()).toThrow(LibraryError);
    expect(() => missing.collections()).toThrow(/--root/);
  });
});

describe("several collections under one root", () => {
  beforeEach(() => {
    temp.write("春の歌/第1回/1-a/TextData1.json", '{"account":"a","text":"春"}');
    temp.write("autumn/第1回/1-b/TextData1.json", '{"account":"b","text":"秋"}');
    temp.write("autumn/collection.json", '{"wakashuName":"か\u3099んの歌"}');
    mkdirSync(join(temp.root, "not-a-collection"));
    mkdirSync(join(temp.root, ".git/第1回"), { recursive: true });
  });

  test("are told apart by name: the description's, else the folder's", () => {
    expect(
      library()
        .collections()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["がんの歌", "春の歌"]);
  });

  test("NFC and NFD, case and width of a name are one, and the folder's own name works too", () => {
    expect(
      ["がんの歌", "か\u3099んの歌", "ＡＵＴＵＭＮ"].map((name) => library().findCollection(name)?.path),
    ).toEqual(["autumn", "autumn", "autumn"]);
  });

  test("a part of a name is enough when only one has it", () => {
    expect(library().findCollection("春")?.path).toBeUndefined();
    expect(library().findCollection("春の")?.path).toBe("春の歌");
    expect(library().findCollection("の歌")).toBeUndefined();
  });

  test("P2: a name with .. in it is matched against what is listed and never becomes a path", () => {
    for (const name of ["..", "../春の歌", "春の歌/../autumn", "/etc", "autumn\0"]) {
      expect(library().findCollection(name)?.path ?? "none").not.toContain("..");
    }
  });
});

describe("editions and posts", () => {
  test("come in the order of their numbers, not of their letters", () => {
    for (const rank of [10, 2, 1]) temp.post(2, rank, "x");
    for (const edition of [10, 1]) temp.post(edition, 1, "x");
    const [collection] = library().collections();
    if (!collection) throw new Error("no collection");
    const editions = library().editions(collection);
    expect(editions.map(({ edition }) => edition)).toEqual([1, 2, 10]);
    const second = editions[1];
    if (!second) throw new Error("no edition");
    expect(
      library()
        .posts(second)
        .map(({ rank }) => rank),
    ).toEqual([1, 2, 10]);
  });

  test("two folders for one edition: the plain spelling is read, the other is named", () => {
    temp.post(1, 1, "x");
    temp.write("第01回/1-y/TextData1.json", "{}");
    const [collection] = library().collections();
    expect(collection && library().editions(collection)).toMatchObject([
      { directory: "第1回", unread: ["第01回"] },
    ]);
  });

  test("names match without case, the document's spelling first, pictures in the document's order", () => {
    for (const file of [
      "textdata1.JSON",
      "TextData1.json",
      "PICTURE1.WEBP",
      "Picture1.jpg",
      "picture1.png",
      "Picture2.png",
    ]) {
      temp.write(`第1回/1-x/${file}`, "x");
    }
    const [collection] = library().collections();
    const edition = collection && library().findEdition(collection, 1);
    const post = edition && library().posts(edition)[0];
    const files = post && library().files(post);
    expect(files?.text?.name).toBe("TextData1.json");
    expect(files?.picture?.name).toBe("picture1.png");
    expect(files?.others.map(({ name }) => name)).toEqual([
      "Picture1.jpg",
      "PICTURE1.WEBP",
      "textdata1.JSON",
    ]);
  });

  test("a change on the disk is seen by the same library at once", () => {
    temp.post(1, 1, "a");
    const same = library();
    const ranks = () => {
      const [collection] = same.collections();
      const edition = collection && same.findEdition(collection, 1);
      return edition ? same.posts(edition).map(({ directory }) => directory) : [];
    };
    expect(ranks()).toEqual(["1-a"]);
    temp.post(1, 2, "b");
    expect(ranks()).toEqual(["1-a", "2-b"]);
    renameSync(join(temp.root, "第1回/1-a"), join(temp.root, "第1回/1-c"));
    expect(ranks()).toEqual(["1-c", "2-b"]);
    rmSync(join(temp.root, "第1回/2-b"), { recursive: true });
    expect(ranks()).toEqual(["1-c"]);
    rmSync(join(temp.root, "第1回"), { recursive: true });
    expect(ranks()).toEqual([]);
  });

  test("a link inside the root is followed; a file in a folder's place is not a post", () => {
    temp.post(1, 1, "a");
    symlinkSync(join(temp.root, "第1回/1-a"), join(temp.root, "第1回/2-link"));
    writeFileSync(join(temp.root, "第1回/3-file"), "x");
    const [collection] = library().collections();
    const edition = collection && library().findEdition(collection, 1);
    expect(edition && library().posts(edition)).toMatchObject([{ rank: 1 }, { rank: 2, refused: false }]);
  });
});
