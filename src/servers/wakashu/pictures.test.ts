import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Answer, toPlainJson, toToolResult } from "./answer.ts";
import { sampleRoot } from "./package-root.ts";
import { getRankingTool } from "./ranking-tools.ts";
import { outline, ranking, shelfOf, type TempCollection, tempCollection } from "./temp-collection.ts";

const KiB = 1024;
let temp: TempCollection;
beforeEach(() => {
  temp = tempCollection();
});
afterEach(() => temp.remove());

/** A picture that no encoder makes small. */
async function noise(side: number): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * 3);
  let seed = side;
  for (let index = 0; index < pixels.length; index += 1) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    pixels[index] = seed >>> 16;
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

const wireBytes = (answer: Answer) => [
  Buffer.concat(toPlainJson(answer)).length,
  Buffer.byteLength(JSON.stringify(toToolResult(answer))),
];

describe("HEIC", () => {
  test("is given as JPEG with the original linked, and the JPEG's own URI", async () => {
    const answer = await ranking(sampleRoot() ?? "")(1, 4, 4, "遠慮したラップトップ和歌集");
    const [, picture, link] = answer.blocks;
    if (picture?.type !== "picture") throw new Error("no picture");
    expect(picture).toMatchObject({
      mimeType: "image/jpeg",
      name: "Picture4.jpg",
      iri: "wakashu://jpeg/遠慮したラップトップ和歌集/1/4?side=2560",
    });
    expect(link).toMatchObject({
      type: "link",
      mimeType: "image/heic",
      name: "Picture4.heic",
      bytes: 24_993,
      description: expect.stringContaining("JPEG に変換しました"),
    });
    const { format, width, height } = await sharp(picture.base64.raw).metadata();
    expect({ format, width, height }).toEqual({ format: "jpeg", width: 640, height: 640 });
  });

  test("shows what was drawn: the sky of the sample is where it should be", async () => {
    const { library, pictures } = shelfOf(sampleRoot() ?? "");
    const [collection] = library.collections();
    const edition = collection && library.findEdition(collection, 2);
    const post = edition && library.posts(edition)[1];
    const file = post && library.files(post).picture;
    if (!file) throw new Error("no file");
    const { base64 } = await pictures.jpeg(pictures.inspect(file), 64);
    const { data } = await sharp(base64.raw).raw().toBuffer({ resolveWithObject: true });
    const [wall, quilt] = [
      data.subarray(0, 3),
      data.subarray(data.length - 3 * 32, data.length - 3 * 32 + 3),
    ];
    expect(wall[2]).toBeGreaterThan(180);
    expect(quilt[2]).toBeLessThan(140);
  });
});

describe("the size of one answer", () => {
  test("a picture over the limit is scaled, said and linked; the answer stays within the limit", async () => {
    temp.post(1, 1, "a");
    temp.write("第1回/1-a/Picture1.png", await noise(500));
    const limit = 256 * KiB;
    const answer = await ranking(temp.root, limit)(1, 1, 1);
    expect(outline(answer)).toEqual([
      "1位：@a",
      "[image/jpeg Picture1.jpg]",
      "[→ Picture1.png]",
      expect.stringMatching(
        /^※ Picture1\.png（\d+ KiB）は応答の大きさの上限に収まらないので、長辺 \d+ 画素以下の JPEG に縮小しました。/,
      ),
      '"aの歌"\nジャケット生成に使ったプロンプト\n「aの絵」',
    ]);
    for (const bytes of wireBytes(answer)) expect(bytes).toBeLessThan(limit);
  });

  test("small pictures beside it are left as they are", async () => {
    for (const rank of [1, 2, 3]) temp.post(1, rank, "a");
    temp.write("第1回/2-a/Picture2.png", await noise(500));
    const pictures = outline(await ranking(temp.root, 256 * KiB)(1, 1, 3)).filter((text) =>
      text.startsWith("[image"),
    );
    expect(pictures).toEqual([
      "[image/png Picture1.png]",
      "[image/jpeg Picture2.jpg]",
      "[image/png Picture3.png]",
    ]);
  });

  test("many large pictures: as many as fit, the others as links, and it is said of each", async () => {
    const picture = await noise(120);
    for (let rank = 1; rank <= 20; rank += 1) {
      temp.post(1, rank, "a");
      temp.write(`第1回/${rank}-a/Picture${rank}.png`, picture);
    }
    const limit = 400 * KiB;
    const answer = await ranking(temp.root, limit)(1, 1, 20);
    const texts = outline(answer);
    const links = texts.filter((text) => text.startsWith("[→"));
    const given = texts.filter((text) => text.startsWith("[image"));
    expect(given.length).toBeGreaterThan(2);
    expect(given.length + links.length).toBe(20);
    expect(texts.filter((text) => text.includes("リンクを載せます"))).toHaveLength(links.length);
    for (const bytes of wireBytes(answer)) expect(bytes).toBeLessThan(limit);
  });

  test("words over the limit: the answer ends before it and says where to go on", async () => {
    for (let rank = 1; rank <= 30; rank += 1)
      temp.post(1, rank, "a", { account: "a", text: "あ".repeat(5000) });
    const limit = 200 * KiB;
    const answer = await ranking(temp.root, limit)(1, 1, 30);
    const next = Number(/rankStart を (\d+) にして/.exec(outline(answer).at(-1) ?? "")?.[1]);
    expect(next).toBeGreaterThan(1);
    expect(answer.structured?.()).toMatchObject({ nextRank: next, rankEnd: next - 1 });
    for (const bytes of wireBytes(answer)) expect(bytes).toBeLessThan(limit);
    const rest = outline(await ranking(temp.root, limit)(1, next, 30))[0];
    expect(rest).toBe(`${next}位：@a`);
  });

  test("the limit holds with long paths, notes and every fault at once", async () => {
    const long = "長い名前の".repeat(8);
    for (let rank = 1; rank <= 60; rank += 1) {
      const words =
        rank % 3 === 0
          ? { text: 5 }
          : { text: "歌".repeat(rank * 20), urls: Array(rank % 7).fill("https://example.com/") };
      temp.post(1, rank, long, words);
      if (rank % 4 === 0) temp.write(`第1回/${rank}-${long}/Picture${rank}.png`, "<html>");
      if (rank % 5 === 0) temp.write(`第1回/${rank}-${long}/Picture${rank}.webp`, "x");
    }
    for (const limit of [64 * KiB, 128 * KiB, 512 * KiB]) {
      for (const bytes of wireBytes(await ranking(temp.root, limit)(1, 1, 60)))
        expect(bytes).toBeLessThan(limit);
    }
  });
});

test("progress is told while pictures are converted, and not for reading alone", async () => {
  const tool = getRankingTool(shelfOf(sampleRoot() ?? ""), 8 * 1024 * KiB);
  const told: unknown[] = [];
  const context = { signal: new AbortController().signal, progress: (update: unknown) => told.push(update) };
  const request = { wakashuName: "遠慮したラップトップ和歌集", edition: 1, rankStart: 1 };
  await tool.answer({ ...request, rankEnd: 3 }, context);
  expect(told).toEqual([]);
  await tool.answer({ ...request, rankEnd: 4 }, context);
  expect(told.at(-1)).toEqual({ progress: 4, total: 4 });
});

describe("kept pictures", () => {
  test("one file asked for by many at once is read once and is the same bytes", async () => {
    const { library, pictures } = shelfOf(sampleRoot() ?? "");
    const path = "第1回/1-Laptop/Picture1.png";
    const info = pictures.inspect({ name: "Picture1.png", path });
    const all = await Promise.all(Array.from({ length: 8 }, () => pictures.encode(info)));
    expect(new Set(all.map(({ base64 }) => base64)).size).toBe(1);
    expect(all[0]?.base64.text).toBe(readFileSync(join(library.root, path)).toString("base64"));
    expect((await pictures.encode(pictures.inspect({ name: "Picture1.png", path }))).base64).toBe(
      all[0]?.base64,
    );
  });

  test("a JPEG for a given side is no larger than that, and never larger than the original", async () => {
    const { pictures } = shelfOf(sampleRoot() ?? "");
    const info = pictures.inspect({ name: "Picture1.png", path: "第1回/1-Laptop/Picture1.png" });
    for (const [side, expected] of [
      [100, 100],
      [2000, 640],
    ] as const) {
      const { base64 } = await pictures.jpeg(info, side);
      expect((await sharp(base64.raw).metadata()).width).toBe(expected);
    }
  });
});
