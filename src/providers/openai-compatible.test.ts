import { afterEach, describe, expect, test } from "vitest";
import { type MockLlm, type MockScript, startMockLlm } from "../../test/support/mock-llm.ts";
import { userMessage } from "../conversation/index.ts";
import { createModel } from "./create-model.ts";
import type { ModelEvent } from "./model.ts";

let llm: MockLlm;
afterEach(() => llm.close());

async function ask(steps: MockScript): Promise<ModelEvent[]> {
  llm = await startMockLlm({ steps });
  const model = await createModel({
    provider: "openai-compatible",
    model: "m",
    baseUrl: `${llm.url}/v1`,
    apiKey: "sk-secret",
  });
  const events: ModelEvent[] = [];
  const request = { system: "Be brief.", messages: [userMessage("やあ")], tools: [] };
  for await (const event of model.stream(request, { signal: AbortSignal.timeout(10_000) }))
    events.push(event);
  return events;
}

describe("chat completions", () => {
  test("a plain answer streams its deltas, then the whole text, then usage", async () => {
    const events = await ask([
      { text: "雁が飛ぶ", deltaSize: 2, chunkBytes: 1, usage: { input: 7, output: 3, cacheRead: 5 } },
    ]);
    expect(events).toEqual([
      { type: "text-delta", text: "雁が" },
      { type: "text-delta", text: "飛ぶ" },
      { type: "content", content: { type: "text", text: "雁が飛ぶ" } },
      { type: "finish", reason: "end", usage: { inputTokens: 7, outputTokens: 3, cacheReadTokens: 5 } },
    ]);
    expect(llm.requests[0]?.body["messages"]).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "やあ" },
    ]);
    expect(llm.requests[0]?.headers.authorization).toBe("Bearer sk-secret");
  });

  test("a call out of an answer that was cut is never seen", async () => {
    const call = { name: "a__b", arguments: { text: "long enough for some deltas" } };
    const events = await ask([{ calls: [call], stop: { after: 5, how: "end" } }]);
    expect(events.map((event) => event.type)).toEqual(["error"]);
    expect(events[0]).toMatchObject({ error: { code: "network" } });
  });
});
