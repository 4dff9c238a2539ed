import { expect, test } from "vitest";
import { estimateTokens } from "../lib/token-estimate.ts";
import { endsOf } from "./cut-text.ts";

const tokens = { head: 20, tail: 10 };

test.each([
  ["English", "wild geese ".repeat(1000), 80, 40],
  ["Japanese", "雁が音の".repeat(1000), 20, 10],
])(
  "the ends of %s are as long as their tokens allow, and the rest is counted",
  (_language, text, head, tail) => {
    const ends = endsOf(text, tokens);
    expect(ends).toEqual({
      head: text.slice(0, head),
      tail: text.slice(-tail),
      hidden: text.length - head - tail,
    });
    expect(estimateTokens(ends?.head ?? "")).toBeLessThanOrEqual(tokens.head);
  },
);

test("a character of two halves is never halved", () => {
  for (let shift = 0; shift < 4; shift++) {
    const { head = "", tail = "" } =
      endsOf(`${"a".repeat(shift)}${"🦢".repeat(100)}${"a".repeat(shift)}`, tokens) ?? {};
    expect([head.isWellFormed(), tail.isWellFormed()]).toEqual([true, true]);
  }
});

test("a text that its ends cover is not cut", () => {
  expect(endsOf("", tokens)).toBeUndefined();
  expect(endsOf("雁".repeat(30), tokens)).toBeUndefined();
  expect(endsOf("雁".repeat(31), tokens)?.hidden).toBe(1);
});
