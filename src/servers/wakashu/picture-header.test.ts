import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleRoot } from "./package-root.ts";
import { guessOther, readPictureHeader } from "./picture-header.ts";
import { tinyPng } from "./temp-collection.ts";

const sample = (path: string) => readFileSync(join(sampleRoot() ?? "", path));

describe("a picture's header", () => {
  test.each([
    ["第1回/1-Laptop/Picture1.png", "png", "image/png"],
    ["第1回/2-Wakashu/Picture2.jpg", "jpeg", "image/jpeg"],
    ["第1回/3-Kari/Picture3.webp", "webp", "image/webp"],
    ["第1回/4-Susuki/Picture4.heic", "heic", "image/heic"],
    ["第2回/1-Kari/Picture1.jpeg", "jpeg", "image/jpeg"],
    ["第2回/4-Wakashu/Picture4.webp", "webp", "image/webp"],
  ])("%s is %s of 640 by 640", (path, format, mimeType) => {
    expect(readPictureHeader(sample(path))).toEqual({ format, mimeType, size: { width: 640, height: 640 } });
  });

  test("the size a header claims is read without decoding anything", () => {
    expect(readPictureHeader(tinyPng(60_000, 60_000))?.size).toEqual({ width: 60_000, height: 60_000 });
  });

  test("WebP in its three kinds", () => {
    const riff = (kind: string, rest: number[]) =>
      Buffer.concat([
        Buffer.from("RIFF\0\0\0\0WEBP"),
        Buffer.from(kind),
        Buffer.from([0, 0, 0, 0, ...rest]),
        Buffer.alloc(16),
      ]);
    expect(
      readPictureHeader(riff("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0x00]))?.size,
    ).toEqual({ width: 320, height: 240 });
    expect(readPictureHeader(riff("VP8L", [0x2f, 0x3f, 0xc1, 0x3b, 0x00]))?.size).toEqual({
      width: 320,
      height: 240,
    });
    expect(readPictureHeader(riff("VP8X", [0, 0, 0, 0, 0x3f, 0x01, 0x00, 0xef, 0x00, 0x00]))?.size).toEqual({
      width: 320,
      height: 240,
    });
  });

  test("cut off in the middle, it is still told apart and never throws", () => {
    for (const path of [
      "第1回/1-Laptop/Picture1.png",
      "第1回/2-Wakashu/Picture2.jpg",
      "第1回/3-Kari/Picture3.webp",
      "第1回/4-Susuki/Picture4.heic",
    ]) {
      const bytes = sample(path);
      for (let length = 0; length < 600; length += 1) readPictureHeader(bytes.subarray(0, length));
    }
    expect(readPictureHeader(Buffer.alloc(0))).toBeUndefined();
  });

  test("P27: what is no picture is told by its bytes, whatever it is called", () => {
    const other = (text: string) => [
      readPictureHeader(Buffer.from(text.padEnd(64))),
      guessOther(Buffer.from(text)),
    ];
    expect(other("<!DOCTYPE html><script>")).toEqual([undefined, "HTML のようです"]);
    expect(other("<svg onload=alert(1)>")).toEqual([undefined, "SVG のようです"]);
    expect(other('<?xml version="1.0"?><svg/>')).toEqual([undefined, "SVG のようです"]);
    expect(other("GIF89a")).toEqual([undefined, "GIF のようです"]);
    expect(other("")[1]).toBe("空のファイルです");
  });
});
