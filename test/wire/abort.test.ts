/** Our own cancelling, at every point of a request. */
import { describe, expect, test } from "vitest";
import { createModel, type ModelEvent } from "../../src/providers/index.ts";
import { startMockLlm } from "../support/mock-llm.ts";
import { CASES, KEY, user, type WireCase } from "./wire-case.ts";

describe.each(CASES)("$format", (wire: WireCase) => {
  test("in mid-stream ends with `cancelled`, and the connection is closed", async () => {
    const llm = await startMockLlm({
      steps: [{ text: "a long answer", deltaSize: 2, stop: { after: 6, how: "hang" } }],
    });
    const choice = {
      provider: wire.provider,
      model: wire.model,
      baseUrl: llm.url + wire.path,
      apiKey: KEY,
    };
    const model = await createModel(choice);
    const abort = new AbortController();
    const types: string[] = [];
    const request = { system: "", messages: [user("q")], tools: [] };
    for await (const event of model.stream(request, { signal: abort.signal })) {
      types.push(event.type === "error" ? event.error.code : event.type);
      if (event.type === "text-delta") abort.abort();
    }
    expect(types.at(-1)).toBe("cancelled");
    expect(types).not.toContain("content");
    await llm.disconnected;
    await llm.close();
  });

  test("before the first byte, and while waiting for another attempt", async () => {
    const llm = await startMockLlm({ steps: [{ hang: true }] });
    const choice = {
      provider: wire.provider,
      model: wire.model,
      baseUrl: llm.url + wire.path,
      apiKey: KEY,
    };
    const model = await createModel(choice);
    const abort = new AbortController();
    void llm.received(1).then(() => abort.abort());
    const events: ModelEvent[] = [];
    const request = { system: "", messages: [user("q")], tools: [] };
    for await (const event of model.stream(request, { signal: abort.signal })) events.push(event);
    expect(events.map((event) => (event.type === "error" ? event.error.code : event.type))).toEqual([
      "cancelled",
    ]);
    llm.script([{ status: 429, headers: { "retry-after": "60" } }]);
    const second = new AbortController();
    const types: string[] = [];
    for await (const event of model.stream(request, { signal: second.signal })) {
      types.push(event.type === "error" ? event.error.code : event.type);
      if (event.type === "notice") second.abort();
    }
    expect(types).toEqual(["notice", "cancelled"]);
    await llm.close();
  });
});
