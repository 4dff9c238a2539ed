/** Hostile paths and addresses against the code server's resources and tools, named by their ids in the list. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type KitResourceContents, ResourceError, type ServerDefinition } from "../kit/index.ts";
import { createCodeServer } from "./index.ts";
import { readTexts } from "./project-texts.ts";
import { makeProject, type TestProject } from "./test-project.ts";
import { fileUri } from "./uri.ts";

function serve(project: TestProject): ServerDefinition {
  return createCodeServer({ projectPath: project.root, cacheDir: null });
}

const context = { signal: new AbortController().signal, progress() {} };

async function read(server: ServerDefinition, uri: string): Promise<KitResourceContents | undefined> {
  return (await server.resources?.read(uri, context))?.[0];
}

/** The text, or the kind of the refusal. */
async function answer(server: ServerDefinition, uri: string): Promise<string> {
  try {
    const content = await read(server, uri);
    return content && "text" in content ? content.text : "no text";
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

describe("addresses of files", () => {
  test.each(["src/../../secret", "src/../src/a.ts", "..", "./../secret", "src/.."])(
    "P2: %s is traversal, even where it would come back inside",
    async (path) => {
      using project = makeProject({ "src/a.ts": "x" });
      writeFileSync(join(project.root, "..", "secret"), "SECRET");
      expect(await answer(serve(project), `code://file/${path}`)).toBe(
        `refused: Path traversal not allowed: ${path}`,
      );
    },
  );

  test.each(["a%00.ts", "%00", "src/a.ts%00.png"])("P8: %s has a NUL in it", async (path) => {
    using project = makeProject({ "src/a.ts": "x" });
    expect(await answer(serve(project), `code://file/${path}`)).toBe(
      "invalid: File path contains null bytes",
    );
  });

  test("P10: twins in NFC and NFD are two files; a single one is found by its other form", async () => {
    const [composed, decomposed] = ["が.ts".normalize("NFC"), "が.ts".normalize("NFD")];
    using project = makeProject({ [composed]: "composed" });
    const server = serve(project);
    expect(await answer(server, fileUri(decomposed))).toBe("composed");
    project.write(decomposed, "decomposed");
    expect(await answer(server, fileUri(decomposed))).toBe("decomposed");
    expect(await answer(server, fileUri(composed))).toBe("composed");
  });

  test("P10: fullwidth dots and slashes are letters, and case is what the disk says", async () => {
    using project = makeProject({ "a.ts": "x" });
    const server = serve(project);
    expect(await answer(server, fileUri("．．／secret"))).toMatch(/^not-found: /);
    const sameOnDisk = existsSync(join(project.root, "A.TS"));
    expect(await answer(server, "code://file/A.TS")).toBe(
      sameOnDisk ? "x" : "not-found: File not found: A.TS",
    );
  });

  test.each(["/dev/zero", "/proc/self/environ", "/proc/self/root/etc/passwd"])(
    "P11: %s is refused by its name and through a link",
    async (target) => {
      using project = makeProject({});
      symlinkSync(target, join(project.root, "link.ts"));
      const server = serve(project);
      expect(await answer(server, `code://file/${target}`)).toBe(
        `refused: Path is outside the project: ${target}`,
      );
      expect(await answer(server, "code://file/link.ts")).toBe(
        "refused: Path is outside the project: link.ts",
      );
    },
  );

  test("P11: a socket is refused", async () => {
    using project = makeProject({});
    const socket = createServer().listen(join(project.root, "s.ts"));
    await new Promise((resolve) => socket.once("listening", resolve));
    expect(await answer(serve(project), "code://file/s.ts")).toBe("refused: Not a regular file: s.ts");
    await new Promise((resolve) => socket.close(resolve));
  });

  test("P19: credentials, other hosts and other schemes are no addresses of ours", async () => {
    using project = makeProject({ "a.ts": "x" });
    const server = serve(project);
    for (const uri of [
      "code://user:secret@file/a.ts",
      "code://FILE/a.ts",
      "code:/file/a.ts",
      "file:///etc/passwd",
      "code://files/a.ts",
    ]) {
      expect(await answer(server, uri)).toMatch(/^invalid: Invalid URI format: /);
    }
  });

  test("P27: what is called a picture and holds a page is given as plain text, never as a picture", async () => {
    using project = makeProject({ "x.png": "<html><script>alert(1)</script></html>" });
    expect(await read(serve(project), "code://file/x.png")).toMatchObject({
      mimeType: "text/plain",
      text: "<html><script>alert(1)</script></html>",
    });
  });
});

const SWAPPER = `
const fs = require("node:fs");
const [file, target] = process.argv.slice(1);
const swap = (make) => { make(file + ".new"); fs.renameSync(file + ".new", file); };
process.stdout.write("ready");
for (;;) {
  swap((name) => fs.writeFileSync(name, "inside"));
  swap((name) => fs.symlinkSync(target, name));
}`;

describe("a project that is changed by somebody hostile", () => {
  test("P5: a link swapped in while files are read never gives what lies outside", async () => {
    using project = makeProject({ "swap.ts": "inside" });
    const secret = join(project.root, "..", "secret");
    writeFileSync(secret, "SECRET");
    const swapper = spawn(process.execPath, ["-e", SWAPPER, join(project.root, "swap.ts"), secret], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => swapper.stdout.once("data", resolve));
    const server = serve(project);
    const answers = new Set<string>();
    try {
      for (let round = 0; round < 2000; round += 1) answers.add(await answer(server, "code://file/swap.ts"));
    } finally {
      swapper.kill("SIGKILL");
    }
    expect([...answers].filter((text) => text.includes("SECRET"))).toEqual([]);
    expect(answers).toContain("inside");
  });

  test("P4: a folder that became a link is not counted or searched through it", async () => {
    using project = makeProject({ "src/a.ts": "inside\n" });
    const server = serve(project);
    await answer(server, "code://stats/overview");
    const outside = join(project.root, "..", "outside");
    renameSync(join(project.root, "src"), outside);
    writeFileSync(join(outside, "a.ts"), "SECRET\n".repeat(9));
    symlinkSync(outside, join(project.root, "src"));
    expect(await answer(server, "code://stats/files")).not.toContain('"line_count": 9');
    const found = await server.tools
      .find(({ name }) => name === "find_and_grep")
      ?.call({ query: "SECRET" }, context);
    expect(found?.structuredContent).toMatchObject({ total_matches: 0 });
    for await (const { text } of readTexts(project.root, ["src/a.ts"])) expect(text).toBe("nothing at all");
  });
});

describe("a folder with very many files", () => {
  const COUNT = 5000;
  const names = Array.from({ length: COUNT }, (_, i) => `many/f${String(i).padStart(5, "0")}.ts`);

  test("P13: statistics and names come in pages, in order, without gaps or repeats", async () => {
    using project = makeProject({}, { git: false });
    mkdirSync(join(project.root, "many"));
    for (const name of names) writeFileSync(join(project.root, name), "1\n");
    const server = serve(project);

    const listed: string[] = [];
    let uri: string | undefined = "code://stats/files?limit=1000";
    let pages = 0;
    while (uri !== undefined) {
      const page = JSON.parse(await answer(server, uri)) as {
        files: { path: string }[];
        total_count: number;
        next_uri?: string;
      };
      expect(page.total_count).toBe(COUNT);
      listed.push(...page.files.map(({ path }) => path));
      uri = page.next_uri;
      pages += 1;
    }
    expect(listed).toEqual(names);
    expect(pages).toBe(COUNT / 1000);

    const tool = server.tools.find(({ name }) => name === "find_and_grep");
    const first = (await tool?.call({ name: "*.ts" }, context))?.structuredContent;
    expect(first).toMatchObject({ total_files: COUNT, next_cursor: expect.any(String) });

    const offered = await server.resources?.complete?.({
      template: "code://file/{file_path}",
      variable: "file_path",
      value: "many/",
      others: {},
    });
    // One more than a client is given, so that it can be told that there are more.
    expect(offered).toEqual(names.slice(0, 101));
  });
});
