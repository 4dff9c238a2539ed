import { describe, expect, test } from "vitest";
import { cutToWidth, padToWidth, textWidth } from "./text-width.ts";

describe("the width of a text in a terminal", () => {
  test.each([
    ["abc", 3],
    ["", 0],
    ["和歌集", 6],
    ["かり", 4],
    ["がぎ".normalize("NFD"), 4],
    ["ｶﾘ", 2],
    ["ｶﾞ", 2],
    ["Ｋａｒｉ", 8],
    ["雁-kari", 7],
    ["🦢", 2],
    ["👨‍👩‍👧", 2],
    ["🇯🇵", 2],
    ["é".normalize("NFD"), 1],
    ["한글", 4],
    ["…→·", 3],
    ["\u200b", 0],
  ])("%s is %i", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  test("padding and cutting count columns, not letters", () => {
    expect(padToWidth("和歌", 6)).toBe("和歌  ");
    expect(padToWidth("和歌集", 4)).toBe("和歌集");
    expect(cutToWidth("和歌集について", 7)).toBe("和歌集…");
    expect(cutToWidth("和歌集について", 6)).toBe("和歌…");
    expect(cutToWidth("short", 5)).toBe("short");
  });
});
