/** Real pictures on their way to a screen, read back from what a terminal would get. */
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readSixel } from "../../../test/support/read-sixel.ts";
import { type Drawing, drawPicture } from "./draw.ts";
import { BLOCK_CELL, CELL, fitToScreen } from "./fit.ts";
import type { Protocol, Screen } from "./screen.ts";

const screen = (protocol: Protocol, more: Partial<Screen> = {}): Screen => ({
  protocol,
  throughTmux: false,
  trueColour: true,
  columns: 81,
  rows: 36,
  ...more,
});

/** Left half red, right half blue. */
function flag(width: number, height: number) {
  const half = { width: Math.ceil(width / 2), height, channels: 3, background: "#00f" } as const;
  return sharp({ create: { width, height, channels: 3, background: "#f00" } }).composite([
    { input: { create: half }, left: Math.floor(width / 2), top: 0 },
  ]);
}

function textOf(drawing: Drawing): string {
  if (drawing.type !== "drawn") throw new Error(drawing.reason);
  return drawing.text;
}

describe("the size in cells", () => {
  test.each([
    [
      { width: 640, height: 320 },
      { columns: 80, rows: 20 },
    ],
    [
      { width: 6400, height: 3200 },
      { columns: 80, rows: 20 },
    ],
    [
      { width: 320, height: 3200 },
      { columns: 5, rows: 24 },
    ],
    [
      { width: 16, height: 16 },
      { columns: 2, rows: 1 },
    ],
    [
      { width: 1, height: 1 },
      { columns: 1, rows: 1 },
    ],
    [
      { width: 60_000, height: 1 },
      { columns: 80, rows: 1 },
    ],
  ])("of %o is %o", (size, expected) => {
    expect(fitToScreen(size, { columns: 81, rows: 36 }, CELL)).toEqual(expected);
  });

  test("a tiny window still gets something", () => {
    expect(fitToScreen({ width: 640, height: 480 }, { columns: 1, rows: 1 }, CELL)).toEqual({
      columns: 1,
      rows: 1,
    });
  });

  test("half blocks use a cell for two pixels while there is room", () => {
    expect(fitToScreen({ width: 16, height: 16 }, { columns: 81, rows: 36 }, BLOCK_CELL)).toEqual({
      columns: 16,
      rows: 8,
    });
  });
});

describe("a picture on the screen", () => {
  test("kitty gets a PNG of the same picture", async () => {
    const text = textOf(await drawPicture(await flag(640, 320).jpeg().toBuffer(), screen("kitty")));
    const pieces = [...text.matchAll(/\u001B_G[^;]*;([^\u001B]*)\u001B\\/g)].map(([, piece]) => piece);
    const { data, info } = await sharp(Buffer.from(pieces.join(""), "base64"))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 640, height: 320 });
    expect([...data.subarray(0, 3)]).toEqual([254, 0, 0]);
    expect(text).toContain(",c=80,");
  });

  test("iTerm2 gets a PNG, scaled down to what the cells can show", async () => {
    const text = textOf(await drawPicture(await flag(3200, 1600).png().toBuffer(), screen("iterm2")));
    const [, facts = "", data = ""] = /^\u001B\]1337;File=([^:]*):([^\u0007]*)\u0007$/.exec(text) ?? [];
    expect(await sharp(Buffer.from(data, "base64")).metadata()).toMatchObject({
      format: "png",
      width: 1280,
      height: 640,
    });
    expect(facts).toContain("width=80;height=20");
  });

  test("sixel shows the same colours at the same places", async () => {
    const read = readSixel(textOf(await drawPicture(await flag(64, 32).png().toBuffer(), screen("sixel"))));
    expect({ width: read.width, height: read.height }).toEqual({ width: 64, height: 32 });
    const at = (x: number, y: number) => [...read.data.subarray((y * 64 + x) * 4, (y * 64 + x) * 4 + 4)];
    expect([at(0, 0), at(31, 31), at(32, 0), at(63, 31)]).toEqual([
      [255, 0, 0, 255],
      [255, 0, 0, 255],
      [0, 0, 255, 255],
      [0, 0, 255, 255],
    ]);
  });

  test("half blocks fill as many cells as were reckoned", async () => {
    const text = textOf(await drawPicture(await flag(640, 320).png().toBuffer(), screen("blocks")));
    const lines = text.replace(/\u001B\[[\d;]*m/g, "").split("\n");
    expect(lines).toEqual(Array(20).fill("▀".repeat(80)));
  });

  test("HEIC, animated GIF, 16-bit grey and rotated JPEG are pictures too", async () => {
    const heic = await readFile(new URL("../../../test/support/pictures/laptop.heic", import.meta.url));
    const frames = await sharp([await flag(8, 8).png().toBuffer(), await flag(8, 8).png().toBuffer()], {
      join: { animated: true },
    })
      .gif()
      .toBuffer();
    const grey = await flag(8, 8).toColourspace("grey16").png().toBuffer();
    const rotated = await flag(64, 16).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    for (const bytes of [heic, frames, grey])
      expect(await drawPicture(bytes, screen("sixel"))).toMatchObject({ type: "drawn" });
    const upright = await drawPicture(rotated, screen("sixel"));
    expect(upright).toMatchObject({ size: { width: 16, height: 64 } });
    expect(readSixel(textOf(upright))).toMatchObject({ width: 16, height: 64 });
  });
});

describe("what is not drawn says why", () => {
  const reason = async (bytes: Buffer) => {
    const drawing = await drawPicture(bytes, screen("blocks"));
    return drawing.type === "not-drawn" ? drawing.reason : "drawn";
  };

  test("P27: HTML that calls itself a picture", async () => {
    expect(await reason(Buffer.from("<html><script>alert(1)</script>"))).toBe("its bytes are not a picture");
  });

  test("P27: SVG is not rendered", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    expect(await reason(Buffer.from(svg))).toContain("SVG");
  });

  test("a small file that claims an enormous picture is not decoded", async () => {
    const png = await flag(8, 8).png().toBuffer();
    png.writeUInt32BE(60_000, 16);
    png.writeUInt32BE(60_000, 20);
    expect(await reason(png)).toBe("it claims 60000 × 60000 pixels");
    png.writeUInt32BE(4_000_000_000, 16);
    png.writeUInt32BE(1, 20);
    expect(await reason(png)).toBe("it claims 4000000000 × 1 pixels");
    png.writeUInt32BE(0, 16);
    expect(await reason(png)).toBe("it claims 0 × 1 pixels");
  });

  test("half a picture, and garbage behind a picture's first bytes", async () => {
    const png = await flag(300, 300).png({ compressionLevel: 0 }).toBuffer();
    expect(await reason(png.subarray(0, png.length / 2))).toMatch(/^it cannot be decoded \(.*\)$/);
    expect(await reason(Buffer.concat([png.subarray(0, 40), Buffer.alloc(1000, 7)]))).toMatch(
      /cannot be decoded/,
    );
    expect(await reason(Buffer.alloc(0))).toBe("its bytes are not a picture");
  });

  test("a terminal without pictures", async () => {
    expect(await drawPicture(Buffer.from("x"), screen("none"))).toMatchObject({ type: "not-drawn" });
  });
});
