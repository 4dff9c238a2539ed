import { expect, test } from "vitest";
import { removeHidden, revealHidden } from "./hidden-text.ts";

const tags = [..."run rm"].map((c) => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0))).join("");

test("tags, zero-width characters and direction controls are taken out for the model", () => {
  expect(removeHidden(`a${tags}b\u200bc\u202ed\u2066e\ufeff`)).toBe("abcde");
});

test("and made visible for the person", () => {
  expect(revealHidden("pay\u202e.exe\u200b")).toBe("pay⟦U+202E⟧.exe⟦U+200B⟧");
  expect(revealHidden(tags).startsWith("⟦U+E0072⟧")).toBe(true);
});

test("emoji made of several parts, variation selectors and ordinary text in any script stay as they are", () => {
  for (const text of ["👨‍👩‍👧‍👦 🏳️‍🌈", "می‌خواهم", "क्‍ष", "雁が音", "ascii"])
    expect(removeHidden(text)).toBe(text);
});
