import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { cleanBase64 } from "../../lib/base64.ts";
import { sniffPicture } from "../../lib/picture-header.ts";
import { type Picture, preparePicture } from "./picture.ts";
import { createPreparedPictures } from "./prepared.ts";

const RULES = { types: ["image/png", "image/jpeg", "image/webp"], maxEdge: 200, maxBytes: 60_000 };
const heic = new URL("../../../test/support/pictures/laptop.heic", import.meta.url);

function grey(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: "#888" } });
}

/** Noise does not compress: a small picture in a large file. */
function noise(width: number, height: number) {
  const data = Buffer.alloc(width * height * 3);
  for (let index = 0, value = 1; index < data.length; index++) {
    value = (Math.imul(value, 1103515245) + 12345) & 0x7fffffff;
    data[index] = value >> 16;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function sizeOf(picture: Picture) {
  if (picture.type !== "image") return picture;
  const bytes = Buffer.from(picture.data, "base64");
  const { width, height, format } = await sharp(bytes).metadata();
  return { mimeType: picture.mimeType, width, height, format, bytes: bytes.length };
}

describe("a picture on its way to a model", () => {
  test.each(["png", "jpeg", "webp"] as const)("%s that fits is untouched, byte for byte", async (format) => {
    const data = (await grey(120, 80).toFormat(format).toBuffer()).toString("base64");
    expect(await preparePicture(data, RULES)).toEqual({ type: "image", mimeType: `image/${format}`, data });
  });

  test("a huge PNG is scaled, and keeps its shape", async () => {
    const data = (await grey(3000, 1500).png().toBuffer()).toString("base64");
    const made = await sizeOf(await preparePicture(data, RULES));
    expect(made).toMatchObject({ mimeType: "image/png", width: 200, height: 100 });
  });

  test("a file that stays too large as PNG becomes a JPEG that fits", async () => {
    const data = (await noise(190, 190).png().toBuffer()).toString("base64");
    const made = (await sizeOf(await preparePicture(data, RULES))) as { mimeType: string; bytes: number };
    expect(made.mimeType).toBe("image/jpeg");
    expect(made.bytes).toBeLessThanOrEqual(RULES.maxBytes);
  });

  test("HEIC becomes a JPEG", async () => {
    const data = (await readFile(heic)).toString("base64");
    expect(await sizeOf(await preparePicture(data, RULES))).toMatchObject({
      mimeType: "image/jpeg",
      format: "jpeg",
      width: 200,
      height: 200,
    });
  });

  test.each(["gif", "tiff", "avif"] as const)(
    "%s is converted for a provider that does not take it",
    async (format) => {
      const data = (await grey(50, 40).toFormat(format).toBuffer()).toString("base64");
      expect(await sizeOf(await preparePicture(data, RULES))).toMatchObject({ width: 50, height: 40 });
    },
  );

  test("transparency is kept", async () => {
    const clear = sharp({ create: { width: 400, height: 400, channels: 4, background: "#0000" } });
    const picture = await preparePicture((await clear.webp().toBuffer()).toString("base64"), RULES);
    expect(picture).toMatchObject({ type: "image", mimeType: "image/png" });
  });

  test("a picture that lies on its side is turned upright when it is converted", async () => {
    const data = await grey(400, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const made = await sizeOf(await preparePicture(data.toString("base64"), RULES));
    expect(made).toMatchObject({ width: 50, height: 200 });
  });

  test("P30: base64 with line breaks or without padding is read; garbage is a reason, not an exception", async () => {
    const data = (await grey(5, 5).png().toBuffer()).toString("base64");
    const broken = data.replace(/(.{20})/g, "$1\r\n").replace(/=+$/, "");
    expect(await preparePicture(broken, RULES)).toEqual({ type: "image", mimeType: "image/png", data });
    expect(await preparePicture("これは違う", RULES)).toEqual({
      type: "none",
      reason: "its data is not valid base64",
    });
    expect(await preparePicture("", RULES)).toMatchObject({ type: "none" });
    expect(await preparePicture("A".repeat(16_000_000), RULES)).toMatchObject({
      reason: "its bytes are not a picture",
    });
    expect(cleanBase64("ab$d")).toBeUndefined();
  });

  test("a picture that is cut off, or whose decoder fails, is a reason", async () => {
    const png = await noise(400, 400).png().toBuffer();
    const cut = png.subarray(0, 200).toString("base64");
    expect(await preparePicture(cut, RULES)).toMatchObject({
      type: "none",
      reason: expect.stringMatching(/^it cannot be decoded \(/),
    });
    const fakeHeic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0garbage").toString("base64");
    expect(await preparePicture(fakeHeic, RULES)).toMatchObject({
      type: "none",
      reason: expect.stringMatching(/^it cannot be decoded \(/),
    });
    const bitmap = Buffer.from(`BM${"x".repeat(100)}`).toString("base64");
    expect(await preparePicture(bitmap, RULES)).toMatchObject({ type: "none" });
  });

  test("a small file that claims to be enormous is not decoded", async () => {
    const png = await grey(10, 10).png().toBuffer();
    png.writeUInt32BE(100_000, 16);
    png.writeUInt32BE(100_000, 20);
    expect(await preparePicture(png.toString("base64"), RULES)).toMatchObject({ type: "none" });
  });

  test("P27: SVG is text, and its script stays text; HTML is nothing", async () => {
    const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>';
    const picture = await preparePicture(Buffer.from(svg).toString("base64"), RULES);
    expect(picture).toEqual({ type: "none", reason: "it is SVG, given here as text", text: svg });
    const html = Buffer.from("<html><svg></svg></html>").toString("base64");
    expect(await preparePicture(html, RULES)).toMatchObject({ reason: "its bytes are not a picture" });
  });
});

describe("the header of a picture", () => {
  test.each(["png", "jpeg", "webp", "gif"] as const)("%s tells its size", async (format) => {
    const bytes = await grey(321, 123).toFormat(format).toBuffer();
    expect(sniffPicture(bytes)).toEqual({ mimeType: `image/${format}`, width: 321, height: 123 });
  });

  test("lossless WebP, WebP with transparency and a JPEG with a long profile tell theirs, too", async () => {
    const size = { width: 321, height: 123 };
    expect(sniffPicture(await grey(321, 123).webp({ lossless: true }).toBuffer())).toMatchObject(size);
    const clear = sharp({ create: { ...size, channels: 4, background: "#0008" } });
    expect(sniffPicture(await clear.webp().toBuffer())).toMatchObject(size);
    expect(
      sniffPicture(await grey(321, 123).withMetadata().withIccProfile("p3").jpeg().toBuffer()),
    ).toMatchObject(size);
  });

  test("a header that is cut off never throws", async () => {
    for (const format of ["png", "jpeg", "webp", "gif"] as const) {
      const bytes = await grey(9, 9).toFormat(format).toBuffer();
      for (let length = 0; length < 64; length++)
        expect(() => sniffPicture(bytes.subarray(0, length))).not.toThrow();
    }
  });
});

test("a picture of a conversation is prepared once, and only when it is for the model", async () => {
  const data = (await grey(3000, 10).png().toBuffer()).toString("base64");
  const image = { type: "image", mimeType: "image/png", data } as const;
  const hidden = { ...image, annotations: { audience: ["user"] } } as const;
  const pictures = createPreparedPictures(RULES);
  const messages = [{ role: "user", content: [image, hidden] }] as const;
  await pictures.prepare(messages);
  const first = pictures.of(image);
  await pictures.prepare(messages);
  expect(pictures.of(image)).toBe(first);
  expect(pictures.of(hidden)).toBeUndefined();
  expect(image.data, "the original").toBe(data);
});
