/** The hostile list and its siblings, by the ids of the list of hostile inputs where they have one. */
import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  outline,
  ranking,
  shelfOf,
  type TempCollection,
  tempCollection,
  tinyPng,
} from "./temp-collection.ts";

let temp: TempCollection;
let outside: TempCollection;
beforeEach(() => {
  temp = tempCollection();
  outside = tempCollection();
  outside.post(1, 1, "secret", { account: "secret", text: "外の秘密" });
  temp.post(1, 9, "ok");
});
afterEach(() => {
  temp.remove();
  outside.remove();
});

const told = async (from = 1, to = 9) => outline(await ranking(temp.root)(1, from, to));

describe("links", () => {
  test("P3: a text that is a link out of the root is not read, and it is said", async () => {
    temp.post(1, 1, "a");
    execFileSync("ln", [
      "-sfn",
      join(outside.root, "第1回/1-secret/TextData1.json"),
      join(temp.root, "第1回/1-a/TextData1.json"),
    ]);
    const texts = await told();
    expect(texts).toContain("※ TextData1.json は和歌集の外を指すリンクなので読みません。");
    expect(texts.join()).not.toContain("外の秘密");
  });

  test("P3: a picture that is a link out of the root is not read, and it is said", async () => {
    temp.post(1, 1, "a");
    execFileSync("ln", [
      "-sfn",
      join(outside.root, "第1回/1-secret/Picture1.png"),
      join(temp.root, "第1回/1-a/Picture1.png"),
    ]);
    expect(await told()).toContain("※ Picture1.png は和歌集の外を指すリンクなので読みません。");
  });

  test("P4: a post's folder that is a link out of the root is not entered, and it is said", async () => {
    symlinkSync(join(outside.root, "第1回/1-secret"), join(temp.root, "第1回/1-a"));
    const texts = await told();
    expect(texts.slice(0, 2)).toEqual([
      "1位：@a",
      "※ フォルダー「1-a」は和歌集の外を指すリンクなので開きません。",
    ]);
    expect(texts.join()).not.toContain("外の秘密");
  });

  test("P4: an edition or a collection that is a link out of the root is not entered", async () => {
    symlinkSync(join(outside.root, "第1回"), join(temp.root, "第2回"));
    const answer = await ranking(temp.root)(2, 1, 1);
    expect(answer.isError).toBe(true);
    expect(outline(answer)[0]).toContain("和歌集の外を指すリンク");
    symlinkSync(outside.root, join(temp.root, "別の和歌集"));
    expect(shelfOf(temp.root).library.collections()).toHaveLength(1);
  });

  test("P10: a link that stays inside the root is an ordinary post", async () => {
    temp.post(1, 1, "a");
    symlinkSync("1-a", join(temp.root, "第1回/01-b"));
    expect((await told(1, 1)).filter((text) => text.startsWith("1位"))).toEqual(["1位：@a", "1位：@a"]);
  });

  test("a link that leads round in a circle is said", async () => {
    mkdirSync(join(temp.root, "第1回/1-a"));
    symlinkSync("TextData1.json", join(temp.root, "第1回/1-a/TextData1.json"));
    expect((await told()).join()).toMatch(/TextData1\.json (は|を|が)/);
  });
});

describe("names", () => {
  test("P2: a folder called 1-.. or 1-a..b is only a name", async () => {
    temp.post(1, 1, "..", { account: "dots", text: "点" });
    temp.post(1, 2, "a..b", { account: "more", text: "点々" });
    expect((await told()).filter((text) => text.includes("位："))).toEqual([
      "1位：@dots",
      "2位：@more",
      "9位：@ok",
    ]);
  });

  test("01-x is rank 1: the number counts, not its spelling", async () => {
    temp.write("第1回/01-x/TextData1.json", '{"account":"x","text":"歌"}');
    temp.write("第1回/01-x/Picture01.png", tinyPng());
    expect((await told(1, 1)).slice(0, 3)).toEqual(["1位：@x", "[image/png Picture01.png]", '"歌"']);
  });

  test("1-a and 1-b for the same rank: both are given, in the order of their names, and it is said", async () => {
    temp.post(1, 1, "b");
    temp.post(1, 1, "a");
    const texts = await told(1, 1);
    expect(texts.filter((text) => text.startsWith("1位："))).toEqual(["1位：@a", "1位：@b"]);
    expect(texts).toContain("※ 1位のフォルダーは複数あります（これは「1-a」）。");
    expect(texts).toContain("※ 1位のフォルダーは複数あります（これは「1-b」）。");
  });

  test("P10: a folder named in NFD is found and read", async () => {
    temp.post(1, 1, "か\u3099ん".normalize("NFD"), { text: "歌" });
    expect((await told(1, 1))[0]).toBe("1位：@がん");
  });

  test("several pictures for one rank: the first in the document's order is shown, the others are named", async () => {
    temp.post(1, 1, "a");
    temp.write("第1回/1-a/Picture1.webp", tinyPng());
    const texts = await told(1, 1);
    expect(texts[1]).toBe("[image/png Picture1.png]");
    expect(texts).toContain("※ 同じ順位のファイルがほかにもあります：Picture1.webp");
  });
});

describe("files", () => {
  test("P12: a TextData1.json of 1 GB is refused by its size, before it is read", async () => {
    temp.post(1, 1, "a");
    truncateSync(join(temp.root, "第1回/1-a/TextData1.json"), 1024 ** 3);
    const before = process.memoryUsage().rss;
    expect(await told()).toContain(
      "※ TextData1.json は 1.0 GiB あり、上限の 1.0 MiB を超えるため読みません。",
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("P12: a picture of 10 GB is linked, with its size, and not read", async () => {
    temp.post(1, 1, "a");
    truncateSync(join(temp.root, "第1回/1-a/Picture1.png"), 10 * 1024 ** 3);
    const texts = await told();
    expect(texts).toContain("※ Picture1.png は 10 GiB あり、上限の 64 MiB を超えるため開きません。");
    expect(texts).toContain("[→ Picture1.png]");
  });

  test("P27: a picture that is HTML is not given, whatever its name says", async () => {
    temp.post(1, 1, "a");
    temp.write("第1回/1-a/Picture1.png", "<html><script>alert(1)</script></html>");
    expect((await told())[1]).toBe("※ Picture1.png は画像ではありません（HTML のようです）。");
  });

  test("a PNG whose header claims 60,000 by 60,000 is never decoded: it is linked, and said", async () => {
    temp.post(1, 1, "a");
    temp.write("第1回/1-a/Picture1.png", tinyPng(60_000, 60_000));
    const texts = await told();
    expect(texts[1]).toMatch(
      /Picture1\.png は 60000×60000 画素あるという画像で、上限（100 百万画素）を超えるため開きません。/,
    );
    expect(texts[2]).toBe("[→ Picture1.png]");
  });

  test("a picture whose bytes are another format than its name is given as what it is, and said", async () => {
    temp.post(1, 1, "a");
    temp.write("第1回/1-a/Picture1.png", Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Array(20).fill(0)]));
    expect((await told()).slice(1, 3)).toEqual([
      "[image/jpeg Picture1.png]",
      "※ Picture1.png の中身は JPEG です。",
    ]);
  });

  test("a HEIC that is broken is a sentence, and the other posts are given", async () => {
    temp.post(1, 1, "a");
    temp.write(
      "第1回/1-a/Picture1.png",
      Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypheic"), Buffer.alloc(400)]),
    );
    const texts = await told();
    expect(texts[1]).toBe("※ Picture1.png は壊れているようで、開けませんでした。");
    expect(texts).toContain("9位：@ok");
  });

  test.skipIf(process.platform === "win32")(
    "P11: a FIFO in a file's place does not hold the server",
    async () => {
      temp.post(1, 1, "a");
      execFileSync("rm", [
        join(temp.root, "第1回/1-a/TextData1.json"),
        join(temp.root, "第1回/1-a/Picture1.png"),
      ]);
      execFileSync("mkfifo", [
        join(temp.root, "第1回/1-a/TextData1.json"),
        join(temp.root, "第1回/1-a/Picture1.png"),
      ]);
      const texts = await told();
      expect(texts).toContain("※ TextData1.json は普通のファイルではないので読みません。");
      expect(texts).toContain("※ Picture1.png は普通のファイルではないので読みません。");
    },
  );

  test("a folder in a file's place is not a file", async () => {
    mkdirSync(join(temp.root, "第1回/1-a/TextData1.json"), { recursive: true });
    expect(await told()).toContain("※ TextData1.json がありません。");
  });

  test.skipIf(process.getuid?.() === 0)("a folder without permission is said", async () => {
    temp.post(1, 1, "a");
    chmodSync(join(temp.root, "第1回/1-a"), 0);
    expect(await told()).toContain("※ フォルダー「1-a」を開けません。");
    chmodSync(join(temp.root, "第1回/1-a"), 0o700);
  });

  test("a text of a million characters is cut at the limit, with the way to the whole", async () => {
    temp.post(1, 1, "a", { account: "a", text: "あ".repeat(300_000) });
    const texts = await told();
    expect(texts[2]?.length).toBeLessThan(20_100);
    expect(texts[3]).toMatch(/はじめの 20000 文字を載せました（全部で 300002 文字）/);
    expect(texts[4]).toBe("[→ TextData1.json]");
  });

  test("an empty picture and an empty text are said", async () => {
    temp.post(1, 1, "a");
    for (const file of ["TextData1.json", "Picture1.png"])
      writeFileSync(join(temp.root, "第1回/1-a", file), "");
    expect((await told()).slice(1, 3)).toEqual([
      "※ Picture1.png は画像ではありません（空のファイルです）。",
      "※ TextData1.json は正しい JSON ではありません（空のファイルです）。",
    ]);
  });

  test("many open files are not left open", async () => {
    for (let rank = 1; rank <= 8; rank += 1) temp.post(1, rank, "a");
    for (let round = 0; round < 30; round += 1) await told();
    const descriptor = openSync(join(tmpdir()), "r");
    closeSync(descriptor);
    expect(descriptor).toBeLessThan(100);
  });
});
