import { spawnSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type KitResourceContents, ResourceError, type ServerDefinition } from "../kit/index.ts";
import { createCodeServer } from "./index.ts";
import { makeProject, type TestProject } from "./test-project.ts";
import { fileUri } from "./uri.ts";

function serve(project: TestProject): ServerDefinition {
  return createCodeServer({ projectPath: project.root, cacheDir: null });
}

async function readAll(server: ServerDefinition, uri: string): Promise<readonly KitResourceContents[]> {
  return (await server.resources?.read(uri, { signal: new AbortController().signal })) ?? [];
}

async function read(server: ServerDefinition, uri: string): Promise<string> {
  const [first] = await readAll(server, uri);
  if (!first || !("text" in first)) throw new Error("no text");
  return first.text;
}

async function refusal(server: ServerDefinition, uri: string): Promise<{ code: string; message: string }> {
  const error = await read(server, uri).catch((reason: unknown) => reason);
  if (!(error instanceof ResourceError)) throw new Error(`${uri} was not refused: ${String(error)}`);
  return { code: error.code, message: error.message };
}

describe("names", () => {
  test.each([
    "a..b.ts",
    "with space.ts",
    "a#b.ts",
    "50%.ts",
    "100%25.ts",
    "a?b.ts",
    "日本語/表.ts",
    "が.ts".normalize("NFC"),
    "が.ts".normalize("NFD"),
    "[x].ts",
    "a+b&c=d.ts",
  ])("%s is readable by its canonical address", async (name) => {
    using project = makeProject({ [name]: `// ${name}\n` });
    expect(await read(serve(project), fileUri(name))).toBe(`// ${name}\n`);
  });

  test.each(["a..b.ts", "with space.ts", "a#b.ts", "50%.ts", "日本語.ts", "a?b.ts"])(
    "%s is readable as a person types it",
    async (name) => {
      using project = makeProject({ [name]: "x" });
      expect(await read(serve(project), `code://file/${name}`)).toBe("x");
    },
  );

  test("a template's expansion, which encodes slashes too, is readable", async () => {
    using project = makeProject({ "src/a b.ts": "x" });
    expect(await read(serve(project), `code://file/${encodeURIComponent("src/a b.ts")}`)).toBe("x");
  });

  test("the source document's addresses are readable, and another scheme has its error", async () => {
    const paths = ["src/main/java/Example.java", "scripts/helper.py", "test.js", "docs/README.md"];
    using project = makeProject(Object.fromEntries(paths.map((path) => [path, `in ${path}\n`])));
    const server = serve(project);
    for (const path of paths) expect(await read(server, `code://file/${path}`)).toBe(`in ${path}\n`);
    expect(await refusal(server, "invalid://uri")).toEqual({
      code: "invalid",
      message: "Invalid URI format: invalid://uri",
    });
  });

  test("an absolute path inside the project is accepted", async () => {
    using project = makeProject({ "src/a.ts": "x" });
    expect(await read(serve(project), `code://file/${project.root}/src/a.ts`)).toBe("x");
  });

  test("completion offers paths by their beginning, then by the beginning of the name", async () => {
    using project = makeProject({
      "src/main.ts": "",
      "src/math.ts": "",
      "lib/src-map.ts": "",
      "日本.ts": "",
    });
    const complete = (value: string) =>
      serve(project).resources?.complete?.({
        template: "code://file/{file_path}",
        variable: "file_path",
        value,
        others: {},
      });
    expect(await complete("src/ma")).toEqual(["src/main.ts", "src/math.ts"]);
    expect(await complete("src")).toEqual(["src/main.ts", "src/math.ts", "lib/src-map.ts"]);
    expect(await complete("日")).toEqual(["日本.ts"]);
  });
});

describe("what is refused", () => {
  test.each([
    ["code://file//etc/passwd", "refused", "Path is outside the project: /etc/passwd"],
    ["code://file/", "invalid", "File path cannot be empty"],
    ["code://file/a%00.ts", "invalid", "File path contains null bytes"],
    ["code://file/../../../etc/passwd", "refused", "Path traversal not allowed: ../../../etc/passwd"],
    ["code://file/nonexistent.py", "not-found", "File not found: nonexistent.py"],
    ["code://file/src", "refused", "Not a file but a directory: src"],
  ])("%s", async (uri, code, message) => {
    using project = makeProject({ "src/a.ts": "x" });
    expect(await refusal(serve(project), uri)).toEqual({ code, message });
  });

  test("P1: a sibling whose name begins like the project's is outside", async () => {
    using project = makeProject({});
    mkdirSync(`${project.root}_evil`);
    writeFileSync(`${project.root}_evil/x`, "SECRET");
    expect((await refusal(serve(project), `code://file/${project.root}_evil/x`)).code).toBe("refused");
  });

  test.each(["..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "src/%2e%2e/%2e%2e/x", "..%5c..%5cx"])(
    "P7: %s is traversal",
    async (path) => {
      using project = makeProject({ "src/a.ts": "x" });
      expect((await refusal(serve(project), `code://file/${path}`)).message).toMatch(
        /^Path traversal not allowed/,
      );
    },
  );

  test.each(["%252e%252e%252fx", "%c0%ae%c0%ae/x", "%e0%80%ae/x"])(
    "P7: %s, encoded twice or too long, is only a missing name",
    async (path) => {
      using project = makeProject({});
      expect((await refusal(serve(project), `code://file/${path}`)).code).toBe("not-found");
    },
  );

  test.each(["C:/x", "C:rel", "//host/share", "%5c%5c%3f%5cC:%5cx", "file:///C:/x"])(
    "P9: %s is refused",
    async (path) => {
      using project = makeProject({});
      expect(["refused", "not-found"]).toContain((await refusal(serve(project), `code://file/${path}`)).code);
    },
  );

  test("P3, P4: links that leave the project, and nothing of where they lead is told", async () => {
    using project = makeProject({});
    symlinkSync("/etc/passwd", join(project.root, "a.ts"));
    symlinkSync("/etc", join(project.root, "folder"));
    expect(await refusal(serve(project), "code://file/a.ts")).toEqual({
      code: "refused",
      message: "Path is outside the project: a.ts",
    });
    expect((await refusal(serve(project), "code://file/folder/passwd")).message).toBe(
      "Path is outside the project: folder/passwd",
    );
    expect((await refusal(serve(project), "code://file/folder/no-such")).message).toBe(
      "File not found: folder/no-such",
    );
  });

  test("P11: a FIFO is refused at once", async () => {
    using project = makeProject({});
    spawnSync("mkfifo", [join(project.root, "pipe.ts")]);
    expect(await refusal(serve(project), "code://file/pipe.ts")).toEqual({
      code: "refused",
      message: "Not a regular file: pipe.ts",
    });
  });
});

describe("contents", () => {
  test("the encoding that was found is reported", async () => {
    const bytes = Buffer.from(
      "Ly8gkN2S6IN0g0CDQ4OLgvCTx4LdjZ6C8YLFgUGMi4nKgvCVXI6mgreC6YrWkJSCxYK3gUIK",
      "base64",
    );
    using project = makeProject({ "a.js": bytes });
    const [content] = await readAll(serve(project), "code://file/a.js");
    expect(content).toMatchObject({
      mimeType: "text/javascript",
      text: "// 設定ファイルを読み込んで、結果を表示する関数です。\n",
      _meta: { encoding: "shift_jis", size_bytes: bytes.length },
    });
  });

  test("line ends are kept as they are", async () => {
    using project = makeProject({ "a.txt": "a\r\nb\rc\n\n" });
    expect(await read(serve(project), "code://file/a.txt")).toBe("a\r\nb\rc\n\n");
  });

  test("an empty file is an empty text", async () => {
    using project = makeProject({ "a.ts": "" });
    expect(await read(serve(project), "code://file/a.ts")).toBe("");
  });

  test.each([
    ["lines=2-3", "b\nc\n"],
    ["lines=2", "b\n"],
    ["lines=3-", "c\nd"],
    ["lines=4-99", "d"],
    ["lines=9-10", ""],
  ])("?%s", async (query, text) => {
    using project = makeProject({ "a.ts": "a\nb\nc\nd" });
    expect(await read(serve(project), `code://file/a.ts?${query}`)).toBe(text);
  });

  test("lines of UTF-16 and of Shift_JIS are found too", async () => {
    const sjis = Buffer.concat([
      Buffer.from([0x95, 0x5c]),
      Buffer.from("\nb\n"),
      Buffer.from([0x95, 0x5c, 0x0a]),
    ]);
    using project = makeProject({ "a.txt": Buffer.from("\ufeffあ\nい\nう\n", "utf16le"), "b.txt": sjis });
    expect(await read(serve(project), "code://file/a.txt?lines=2-2")).toBe("い\n");
    expect(await read(serve(project), "code://file/b.txt?lines=3-3")).toBe("表\n");
  });

  test.each(["lines=0-5", "lines=5-2", "lines=a", "lines=1-2-3"])(
    "?%s is refused with the form to use",
    async (query) => {
      using project = makeProject({ "a.ts": "a\n" });
      expect((await refusal(serve(project), `code://file/a.ts?${query}`)).message).toMatch(
        /^Invalid lines: .*Use lines=10-50/,
      );
    },
  );

  test("a binary file is a blob with its type by its content, never text", async () => {
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    using project = makeProject({ "a.png": png, "b.ts": Buffer.from([0, 1, 2, 3, 0xff]) });
    expect((await readAll(serve(project), "code://file/a.png"))[0]).toMatchObject({
      mimeType: "image/png",
      blob: png.toString("base64"),
    });
    expect((await readAll(serve(project), "code://file/b.ts"))[0]).toMatchObject({
      mimeType: "application/octet-stream",
    });
  });

  test("a long file is cut at a line, and the answer says how to read on until its end", async () => {
    const line = (i: number) => `${i} ${"x".repeat(90)}\n`;
    const whole = Array.from({ length: 25_000 }, (_, i) => line(i)).join("");
    using project = makeProject({ "long.txt": whole });
    const server = serve(project);
    let text = "";
    let uri: string | undefined = "code://file/long.txt";
    while (uri) {
      const contents = await readAll(server, uri);
      const [first, next] = contents as [{ text: string }, { text: string; uri: string } | undefined];
      text += first.text;
      uri = next?.uri;
      if (next) expect(next.text).toContain(next.uri);
      // What the answer names is a span; go on from its end until nothing comes.
      if (!next && text.length < whole.length && first.text !== "") {
        const read = text.split("\n").length - 1;
        uri = fileUri("long.txt", { from: read + 1, to: read + 5000 });
      }
    }
    expect(text).toBe(whole);
  });

  test("P12: a part of a file of 10 GB is read without holding the rest", async () => {
    using project = makeProject({});
    const fd = openSync(join(project.root, "huge.log"), "w");
    writeSync(fd, "first line\nsecond line\n");
    ftruncateSync(fd, 10 * 1024 ** 3);
    closeSync(fd);
    const server = serve(project);
    const before = process.memoryUsage.rss();
    const [content] = await readAll(server, "code://file/huge.log?bytes=0-21");
    expect(Buffer.from((content as { blob: string }).blob, "base64").toString()).toBe(
      "first line\nsecond line",
    );
    expect((await refusal(server, "code://file/huge.log")).message).toMatch(
      /^Binary file .* is over the limit .*\?bytes=/,
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  });
});
