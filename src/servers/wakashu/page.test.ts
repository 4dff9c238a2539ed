import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type HttpFixture, serveForTest } from "./http-fixture.ts";
import { sampleRoot } from "./package-root.ts";
import { kanji } from "./page.ts";
import { type TempCollection, tempCollection } from "./temp-collection.ts";

const sample = sampleRoot() ?? "";

describe("the page of the sample", () => {
  let server: HttpFixture;
  beforeAll(async () => {
    server = await serveForTest({ root: sample });
  });
  afterAll(() => server.handle.close());
  const page = async (query = "") => (await server.send("GET", `/${query}`)).body.toString();

  test("shows an edition: ranks, pictures, texts, links, prompts, in order", async () => {
    const html = await page();
    const places = [
      "<h1>遠慮したラップトップ和歌集</h1>",
      "第一回</h2>",
      "1位：",
      "@Laptop",
      '/1/1"',
      "閉じられたまま",
      "夜の机の上で",
      "https://example.com/wakashu/1/moon",
      "@Wakashu",
      "@Kari",
      "@Susuki",
    ].map((text) => html.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(await page("?edition=2")).toContain("撫子");
  });

  test("can be read by a screen reader: language, landmarks, one h1, names, alternatives, a way past the head", async () => {
    const html = await page();
    expect(html).toContain('<html lang="ja">');
    for (const part of [
      "<header",
      "<main",
      "<nav aria-label=",
      "<footer",
      'role="search"',
      '<label for="q">',
      'class="skip" href="#posts"',
      'id="posts"',
      '<meta name="viewport"',
    ])
      expect(html).toContain(part);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html.match(/<article [^>]*aria-labelledby="rank-\d+-name"/g)).toHaveLength(4);
    const images = html.match(/<img [^>]*>/g) ?? [];
    expect(images).toHaveLength(4);
    for (const image of images)
      expect(image).toMatch(/alt="[^"]+".*loading="lazy"|loading="lazy".*alt="[^"]+"/);
    expect(html.match(/aria-current="page"/g)).toHaveLength(2);
  });

  test("is vertical unless asked to be horizontal, and knows both light and dark", async () => {
    const [vertical, horizontal] = [await page(), await page("?layout=horizontal")];
    expect(vertical).toContain('<body class="vertical">');
    expect(horizontal).toContain('<body class="horizontal">');
    expect(vertical).toContain("writing-mode:vertical-rl");
    expect(vertical).toContain("prefers-color-scheme:dark");
  });

  test("loads nothing from elsewhere, and its policy forbids it", async () => {
    const reply = await server.send("GET", "/");
    const html = reply.body.toString();
    expect(html.match(/(src|href)="(?!\/|#|https:\/\/example\.com)[^"]*"/g)).toBeNull();
    expect(html).not.toMatch(/<script|@import|url\(/);
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(reply.headers["content-security-policy"]).toContain(
      `default-src 'none'; img-src 'self'; style-src 'sha256-${hash}'`,
    );
  });

  test("finds words", async () => {
    const html = await page("?q=%E9%9B%81");
    expect(html).toContain("「雁」1件");
    expect(html).toContain("#rank-3");
    expect(await page("?q=%E3%81%AA%E3%81%84%E3%81%AD")).toContain("0件");
  });

  test("an edition or collection that is not there is a page that says so", async () => {
    const reply = await server.send("GET", "/?edition=99");
    expect([reply.status, reply.body.toString().includes("その回はありません")]).toEqual([404, true]);
  });

  test("pictures come from the same server: the file's bytes, or a JPEG of a HEIC", async () => {
    const sources = [...(await page()).matchAll(/<img src="([^"]+)"/g)].map(([, source = ""]) => source);
    const replies = await Promise.all(sources.map((source) => server.send("GET", source)));
    expect(replies.map(({ status, headers }) => [status, headers["content-type"]])).toEqual([
      [200, "image/png"],
      [200, "image/jpeg"],
      [200, "image/webp"],
      [200, "image/jpeg"],
    ]);
    expect(replies[0]?.body.equals(readFileSync(join(sample, "第1回/1-Laptop/Picture1.png")))).toBe(true);
    const original = await server.send("GET", `${sources[3]}?original`);
    expect(original.headers["content-type"]).toBe("image/heic");
    expect(original.body.equals(readFileSync(join(sample, "第1回/4-Susuki/Picture4.heic")))).toBe(true);
    const etag = String(replies[0]?.headers.etag);
    expect((await server.send("GET", sources[0] ?? "", { headers: { "If-None-Match": etag } })).status).toBe(
      304,
    );
  });

  test("N17: paths of pictures lead nowhere else", async () => {
    for (const path of [
      "/picture/",
      "/picture/x",
      "/picture/%2e%2e/1/1/x",
      "/picture/..%2f..%2fpackage.json/1/1",
      "/picture/%c0%ae/1/1",
      "/picture/a/1/1%00",
      "/picture/a/x/1",
    ]) {
      expect((await server.send("GET", path)).status).toBe(404);
    }
  });
});

describe("a page of hostile content", () => {
  let temp: TempCollection;
  let server: HttpFixture;
  beforeEach(async () => {
    temp = tempCollection();
    server = await serveForTest({ root: temp.root });
  });
  afterEach(async () => {
    await server.handle.close();
    temp.remove();
  });

  test("N16: markup in texts, names and links is only text", async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    temp.write("collection.json", JSON.stringify({ name: evil }));
    temp.post(1, 1, "a", {
      account: evil,
      text: evil,
      prompt: evil,
      urls: ["javascript:alert(1)", `https://x.example/${encodeURI(evil)}`, "data:text/html,x"],
    });
    const html = (await server.send("GET", "/")).body.toString();
    expect(html).not.toMatch(/<script|<img src=x|href="javascript|href="data/);
    expect(html).toContain("&lt;script&gt;");
    expect((await server.send("GET", `/?q=${encodeURIComponent(evil)}`)).body.toString()).not.toContain(
      "<script",
    );
  });

  test("P27: a picture that is HTML is neither shown nor sent", async () => {
    temp.post(1, 1, "a");
    temp.write("第1回/1-a/Picture1.png", "<html><script>alert(1)</script>");
    const html = (await server.send("GET", "/")).body.toString();
    expect(html).toContain("※ Picture1.png は画像ではありません");
    expect(html).not.toContain("<img");
    const reply = await server.send("GET", "/picture/x/1/1");
    expect([reply.status, reply.headers["content-type"]]).toEqual([404, "text/plain; charset=utf-8"]);
  });

  test("a thousand posts come a hundred at a time", async () => {
    for (let rank = 1; rank <= 250; rank += 1)
      temp.write(`第1回/${rank}-a/TextData${rank}.json`, '{"text":"歌"}');
    const count = (html: string) => html.match(/<article/g)?.length;
    const first = (await server.send("GET", "/")).body.toString();
    expect([count(first), first.includes("101位から")]).toEqual([100, true]);
    const last = (await server.send("GET", "/?from=201")).body.toString();
    expect([count(last), last.includes("前の順位")]).toEqual([50, true]);
  });

  test("a root that is gone is a page, not a crash", async () => {
    temp.remove();
    expect((await server.send("GET", "/")).status).toBe(404);
  });
});

test("numbers are written in kanji", () => {
  expect([1, 10, 11, 20, 100, 105, 110, 999, 1000, 2026, 9999, 10_000, 0].map(kanji)).toEqual([
    "一",
    "十",
    "十一",
    "二十",
    "百",
    "百五",
    "百十",
    "九百九十九",
    "千",
    "二千二十六",
    "九千九百九十九",
    "10000",
    "0",
  ]);
});
