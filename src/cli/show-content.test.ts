import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ToolContent } from "../conversation/index.ts";
import { createKeptFiles } from "./pictures/kept-files.ts";
import { type Protocol, screenOf } from "./pictures/screen.ts";
import { byteSize, type ContentView, showContents } from "./show-content.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "show-content-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function view(protocol: Protocol, isTerminal = protocol !== "none"): ContentView {
  const screen = screenOf({ isTTY: isTerminal, columns: 40, rows: 30 }, { KARI_IMAGES: protocol });
  return { screen, isTerminal, files: createKeptFiles(folder) };
}

const show = async (contents: readonly ToolContent[], on: ContentView) =>
  (await showContents(contents, on)).map(({ text }) => text);

async function redPng(): Promise<Buffer> {
  return await sharp({ create: { width: 16, height: 8, channels: 3, background: "#f00" } })
    .png()
    .toBuffer();
}

const pathIn = (text = "") => /saved to (.*?)\]/.exec(text)?.[1] ?? "";

describe("what an extension gave, in a terminal", () => {
  test("texts and pictures come in their order", async () => {
    const data = (await redPng()).toString("base64");
    const blocks = await showContents(
      [
        { type: "text", text: "1位：@a" },
        { type: "resource", resource: { uri: "file:///p.png", mimeType: "image/png", blob: data } },
        { type: "text", text: "2位：@b" },
        { type: "image", mimeType: "image/png", data },
      ],
      view("blocks"),
    );
    expect(blocks.map(({ type }) => type)).toEqual(["text", "picture", "text", "picture"]);
    const line = `\u001B[38;5;196;48;5;196m${"▀".repeat(16)}\u001B[0m`;
    const bytes = Buffer.from(data, "base64").length;
    expect(blocks[1]?.text).toBe(`${`${line}\n`.repeat(4)}[file:///p.png image/png, 16 × 8, ${bytes} bytes]`);
    expect(blocks[3]?.text).toBe(`${`${line}\n`.repeat(4)}[image/png, 16 × 8, ${bytes} bytes]`);
  });

  test("R27: what is for the model alone is not shown, what is for the person is", async () => {
    const contents: ToolContent[] = [
      { type: "text", text: "model", annotations: { audience: ["assistant"] } },
      { type: "text", text: "person", annotations: { audience: ["user"] } },
      { type: "text", text: "both", annotations: { audience: ["user", "assistant"] } },
      { type: "resource-link", link: { uri: "x://m", name: "m", annotations: { audience: ["assistant"] } } },
      {
        type: "resource",
        resource: { uri: "x://r", text: "secret" },
        annotations: { audience: ["assistant"] },
      },
    ];
    expect(await show(contents, view("blocks"))).toEqual(["person", "both"]);
  });

  test("L7: escape sequences are gone, hidden characters are seen, a line cannot write over itself", async () => {
    const text = "a\u001B]0;title\u0007b\u001B[2Jc\u202Ed\u200Be\rf\r\ng\u{E0041}";
    expect(await show([{ type: "text", text }], view("blocks"))).toEqual([
      "abc⟦U+202E⟧d⟦U+200B⟧e\nf\r\ng⟦U+E0041⟧",
    ]);
    const link = { uri: "x://\u001B[31m\u202E", name: "n\u0007", size: 1234, mimeType: "text/plain" };
    expect(await show([{ type: "resource-link", link }], view("blocks"))).toEqual([
      "[n: x://⟦U+202E⟧ (text/plain, 1.2 kB)]",
    ]);
  });

  test("P28: text in bytes is text, whatever its encoding", async () => {
    const blob = Buffer.from([0x8a, 0xe5, 0x82, 0xaa, 0x96, 0xc2, 0x82, 0xad]).toString("base64");
    const resource = { uri: "x://t", mimeType: "text/plain", blob };
    expect(await show([{ type: "resource", resource }], view("blocks"))).toEqual(["雁が鳴く"]);
  });

  test("P27: what only calls itself a picture is kept and not drawn; a picture without a name is drawn", async () => {
    const html = Buffer.from("<html><script>").toString("base64");
    const [shown] = await show([{ type: "image", mimeType: "image/png", data: html }], view("blocks"));
    expect(shown).toMatch(
      /^\[image\/png, 14 bytes, is not shown: its bytes are not a picture; saved to .*\.bin\]$/,
    );
    const blob = (await redPng()).toString("base64");
    const [block] = await showContents(
      [{ type: "resource", resource: { uri: "x://p", blob } }],
      view("blocks"),
    );
    expect(block?.type).toBe("picture");
  });

  test("P30: what is not base64 is said", async () => {
    const [shown] = await show(
      [{ type: "image", mimeType: "image/png", data: "!".repeat(50) }],
      view("blocks"),
    );
    expect(shown).toBe("[image/png: its data is not valid base64, 50 characters]");
  });

  test("a picture that cannot be decoded says why, and is kept", async () => {
    const png = await redPng();
    png.writeUInt32BE(70_000, 16);
    const [shown] = await show(
      [{ type: "image", mimeType: "image/png", data: png.toString("base64") }],
      view("kitty"),
    );
    expect(shown).toMatch(/is not shown: it claims 70000 × 8 pixels; saved to .*\.png\]$/);
    expect(readFileSync(pathIn(shown))).toEqual(png);
  });
});

describe("what an extension gave, where there is no terminal", () => {
  test("a picture is saved once, for its owner alone, and the path is said", async () => {
    const png = await redPng();
    const content: ToolContent = { type: "image", mimeType: "image/jpeg", data: png.toString("base64") };
    const [first, second] = await show([content, content], view("none"));
    expect(first).toMatch(/^\[image\/png, 16 × 8, \d+ bytes, saved to .*\.png\]$/);
    expect(second).toBe(first);
    expect(readFileSync(pathIn(first))).toEqual(png);
    expect(statSync(pathIn(first)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(pathIn(first))).mode & 0o777).toBe(0o700);
  });

  test("sounds and other bytes are saved, never under an ending that a stranger chose", async () => {
    const bytes = Buffer.from([0, 1, 2, 3]).toString("base64");
    const shown = await show(
      [
        { type: "audio", mimeType: "audio/wav", data: bytes },
        {
          type: "resource",
          resource: { uri: "x://evil.desktop", mimeType: "application/x-desktop", blob: bytes },
        },
        { type: "resource", resource: { uri: "x://empty", blob: "" } },
      ],
      view("none"),
    );
    expect(shown[0]).toMatch(/^\[audio\/wav, 4 bytes, saved to .*\.wav\]$/);
    expect(shown[1]).toMatch(/^\[x:\/\/evil\.desktop application\/x-desktop, 4 bytes, saved to .*\.bin\]$/);
    expect(shown[2]).toMatch(/^\[x:\/\/empty application\/octet-stream, 0 bytes, saved to .*\.bin\]$/);
  });

  test("text is as it came but for escape sequences", async () => {
    const text = "\uFEFFa\u200Bb\rc\u001B[31m\n";
    expect(await show([{ type: "text", text }], view("none"))).toEqual(["\uFEFFa\u200Bb\rc\n"]);
  });

  test("where nothing can be saved, that is said", async () => {
    const on = { ...view("none"), files: createKeptFiles(join(folder, "missing")) };
    const [shown] = await show([{ type: "audio", mimeType: "audio/wav", data: "AAEC" }], on);
    expect(shown).toMatch(/and could not be saved: ENOENT/);
  });
});

test("sizes are in words", () => {
  expect([0, 999, 1000, 12_345, 9_999_999].map(byteSize)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.0 kB",
    "12 kB",
    "10.0 MB",
  ]);
});
