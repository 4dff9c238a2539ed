import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type KitResource, ResourceError, type ResourceProvider } from "../kit/index.ts";
import { sampleRoot } from "./package-root.ts";
import { createResources } from "./resources.ts";
import { shelfOf, type TempCollection, tempCollection } from "./temp-collection.ts";

const signal = new AbortController().signal;
const over = (root: string, maxAnswerBytes = 8 * 1024 * 1024): ResourceProvider =>
  createResources(shelfOf(root), maxAnswerBytes, () => {});
const sample = sampleRoot() ?? "";
const name = encodeURIComponent("遠慮したラップトップ和歌集");

let temp: TempCollection;
beforeEach(() => {
  temp = tempCollection();
});
afterEach(() => temp.remove());

async function listAll(provider: ResourceProvider): Promise<{ all: KitResource[]; pages: number }> {
  const all: KitResource[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await provider.list({ ...(cursor !== undefined && { cursor }), signal });
    all.push(...page.resources);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined && pages < 100);
  return { all, pages };
}

describe("listing", () => {
  test("E5: every collection, edition, post, picture and text of the sample is listed and can be read", async () => {
    const provider = over(sample);
    const { all } = await listAll(provider);
    const count = (pattern: RegExp) => all.filter(({ uri }) => pattern.test(uri)).length;
    expect([
      count(/^wakashu:\/\/collection/),
      count(/^wakashu:\/\/edition/),
      count(/^wakashu:\/\/post/),
    ]).toEqual([1, 2, 8]);
    expect([count(/^file:.*Picture/), count(/^file:.*TextData/), all.length]).toEqual([8, 8, 28]);
    expect(new Set(all.map(({ uri }) => uri)).size).toBe(all.length);
    for (const { uri } of all) {
      expect(uri).toMatch(/^[!-~]+$/);
      const contents = await provider.read(uri, { signal });
      expect(contents[0]?.uri).toBe(uri);
    }
  });

  test("a picture is listed with its type, size and time", async () => {
    const { all } = await listAll(over(sample));
    const picture = all.find(({ uri }) => uri.endsWith("Picture4.heic"));
    expect(picture).toMatchObject({
      name: "Picture4.heic",
      title: "第1回 4位 Susuki の画像",
      mimeType: "image/heic",
      size: 24_993,
      annotations: { lastModified: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
  });

  test("pages have a bounded size, repeat nothing and lose nothing", async () => {
    for (let rank = 1; rank <= 700; rank += 1) temp.write(`第1回/${rank}-a/TextData${rank}.json`, "{}");
    const { all, pages } = await listAll(over(temp.root));
    expect(all).toHaveLength(3 + 2 * 700);
    expect(new Set(all.map(({ uri }) => uri)).size).toBe(all.length);
    expect(pages).toBe(2);
  });

  test("a post that goes between two pages takes no other with it", async () => {
    for (let rank = 1; rank <= 700; rank += 1) temp.write(`第1回/${rank}-a/TextData${rank}.json`, "{}");
    const provider = over(temp.root);
    const first = await provider.list({ signal });
    for (const rank of [1, 2, 499, 500]) rmSync(join(temp.root, `第1回/${rank}-a`), { recursive: true });
    const second = await provider.list({ cursor: first.nextCursor ?? "", signal });
    const ranks = [...first.resources, ...second.resources]
      .map(({ uri }) => /^wakashu:\/\/post\/.*\/(\d+)$/.exec(uri)?.[1])
      .filter(Boolean);
    expect(new Set(ranks).size).toBe(ranks.length);
    for (let rank = 503; rank <= 700; rank += 1) expect(ranks).toContain(String(rank));
  });

  test.each(["", "x", "{}", "[1,2]", '["",1,2]', "null"])(
    "the cursor %j is refused as not ours",
    async (cursor) => {
      await expect(async () => over(sample).list({ cursor, signal })).rejects.toMatchObject({ code: -32602 });
    },
  );

  test("a tie is listed under its folders' names, and both can be read", async () => {
    temp.post(1, 1, "a");
    temp.post(1, 1, "b");
    const provider = over(temp.root);
    const posts = (await listAll(provider)).all.filter(({ uri }) => uri.startsWith("wakashu://post"));
    expect(posts.map(({ uri }) => uri.split("/").at(-1))).toEqual(["1-a", "1-b"]);
    const [second] = await provider.read(posts[1]?.uri ?? "", { signal });
    expect(second).toMatchObject({ text: expect.stringContaining("1位：@b") });
  });
});

describe("reading", () => {
  test("a picture by its file URI and by edition and rank is the file's bytes", async () => {
    const file = join(sample, "第1回/1-Laptop/Picture1.png");
    const blob = readFileSync(file).toString("base64");
    const uris = [
      pathToFileURL(file).href,
      `file://${file}`,
      `wakashu://picture/${name}/1/1`,
      "wakashu://picture/遠慮したラップトップ和歌集/第1回/1-Laptop",
    ];
    for (const uri of uris) {
      expect(await over(sample).read(uri, { signal })).toEqual([{ uri, mimeType: "image/png", blob }]);
    }
  });

  test("a text is the file's own JSON", async () => {
    const [text] = await over(sample).read(`wakashu://text/${name}/2/3`, { signal });
    expect(text).toEqual({
      uri: `wakashu://text/${name}/2/3`,
      mimeType: "application/json",
      text: readFileSync(join(sample, "第2回/3-Hotaru/TextData3.json"), "utf8"),
    });
  });

  test("a post is its words and its picture", async () => {
    const [words, picture] = await over(sample).read(`wakashu://post/${name}/1/3`, { signal });
    expect(words).toMatchObject({
      mimeType: "text/plain",
      text: expect.stringMatching(/^3位：@Kari\n"雁わたる/),
    });
    expect(picture).toMatchObject({ mimeType: "image/webp" });
  });

  test("an edition is the list of its posts, a collection that of its editions", async () => {
    const [edition] = await over(sample).read(`wakashu://edition/${name}/2`, { signal });
    expect(JSON.parse(edition && "text" in edition ? edition.text : "").posts).toHaveLength(4);
    const [collection] = await over(sample).read(`wakashu://collection/${name}`, { signal });
    expect(JSON.parse(collection && "text" in collection ? collection.text : "")).toMatchObject({
      editions: [
        { edition: 1, posts: 4 },
        { edition: 2, posts: 4 },
      ],
    });
  });

  test("a HEIC can be read as JPEG of a given side", async () => {
    const [jpeg] = await over(sample).read(`wakashu://jpeg/${name}/1/4?side=64`, { signal });
    expect(jpeg).toMatchObject({ mimeType: "image/jpeg" });
    expect(Buffer.from(jpeg && "blob" in jpeg ? jpeg.blob : "", "base64").subarray(0, 3)).toEqual(
      Buffer.from([0xff, 0xd8, 0xff]),
    );
  });

  test("a picture too large for one answer says under which name a smaller one is", async () => {
    temp.post(1, 1, "a");
    temp.write(
      "第1回/1-a/Picture1.png",
      Buffer.concat([readFileSync(join(sample, "第1回/1-Laptop/Picture1.png")), Buffer.alloc(200_000)]),
    );
    const provider = over(temp.root, 64 * 1024);
    const error = await provider
      .read("wakashu://picture/x/1/1", { signal })
      .catch((reason: unknown) => reason);
    const smaller = /wakashu:\/\/jpeg\S+/.exec(String(error))?.[0] ?? "";
    expect(await provider.read(smaller, { signal })).toMatchObject([{ mimeType: "image/jpeg" }]);
    expect(await provider.read("wakashu://post/x/1/1", { signal })).toMatchObject([
      { text: expect.stringContaining("収まりません") },
    ]);
  });

  test.each([
    ["P1", "not-found", () => pathToFileURL(join(sample, "collection.json")).href],
    ["P2", "refused", () => `${pathToFileURL(sample).href}/../../package.json`],
    ["P7", "refused", () => `${pathToFileURL(sample).href}/%2e%2e/%2e%2e/package.json`],
    ["P11", "refused", () => "file:///proc/self/environ"],
    ["-", "not-found", () => `wakashu://picture/${name}/1/99`],
    ["-", "not-found", () => `wakashu://edition/${name}/99`],
    ["P7", "not-found", () => "wakashu://collection/..%2f..%2fetc"],
    ["-", "invalid", () => "code://file/x"],
  ])("%s: %s is the kind of error", async (_id, code, uri) => {
    await expect(over(sample).read(uri(), { signal })).rejects.toSatisfy(
      (error) => error instanceof ResourceError && error.code === code,
    );
  });

  test("P27: a picture that is HTML is refused when it is read, too", async () => {
    temp.post(1, 1, "a");
    temp.write("第1回/1-a/Picture1.png", "<html>");
    await expect(over(temp.root).read("wakashu://picture/x/1/1", { signal })).rejects.toMatchObject({
      code: "refused",
    });
    const { all } = await listAll(over(temp.root));
    expect(all.find(({ uri }) => uri.endsWith("Picture1.png"))?.description).toContain("HTML のようです");
  });
});

describe("templates and completion", () => {
  test("each variable is completed, narrowed by those already chosen", async () => {
    const complete = (variable: string, value: string, others = {}) =>
      over(sample).complete?.({
        template: "wakashu://picture/{wakashuName}/{edition}/{rank}",
        variable,
        value,
        others,
      });
    expect(await complete("wakashuName", "遠慮")).toEqual(["遠慮したラップトップ和歌集"]);
    expect(await complete("wakashuName", "x")).toEqual([]);
    expect(await complete("edition", "", { wakashuName: "遠慮したラップトップ和歌集" })).toEqual(["1", "2"]);
    expect(await complete("rank", "", { edition: "2" })).toEqual(["1", "2", "3", "4"]);
    expect(await complete("rank", "", { wakashuName: "なし" })).toEqual([]);
    expect(await complete("side", "")).toEqual([]);
  });

  test("every template can be filled and read", async () => {
    const values: Record<string, string> = { wakashuName: name, edition: "1", rank: "1", "?side": "" };
    for (const { uriTemplate } of over(sample).templates ?? []) {
      const uri = uriTemplate.replace(/\{([^}]+)\}/g, (_, variable: string) => values[variable] ?? "");
      expect(await over(sample).read(uri, { signal })).not.toEqual([]);
    }
  });
});
