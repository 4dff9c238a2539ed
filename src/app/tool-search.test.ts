import { expect, test } from "vitest";
import { toolSearchLimits } from "./tool-search.ts";

const model = { context: 200_000, output: 8000, images: true };

test("100 tools or 10,000 tokens, and less for a small window", () => {
  expect(toolSearchLimits(undefined, model)).toEqual({ maxTools: 100, maxTokens: 10_000 });
  expect(toolSearchLimits({}, { ...model, context: 8192 })).toEqual({ maxTools: 100, maxTokens: 2048 });
});

test("what the person set goes before what suits the model", () => {
  const settings = { maxTools: 7, maxTokens: 50_000, always: ["github"] };
  expect(toolSearchLimits(settings, { ...model, context: 8192 })).toEqual(settings);
});

test("switched off, or for a model that chooses by itself, nothing is held back", () => {
  const all = { maxTools: Infinity, maxTokens: Infinity };
  expect(toolSearchLimits({ enabled: false, maxTools: 7 }, model)).toEqual(all);
  expect(toolSearchLimits({ maxTools: 7 }, { ...model, allTools: true })).toEqual(all);
});
