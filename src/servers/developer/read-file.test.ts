import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodeText } from "../../lib/text-encode.ts";
import { startTemporaryServer, textOf } from "./temporary-server.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("lines", () => {
  test("come with their numbers and how many there are", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "a.txt"), "一\r\n二\r\n三");
    expect(await server.say("read_file", { path: "a.txt" })).toBe(
      "a.txt, lines 1-3 of 3\n1\t一\n2\t二\n3\t三",
    );
  });

  test("come as a range that says how to read on", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "a.txt"), "1\n2\n3\n4\n");
    expect(await server.say("read_file", { path: "a.txt", start_line: 2, limit: 2 })).toBe(
      "a.txt, lines 2-3 of 4\n2\t2\n3\t3\n[more follows: read on from line 4]",
    );
    expect(await server.say("read_file", { path: "a.txt", start_line: 4, limit: 9 })).toBe(
      "a.txt, lines 4-4 of 4\n4\t4",
    );
    expect(await server.say("read_file", { path: "a.txt", start_line: 5 })).toBe(
      "a.txt has 4 lines; there is no line 5.",
    );
  });

  test("of an old Mac file end with \\r", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "a.txt"), "1\r2\r3");
    expect(await server.say("read_file", { path: "a.txt" })).toContain("1\t1\n2\t2\n3\t3");
  });

  test("that are too long are cut, and it is said", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "a.txt"), `${"長".repeat(5000)}\nshort\n`);
    const answer = await server.say("read_file", { path: "a.txt" });
    expect(answer).toMatch(/1\t長{2000}… \[line cut; it has 5,000 characters\]\n2\tshort$/);
  });

  test("all together are bounded, and nothing is skipped when reading on", async () => {
    await using server = startTemporaryServer();
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1} ${"x".repeat(index % 50)}`);
    writeFileSync(join(server.folder, "a.txt"), lines.join("\n"));
    const seen: string[] = [];
    for (let start: number | undefined = 1; start !== undefined; ) {
      const answer: string = await server.say("read_file", { path: "a.txt", start_line: start });
      expect(answer.length).toBeLessThan(60_000);
      seen.push(...answer.split("\n").flatMap((line) => /^\d+\t(.*)$/.exec(line)?.[1] ?? []));
      const next: string | undefined = /read on from line (\d+)/.exec(answer)?.[1];
      start = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(lines);
  });

  test("split between pieces of a large file are whole", async () => {
    await using server = startTemporaryServer();
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index + 1}行目の秋`);
    writeFileSync(join(server.folder, "a.txt"), lines.join("\r\n"));
    const answer = await server.say("read_file", { path: "a.txt", start_line: 30_000, limit: 1500 });
    expect(answer.split("\n").slice(1, -1)).toEqual(
      lines.slice(29_999, 31_499).map((line, index) => `${30_000 + index}\t${line}`),
    );
    expect(answer).not.toContain("\ufffd");
  });
});

test.each(["shift_jis", "euc-jp", "utf-16le", "iso-2022-jp"] as const)(
  "%s is decoded, and the encoding is said",
  async (encoding) => {
    await using server = startTemporaryServer();
    const text = "これは日本語の文章です。\n秋の田の かりほの庵の\n";
    const encoded = encodeText(encoding === "utf-16le" ? `\ufeff${text}` : text, encoding);
    if (encoded.ok) writeFileSync(join(server.folder, "a.txt"), encoded.bytes);
    expect(await server.say("read_file", { path: "a.txt" })).toBe(
      `a.txt, lines 1-2 of 2, ${encoding}\n1\tこれは日本語の文章です。\n2\t秋の田の かりほの庵の`,
    );
  },
);

test("a picture is shown, by its bytes and not by its name", async () => {
  await using server = startTemporaryServer();
  writeFileSync(join(server.folder, "a.dat"), PIXEL);
  writeFileSync(join(server.folder, "fake.png"), "<script>alert(1)</script>\n");
  expect((await server.call("read_file", { path: "a.dat" })).content[1]).toEqual({
    type: "image",
    data: PIXEL.toString("base64"),
    mimeType: "image/png",
  });
  expect(await server.say("read_file", { path: "fake.png" })).toContain("1\t<script>");
});

test("a picture that is too large is refused with what to do", async () => {
  await using server = startTemporaryServer();
  writeFileSync(join(server.folder, "a.png"), PIXEL);
  truncateSync(join(server.folder, "a.png"), 6_000_000);
  expect(await server.say("read_file", { path: "a.png" })).toMatch(/over the limit.*Scale it down/);
});

test("a binary file is refused with its type and size", async () => {
  await using server = startTemporaryServer();
  writeFileSync(join(server.folder, "a.zip"), Buffer.from("PK\u0003\u0004\0\0\0\0\u0008\0\0\0", "latin1"));
  const result = await server.call("read_file", { path: "a.zip" });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(/binary file \(application\/zip, 12 bytes\)/);
});

test("an empty file is said to be empty", async () => {
  await using server = startTemporaryServer();
  writeFileSync(join(server.folder, "a"), "");
  expect(await server.say("read_file", { path: "a" })).toBe("a is empty (0 bytes).");
});

describe("P12: a file of 10 GB", () => {
  test("that begins with text gives its first lines in little memory", async () => {
    await using server = startTemporaryServer();
    const path = join(server.folder, "huge.log");
    writeFileSync(path, Array.from({ length: 40_000 }, (_, index) => `line ${index}`).join("\n"));
    truncateSync(path, 10 * 2 ** 30);
    const before = process.memoryUsage().rss;
    expect(await server.say("read_file", { path: "huge.log", start_line: 10, limit: 2 })).toMatch(
      /lines 10-11 of a file of 11 GB\n10\tline 9\n11\tline 10\n\[more follows/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("that is one endless line is cut, and no more is read than needed to say so", async () => {
    await using server = startTemporaryServer();
    const path = join(server.folder, "huge.txt");
    const fd = openSync(path, "w");
    writeSync(fd, "x".repeat(70 * 1024 * 1024));
    closeSync(fd);
    const before = process.memoryUsage().rss;
    expect(await server.say("read_file", { path: "huge.txt" })).toMatch(
      /^huge\.txt, lines 1-1 .*\n1\tx{2000}… \[line cut/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("of zeros is binary", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "zeros"), "");
    truncateSync(join(server.folder, "zeros"), 10 * 2 ** 30);
    expect(await server.say("read_file", { path: "zeros" })).toMatch(/binary file \(unknown type, 11 GB\)/);
  });

  test("can be left while it is searched", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "huge.log"), "text\n".repeat(60_000));
    truncateSync(join(server.folder, "huge.log"), 10 * 2 ** 30);
    const call = server.call(
      "read_file",
      { path: "huge.log", start_line: 1e9 },
      { signal: AbortSignal.timeout(50) },
    );
    await expect(call).rejects.toThrow(/abort|timeout/i);
  });
});

test.each([
  ["../secret", /traversal/],
  ["/etc/passwd", /outside/],
  ["link", /outside/],
  ["linked/passwd", /outside/],
  ["folder", /directory.*list_files/],
  ["pipe", /Not a regular file/],
  ["missing", /not found.*list_files/],
])("P2–P4, P11: %s is refused: reading needs no yes", async (path, reason) => {
  await using server = startTemporaryServer();
  mkdirSync(join(server.folder, "folder"));
  symlinkSync("/etc/passwd", join(server.folder, "link"));
  symlinkSync("/etc", join(server.folder, "linked"));
  execFileSync("mkfifo", [join(server.folder, "pipe")]);
  const result = await server.call("read_file", { path });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(reason);
  expect(textOf(result)).not.toContain("/bin/");
});

test("a name such as a..b.ts is a name", async () => {
  await using server = startTemporaryServer();
  writeFileSync(join(server.folder, "a..b.ts"), "x");
  expect(await server.say("read_file", { path: "a..b.ts" })).toContain("1\tx");
});
