import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { decodeHeic } from "./heic.ts";

const file = fileURLToPath(new URL("../../examples/wakashu/第1回/4-Susuki/Picture4.heic", import.meta.url));
const heic = () => readFileSync(file);

describe("decoding HEIC", () => {
  test("gives width, height and four bytes a pixel", async () => {
    const { width, height, data } = await decodeHeic(heic(), 1_000_000);
    expect([width, height, data.length]).toEqual([640, 640, 640 * 640 * 4]);
  });

  test("a picture over the pixel limit is refused before it is decoded", async () => {
    await expect(decodeHeic(heic(), 640 * 640 - 1)).rejects.toThrow("640 x 640 pixels");
  });

  test("what is broken or no HEIC fails alone: the next picture is decoded", async () => {
    await expect(decodeHeic(Buffer.from("not a picture at all"), 1_000_000)).rejects.toThrow();
    await expect(decodeHeic(heic().subarray(0, 2000), 1_000_000)).rejects.toThrow();
    expect((await decodeHeic(heic(), 1_000_000)).width).toBe(640);
  });

  test("several at once do not mix", async () => {
    const all = await Promise.all([1, 2, 3].map(() => decodeHeic(heic(), 1_000_000)));
    expect(all.every(({ data }) => Buffer.compare(data, all[0]?.data ?? Buffer.alloc(0)) === 0)).toBe(true);
  });
});
