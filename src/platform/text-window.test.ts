import { expect, test } from "vitest";
import { MAX_WINDOW, windowOf } from "./text-window.ts";

test("a short text is given whole, without a word about it", () => {
  expect(windowOf("雁が音", {})).toBe("雁が音");
});

test("walking by the offsets it names gives every character of a long text once", () => {
  const text = Array.from({ length: 3000 }, (_, i) => `行${i} 🦢`).join("\n");
  let offset = 0;
  let read = "";
  for (let rounds = 0; rounds < 100; rounds++) {
    const part = windowOf(text, { offset, limit: 1001 });
    read += part.slice(0, part.lastIndexOf("\n[characters"));
    const next = /read on with offset=(\d+)/.exec(part);
    if (!next) break;
    offset = Number(next[1]);
  }
  expect(read).toBe(text);
});

test("a term is found with the offsets where it stands, whatever its case", () => {
  const text = `${"x".repeat(10_000)}NEEDLE${"y".repeat(10_000)}`;
  expect(windowOf(text, { search: "needle" })).toContain("offset 10000: ");
  expect(windowOf(text, { search: "straw" })).toContain("does not occur");
});

test("an offset past the end is said to be one", () => {
  expect(windowOf("雁が音", { offset: 99 })).toBe("[offset 99 is past the end: 3 characters in all]");
  expect(windowOf("", { offset: 0 })).toBe("");
});

test("whatever is asked for, what comes back is bounded", () => {
  const text = "a".repeat(1_000_000);
  expect(windowOf(text, { limit: 1e9 }).length).toBeLessThan(MAX_WINDOW + 200);
  expect(windowOf(text, { search: "a" }).length).toBeLessThan(MAX_WINDOW);
  expect(windowOf(text, { offset: -5, limit: -5 }).length).toBeLessThan(200);
});
