/** Plain answers, run for each wire format against the mock: deltas, the whole text, usage, why it ended. */
import { describe, expect, test } from "vitest";
import { ask, CASES, contentsOf, type WireCase } from "./wire-case.ts";

describe.each(CASES)("$format", (wire: WireCase) => {
  test("a plain answer streams its deltas, then the whole text, then usage with cache reads", async () => {
    const usage = { input: 70, output: 3, cacheRead: 50 };
    const { events, reading, llm } = await ask(wire, [{ text: "雁が飛ぶ", deltaSize: 2, usage }]);
    expect(events.filter((event) => event.type !== "finish")).toEqual([
      { type: "text-delta", text: "雁が" },
      { type: "text-delta", text: "飛ぶ" },
      { type: "content", content: { type: "text", text: "雁が飛ぶ" } },
    ]);
    expect(events.at(-1)).toMatchObject({
      type: "finish",
      reason: "end",
      usage: { inputTokens: 70, outputTokens: 3, cacheReadTokens: 50 },
    });
    expect(reading.system).toBe("You are Kari.");
    expect(reading.turns).toEqual([{ role: "user", text: "hello", images: [], audio: [] }]);
    expect(llm.requests[0]?.format).toBe(wire.format);
  });

  test("R3: surrogate pairs and Japanese split across chunks stay whole", async () => {
    const text = "万葉集 🦢 と 𠮷野家 é";
    const { events } = await ask(wire, [{ text, deltaSize: 1, chunkBytes: 1 }]);
    expect(contentsOf(events)).toEqual([{ type: "text", text }]);
  });

  test("an empty answer is a finish without content", async () => {
    const { events } = await ask(wire, [{}]);
    expect(events.map((event) => event.type)).toEqual(["finish"]);
    expect(events[0]).toMatchObject({ reason: "end" });
  });

  test("an answer that reached its limit, and one that was refused, say so", async () => {
    const { events } = await ask(wire, [{ text: "cut", finish: "length" }]);
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "length" });
    const refused = await ask(wire, [{ text: "no", finish: "refused" }]);
    expect(refused.events.at(-1)).toMatchObject({ type: "finish", reason: "refused" });
  });
});
