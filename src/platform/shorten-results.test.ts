import { expect, test } from "vitest";
import type { ToolContent, ToolResponse } from "../conversation/index.ts";
import { estimateTokens } from "../lib/token-estimate.ts";
import { KeptResults } from "../sessions/index.ts";
import { DEFAULT_LIMITS, shorten } from "./shorten-results.ts";
import { windowOf } from "./text-window.ts";

const response = (content: ToolContent[], more: Partial<ToolResponse> = {}): ToolResponse => ({
  type: "tool-response",
  id: "1",
  name: "x__y",
  isError: false,
  content,
  ...more,
});

test("a result of 30 MB costs the model under 2,000 tokens, and any part of it can be read afterwards", () => {
  const kept = new KeptResults();
  const lines = Array.from({ length: 600_000 }, (_, i) => `line ${i} ${"x".repeat(40)}`);
  const text = lines.join("\n");
  expect(Buffer.byteLength(text)).toBeGreaterThan(30_000_000);
  const short = shorten(
    response([{ type: "text", text }]),
    (whole, name) => kept.keep(whole, name),
    DEFAULT_LIMITS,
  );
  const shown = JSON.stringify(short.content);
  expect(estimateTokens(shown)).toBeLessThan(2000);
  expect(shown).toContain("line 0 ");
  expect(shown).toContain("line 599999 ");
  const uri = /session:\/\/result\/[0-9a-f]+/.exec(shown)?.[0] ?? "";
  const whole = kept.read(uri) ?? "";
  expect(whole).toBe(text);
  expect(windowOf(whole, { search: "line 314159 " })).toMatch(/offset \d+: /);
  kept.close();
  expect(kept.read(uri)).toBeUndefined();
});

test("short results, pictures and links stay as they are", () => {
  const short = response([
    { type: "text", text: "ok" },
    { type: "image", mimeType: "image/png", data: "A".repeat(1_000_000) },
  ]);
  expect(shorten(short, () => ({ uri: "never" }), DEFAULT_LIMITS)).toEqual(short);
});

test("long structured content is kept once, also when a text block repeats it", () => {
  const structuredContent = { rows: Array.from({ length: 10_000 }, (_, i) => i) };
  const json = JSON.stringify(structuredContent);
  const kept: string[] = [];
  const keep = (text: string) => ({ uri: `session://result/${kept.push(text)}` });
  const alone = shorten(response([], { structuredContent }), keep, DEFAULT_LIMITS);
  expect(alone.structuredContent).toBeUndefined();
  expect(alone.content).toHaveLength(1);
  const both = shorten(response([{ type: "text", text: json }], { structuredContent }), keep, DEFAULT_LIMITS);
  expect(both.content).toHaveLength(1);
});

test("when the disk does not take it, the cut is said to be a loss", () => {
  const full = () => {
    throw new Error("ENOSPC: no space left on device");
  };
  const short = shorten(response([{ type: "text", text: "y".repeat(100_000) }]), full, DEFAULT_LIMITS);
  expect(JSON.stringify(short.content)).toContain("could not be kept: ENOSPC");
});
