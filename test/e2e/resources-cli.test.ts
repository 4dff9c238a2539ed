/** `kari resources` and `kari prompts` on the built executable, with a server of each era. */
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { flagPng } from "../support/flag-png.ts";
import { finished, freshHome, type Home, kari, root, startKari } from "../support/kari.ts";
import { readSixel } from "../support/read-sixel.ts";

let home: Home;
beforeEach(() => {
  home = freshHome();
  mkdirSync(join(home.path, "tmp"));
});
afterEach(() => home.remove());

const server = (era: string, note = "") =>
  `shelf:${process.execPath} ${root}test/fixtures/resource-server.ts ${era} ${note}`;
const environment = (more: Record<string, string> = {}) => ({ TMPDIR: join(home.path, "tmp"), ...more });

function run(
  args: readonly string[],
  { era = "modern", env = {} }: { era?: string; env?: Record<string, string> } = {},
) {
  return kari([...args, "--no-profile", "--with-extension", server(era)], { home, env: environment(env) });
}

describe.each(["legacy", "modern"])("kari resources, %s era", (era) => {
  test("list: every page, every field, templates; JSON alone on stdout", async () => {
    const { code, stdout, stderr } = await run(["resources", "list", "--format", "json"], { era });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [shelf] = JSON.parse(stdout) as {
      extension: string;
      resources: { uri: string }[];
      templates: object[];
    }[];
    expect(shelf?.resources.map(({ uri }) => uri)).toEqual(
      ["note", "active", "picture", "bytes", "sjis", "long", "both"].map((name) => `shelf://${name}`),
    );
    expect(shelf?.resources[0]).toEqual({
      uri: "shelf://note",
      name: "note",
      title: "A note that changes",
      mimeType: "text/plain",
      annotations: { priority: 0.8, lastModified: "2026-01-02T03:04:05Z" },
    });
    expect(shelf?.templates).toHaveLength(1);
  });

  test("watch: a line and a difference for each change, then it ends by count", async () => {
    const note = home.file("note.txt", "一\n二\n三\n");
    const child = startKari(
      [
        ...["resources", "watch", "shelf://note", "--count", "2", "--every", "0", "--no-profile"],
        ...["--with-extension", server(era, note)],
      ],
      { home, env: environment() },
    );
    const end = finished(child);
    await once(child.stderr, "data");
    replace(note, "一\n弐\n三\n");
    await once(child.stdout, "data");
    replace(note, "一\n弐\n三\n四\n");
    const { code, stdout, stderr } = await end;
    expect(stderr).toBe("Watching shelf://note of shelf.\n");
    expect(code).toBe(0);
    expect(stdout.replace(/^\d{4}-.*Z /gm, "TIME ")).toBe(
      [
        "TIME  shelf  shelf://note  changed, 12 bytes",
        "@@ -1 +1 @@\n 一\n-二\n+弐\n 三\n ",
        "TIME  shelf  shelf://note  changed, 16 bytes",
        "@@ -1 +1 @@\n 一\n 弐\n 三\n+四\n ",
        "",
      ].join("\n"),
    );
  });

  test("shelf: what would be in the context of a first question", async () => {
    const { stdout } = await run(["resources", "shelf", "--format", "json"], { era });
    expect(JSON.parse(stdout)).toMatchObject({
      budget: 12_800,
      // Three for the content, the rest for its label.
      tokens: 37,
      shelf: [{ extension: "shelf", uri: "shelf://active", name: "active", why: "active", tokens: 37 }],
      leftOut: [],
      failures: [],
    });
  });

  test("prompts: listed with their arguments, and filled in", async () => {
    const list = await run(["prompts", "list", "--format", "json"], { era });
    expect(JSON.parse(list.stdout)).toMatchObject([
      {
        extension: "shelf",
        prompts: [
          { name: "greet", arguments: [{ name: "name", required: true }, { name: "style" }] },
          { name: "plain" },
        ],
      },
    ]);
    const got = await run(["prompts", "get", "greet", "name=小町", "style=a=b", "--format", "json"], { era });
    expect(JSON.parse(got.stdout)).toMatchObject({
      extension: "shelf",
      name: "greet",
      description: "Greets 小町",
      messages: [
        { role: "user", content: { text: "Greet 小町 a=b" } },
        { role: "assistant", content: { type: "image" } },
      ],
    });
  });
});

describe("kari resources", () => {
  test("list in columns, only what contains the filter", async () => {
    const { stdout } = await run(["resources", "list", "--filter", "雁"]);
    expect(stdout).toBe(
      "EXTENSION  URI           NAME      TYPE        SIZE  PRIORITY  CHANGED\nshelf      shelf://sjis  雁の文字  text/plain\n",
    );
    expect(await run(["resources", "list", "--filter", "nothing such"])).toMatchObject({
      code: 0,
      stdout: "",
    });
  });

  test("templates name their parameters", async () => {
    const { stdout } = await run(["resources", "templates", "--format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        extension: "shelf",
        templates: [{ uriTemplate: "shelf://poem/{poet}/{number}", parameters: ["poet", "number"] }],
      },
    ]);
  });

  test("read: a long text is whole, and a part or a place can be asked for", async () => {
    const whole = await run(["resources", "read", "shelf://long"]);
    expect(whole.stdout.split("\n")).toHaveLength(6001);
    const part = await run(["resources", "read", "shelf://long", "--offset", "10", "--limit", "9"]);
    expect(part.stdout).toMatch(/^line 0001\n\[characters 10 to 19 of 59999;/);
    const found = await run(["resources", "read", "shelf://long", "--search", "line 4321"]);
    expect(found.stdout).toContain("offset 43210:");
  });

  test("read: text in bytes is decoded, a template's resource is found, what is missing names its neighbours", async () => {
    expect((await run(["resources", "read", "shelf://sjis"])).stdout).toBe("雁が鳴く\n");
    const uri = `shelf://poem/${encodeURIComponent("小町")}/1`;
    expect((await run(["resources", "read", uri, "--extension", "shelf"])).stdout).toBe(
      "いとせめて 恋しき時は\n",
    );
    const missing = await run(["resources", "read", "shelf://nota"]);
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toContain("Near it: shelf://note");
  });

  test("read --output writes exactly the bytes, to a file or to standard output", async () => {
    const { code, stdout, stderr } = await run(["resources", "read", "shelf://picture", "-o", "p.png"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^shelf:\/\/picture: \d+ bytes written to p\.png\n$/);
    expect(readFileSync(join(home.work, "p.png"))).toEqual(flagPng(32, 16));
    expect((await run(["resources", "read", "shelf://note", "--output", "-"])).stdout).toBe(
      "one\ntwo\nthree\n",
    );
    const several = await run(["resources", "read", "shelf://both", "-o", "x"]);
    expect(several).toMatchObject({ code: 1, stdout: "" });
    expect(several.stderr).toContain("2 parts");
  });

  test.each([
    [["resources", "read"], "Which resource"],
    [["resources", "watch"], "Watch which"],
    [["resources", "peek"], "list, templates, read URI, watch URI… or shelf"],
    [["resources", "list", "--extension", "shelv"], "Did you mean shelf?"],
    [["resources", "read", "x://y", "--extension", "nobody"], "Extensions: shelf"],
    [["resources", "read", "x://y", "-o", "f", "--search", "z"], "--output writes the whole"],
    [["resources", "watch", "x://y", "--every", "soon"], "--every"],
    [["resources", "watch", "x://y", "--count", "0"], "--count"],
    [["prompts", "get"], "Which prompt"],
    [["prompts", "get", "gret"], "Did you mean greet?"],
    [["prompts", "get", "greet"], "needs name (who): kari prompts get greet name=…"],
    [["prompts", "get", "greet", "name=x", "nme=y"], 'no argument "nme"'],
    [["prompts", "get", "greet", "komachi"], "NAME=VALUE"],
  ])("%s is a mistake of the command line, said in words", async (args, words) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
  });

  test.each([
    ['{"uri":5}', "missing 'uri' parameter"],
    ['{"uri":"shelf://long","offset":"abc"}', "'offset': it must be a whole number from 0 on, not \"abc\""],
    ['{"uri":"shelf://long","offset":-5}', "'offset': it must be a whole number from 0 on, not -5"],
    ['{"uri":"shelf://long","limit":0}', "'limit': it must be a whole number from 1 on, not 0"],
    ['{"uri":"shelf://long","search":7}', "'search': it must be a string"],
    ['{"uri":"shelf://note","extension_name":7}', "'extension_name': it must be a string"],
    ['{"uri":"shelf://note","extension_name":"shelv"}', 'no extension "shelv". Extensions: shelf'],
  ])("platform__read_resource %s says what is wrong", async (args, words) => {
    const { code, stdout, stderr } = await run(["tools", "call", "platform__read_resource", "--args", args]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(words);
  });

  test("platform__read_resource takes null for what is left out, and says when an offset is past the end", async () => {
    const call = (args: object) =>
      run(["tools", "call", "platform__read_resource", "--args", JSON.stringify(args)]);
    const whole = await call({
      uri: "shelf://note",
      offset: null,
      limit: null,
      search: null,
      extension_name: null,
    });
    expect(whole.stdout).toBe("one\ntwo\nthree\n");
    expect((await call({ uri: "shelf://note", offset: 99 })).stdout).toContain("offset 99 is past the end");
  });

  test("watch ends with 130 at Ctrl-C, and what is not there is said at once", async () => {
    const child = startKari(
      ["resources", "watch", "shelf://active", "--no-profile", "--with-extension", server("modern")],
      { home, env: environment() },
    );
    const end = finished(child);
    await once(child.stderr, "data");
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, stdout: "" });
    expect(await run(["resources", "watch", "shelf://nope"])).toMatchObject({ code: 1, stdout: "" });
  });

  test("watch: a server that cannot tell is read again and again", async () => {
    const note = home.file("note.txt", "a\n");
    const child = startKari(
      [
        ...["resources", "watch", "shelf://note", "--count", "1", "--every", "0.1", "--format", "json"],
        ...["--no-profile", "--with-extension", server("silent", note)],
      ],
      { home, env: environment() },
    );
    const end = finished(child);
    await once(child.stderr, "data");
    replace(note, "b\n");
    const { code, stdout, stderr } = await end;
    expect(code).toBe(0);
    expect(stderr).toContain("cannot tell changes: read every 0.1 s");
    expect(JSON.parse(stdout)).toMatchObject({ extension: "shelf", change: "changed", bytes: 2 });
  });

  test("one extension that fails does not keep the others from answering", async () => {
    const { code, stdout, stderr } = await kari(
      [
        ...["resources", "list", "--format", "json", "--no-profile", "--with-extension", server("modern")],
        ...[
          "--with-extension",
          `broken:${process.execPath} ${root}test/fixtures/misbehaving-server.ts exit-start`,
        ],
      ],
      { home, env: environment() },
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      { extension: "shelf" },
      { extension: "broken", resources: [], failure: expect.stringContaining("missing FOO_TOKEN") },
    ]);
    expect(stderr).toContain("kari: Extension broken did not start");
  });
});

describe("pictures", () => {
  const show = (env: Record<string, string>) => run(["tools", "call", "shelf__show"], { env });

  test("where there is no terminal: saved, and the path is said, in the order of the result", async () => {
    const { stdout } = await show({});
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/saved to .*(\.png)/, "saved to PATH$1"))).toEqual([
      "1位：@komachi",
      `[file:///Picture1.png image/png, 32 × 16, ${flagPng(32, 16).length} bytes, saved to PATH.png]`,
      "for the person\u200b",
      `[image/png, 32 × 16, ${flagPng(32, 16).length} bytes, saved to PATH.png]`,
      "[note: shelf://note (text/plain)]",
    ]);
    const [, path = ""] = /saved to (.*\.png)/.exec(stdout) ?? [];
    expect(path.startsWith(join(home.path, "tmp"))).toBe(true);
    expect(readFileSync(path)).toEqual(flagPng(32, 16));
  });

  test("kitty: the picture comes back out of the sequence", async () => {
    const { stdout } = await show({ KARI_IMAGES: "kitty" });
    const [sequence, ...others] = stdout.match(/\u001B_G[^\u001B]*\u001B\\/g) ?? [];
    expect(others).toHaveLength(1);
    const [, keys, data = ""] = /_G([^;]*);([^\u001B]*)/.exec(sequence ?? "") ?? [];
    expect(keys).toBe("a=T,f=100,q=2,c=4,m=0");
    expect(await pixelsOf(Buffer.from(data, "base64"))).toEqual(await pixelsOf(flagPng(32, 16)));
  });

  test("iTerm2: the picture comes back out of the sequence", async () => {
    const { stdout } = await show({ KARI_IMAGES: "iterm2" });
    const [, data = ""] =
      /\]1337;File=inline=1;size=\d+;width=4;height=1;preserveAspectRatio=1:([^\u0007]*)\u0007/.exec(
        stdout,
      ) ?? [];
    expect(await pixelsOf(Buffer.from(data, "base64"))).toEqual(await pixelsOf(flagPng(32, 16)));
  });

  test("sixel: the picture comes back out of the sequence", async () => {
    const { stdout } = await show({ KARI_IMAGES: "sixel" });
    const { data } = readSixel(/\u001BP[\s\S]*?\u001B\\/.exec(stdout)?.[0] ?? "");
    expect(Buffer.from(data)).toEqual(await pixelsOf(flagPng(32, 16)));
  });

  test("half blocks: as many cells as pixels, in the colours of the picture", async () => {
    const { stdout } = await show({ KARI_IMAGES: "blocks", COLORTERM: "truecolor" });
    const line = `\u001B[38;2;255;0;0;48;2;255;0;0m${"▀".repeat(16)}\u001B[38;2;0;0;255;48;2;0;0;255m${"▀".repeat(16)}\u001B[0m\n`;
    expect(stdout).toContain(`1位：@komachi\n${line.repeat(8)}[file:///Picture1.png`);
  });

  test("a run shows them beside its answer, on stderr", async () => {
    const script = home.file(
      "s.json",
      JSON.stringify({
        turns: [{ toolCalls: [{ name: "shelf__show", arguments: {} }] }, { text: "**done**" }],
      }),
    );
    const { code, stdout, stderr } = await run(["run", "--fake-model", script, "-t", "x"], {
      env: { KARI_IMAGES: "blocks" },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "**done**\n" });
    expect(stderr.split("▀".repeat(16)).length - 1).toBe(32);
    expect(stderr).toContain("for the person");
    expect(stderr).not.toContain("for the model");
  });

  test("KARI_IMAGES with a word that nobody knows is a mistake", async () => {
    const { code, stderr } = await show({ KARI_IMAGES: "jpeg" });
    expect(code).toBe(2);
    expect(stderr).toContain("kitty, iterm2, sixel, blocks, none");
  });
});

describe("attached by @", () => {
  const script = (answer: string) => home.file("answer.json", JSON.stringify({ turns: [{ text: answer }] }));
  interface Block {
    readonly type: string;
    readonly text?: string;
    readonly resource?: { readonly uri: string; readonly text?: string; readonly mimeType?: string };
  }
  interface Ran {
    readonly messages: readonly { readonly origin?: string; readonly content: readonly Block[] }[];
  }

  test.each(["legacy", "modern"])(
    "resources and files reach the model with the question, %s era",
    async (era) => {
      home.file("五月雨.txt", "五月雨を あつめて早し");
      const words =
        "@shelf:shelf://note と @shelf:shelf://poem/小町/1を、@五月雨.txtも。user@host @media @no.txt";
      const ran = await run(["run", "--fake-model", script("ok"), "--output-format", "json", "-t", words], {
        era,
      });
      expect(ran.stderr).toContain("attached: shelf://note of shelf\n");
      expect(ran.stderr).toContain("@no.txt was not attached: there is no file no.txt here.");
      expect(ran.stderr).not.toMatch(/media|host/);
      const [person, context] = (JSON.parse(ran.stdout) as Ran).messages;
      expect(person?.content[0]).toEqual({ type: "text", text: words });
      expect(person?.content[2]?.resource).toMatchObject({ text: "五月雨を あつめて早し" });
      expect(context?.origin).toBe("context");
      const told = context?.content.map(({ text }) => text).join("\n") ?? "";
      expect(told).toContain("one\ntwo\nthree");
      expect(told).toContain("いとせめて 恋しき時は");
    },
  );

  test("a file goes through developer where it is on, and its picture is a picture", async () => {
    writeFileSync(join(home.work, "flag.png"), flagPng(8, 8));
    const ran = await kari(
      [
        ...["run", "--no-profile", "--with-builtin", "developer", "--fake-model", script("ok")],
        ...["--output-format", "json", "-t", "@flag.pngを見て"],
      ],
      { home, env: environment() },
    );
    expect(ran.stderr).toContain(`attached: file://${home.work}/flag.png of developer`);
    const { messages } = JSON.parse(ran.stdout) as Ran;
    expect(messages[1]?.content.map(({ type }) => type)).toContain("image");
  });

  test("what comes from a pipe was not typed: nothing of it is attached", async () => {
    const ran = await kari(
      ["run", "--no-profile", "--fake-model", script("ok"), "--output-format", "json", "-i", "-"],
      { home, env: environment(), input: "@@ -1 +1 @@\n@./answer.json" },
    );
    expect((JSON.parse(ran.stdout) as Ran).messages[0]?.content).toHaveLength(1);
    expect(ran.stderr).not.toContain("attached");
  });

  test("a session attaches too, and shows it on its shelf", async () => {
    const file = script("seen");
    const { code, stdout, stderr } = await kari(
      ["session", "--no-profile", "--fake-model", file, "--with-extension", server("modern")],
      { home, env: environment(), input: "@shelf:shelf://note\n/context\n" },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "seen\n" });
    expect(stderr).toMatch(/attached +\d+ tokens {2}shelf {2}shelf:\/\/note/);
  });
});

describe("server-everything on the person's screen", () => {
  const everything = `everything:${process.execPath} ${root}node_modules/@modelcontextprotocol/server-everything/dist/index.js`;
  const ask = (...args: string[]) =>
    kari([...args, "--no-profile", "--with-extension", everything], {
      home,
      env: environment({ KARI_IMAGES: "blocks" }),
    });

  test("all its resources and templates are listed, texts and bytes are read", async () => {
    const [listed] = JSON.parse((await ask("resources", "list", "--format", "json")).stdout) as {
      resources: { uri: string }[];
      templates: object[];
    }[];
    expect(listed?.resources).toHaveLength(7);
    expect(listed?.templates).toHaveLength(2);
    const first = await ask("resources", "read", listed?.resources[0]?.uri ?? "");
    expect(first.stdout).toContain("#");
    expect((await ask("resources", "read", "demo://resource/dynamic/blob/1")).stdout).toContain(
      "base64 blob created",
    );
  });

  test("a picture between two texts, an embedded resource, links and structured content are shown", async () => {
    const picture = (await ask("tools", "call", "everything__get-tiny-image")).stdout.split("\n");
    expect(picture[0]).toBe("Here's the image you requested:");
    expect(picture.filter((line) => line.includes("▀"))).toHaveLength(10);
    expect(picture.at(-2)).toBe("The image above is the MCP logo.");
    const embedded = await ask(
      ...[
        "tools",
        "call",
        "everything__get-resource-reference",
        "--args",
        '{"resourceType":"Blob","resourceId":1}',
      ],
    );
    expect(embedded.stdout).toContain("Resource 1: This is a base64 blob");
    const links = await ask("tools", "call", "everything__get-resource-links", "--args", '{"count":3}');
    expect(links.stdout.match(/^\[.* Resource \d: demo:\/\/.*\]$/gm)).toHaveLength(3);
    const structured = await ask(
      ...["tools", "call", "everything__get-structured-content", "--args", '{"location":"New York"}'],
    );
    expect(structured.stdout).toContain('"temperature"');
  });

  test("its prompts are listed and filled in, with what they embed", async () => {
    const [listed] = JSON.parse((await ask("prompts", "list", "--format", "json")).stdout) as {
      prompts: object[];
    }[];
    expect(listed?.prompts).toHaveLength(4);
    const { stdout } = await ask("prompts", "get", "resource-prompt", "resourceType=Text", "resourceId=1");
    expect(stdout).toContain("user:\nResource 1: This is a plaintext resource");
  });
});

/** Whole at once: a reader never sees half of it. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

async function pixelsOf(png: Buffer): Promise<Buffer> {
  return await sharp(png).ensureAlpha().raw().toBuffer();
}
