import { describe, expect, test } from "vitest";
import { connectDemo as connect } from "../../../test/support/demo-client.ts";

const FORM = { elicitation: { form: {} } };

describe("asking the client in the middle of a call", () => {
  const order = { name: "order", arguments: { table: 4 } };
  const accept = (content: object) => ({ action: "accept", content });

  test("a modern client is asked in rounds and carries the sealed state", async () => {
    const client = connect();
    const first = await client.modern("tools/call", order, FORM);
    expect(first.result).toMatchObject({
      resultType: "input_required",
      inputRequests: { dish: { method: "elicitation/create", params: { message: "Which dish?" } } },
    });
    const inputResponses = { dish: accept({ dish: "soba" }) };
    const second = await client.modern("tools/call", { ...order, inputResponses }, FORM);
    const requestState = second.result?.["requestState"] as string;
    expect(second.result).toMatchObject({ inputRequests: { sure: { params: { message: "soba?" } } } });
    expect(Buffer.from(requestState, "base64url").toString("latin1")).not.toContain("soba");
    const retry = { ...order, inputResponses: { sure: accept({}) }, requestState };
    const third = await client.modern("tools/call", retry, FORM);
    expect(third.result).toMatchObject({ resultType: "complete", content: [{ text: "soba for table 4" }] });
  });

  test("an answer that does not fit is asked for again, a declined one is told to the tool", async () => {
    const client = connect();
    for (const dish of [accept({ dish: 5 }), accept({}), { action: "cancel" }, "nonsense"]) {
      const answer = await client.modern("tools/call", { ...order, inputResponses: { dish } }, FORM);
      expect(answer.result).toMatchObject({ resultType: "input_required", inputRequests: { dish: {} } });
    }
    const inputResponses = { dish: accept({ dish: "udon" }), sure: { action: "decline" } };
    const declined = await client.modern("tools/call", { ...order, inputResponses }, FORM);
    expect(declined.result).toMatchObject({ content: [{ text: "no order" }] });
  });

  test("R30: a state that was changed, belongs to another request, or is huge is refused", async () => {
    const client = connect();
    const inputResponses = { dish: accept({ dish: "soba" }) };
    const round = await client.modern("tools/call", { ...order, inputResponses }, FORM);
    const state = round.result?.["requestState"] as string;
    const flipped = `${state.slice(0, 20)}${state[20] === "A" ? "B" : "A"}${state.slice(21)}`;
    const sure = { sure: accept({}) };
    for (const attempt of [
      { ...order, requestState: flipped },
      { ...order, requestState: state.slice(0, -4) },
      { ...order, requestState: "" },
      { ...order, requestState: `k1.${"A".repeat(5 * 1024 * 1024)}` },
      { ...order, arguments: { table: 5 }, requestState: state },
      { name: "echo", arguments: { table: 4 }, requestState: state },
    ]) {
      const { error } = await client.modern("tools/call", { ...attempt, inputResponses: sure }, FORM);
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("requestState") });
    }
    const kept = await client.modern(
      "tools/call",
      { ...order, inputResponses: sure, requestState: state },
      FORM,
    );
    expect(kept.result).toMatchObject({ content: [{ text: "soba for table 4" }] });
  });

  test("a legacy client is asked by requests of its own, and the tool notices no difference", async () => {
    const client = connect();
    await client.initialize("2025-11-25", { elicitation: {} });
    const asked = client.next(({ method }) => method === "elicitation/create");
    const answer = client.request("tools/call", order);
    const dish = await asked;
    expect(dish.params).toMatchObject({ message: "Which dish?" });
    const askedAgain = client.next(({ method }) => method === "elicitation/create");
    client.write({ jsonrpc: "2.0", id: dish.id, result: accept({ dish: "soba" }) });
    const sure = await askedAgain;
    expect(sure.params).toMatchObject({ message: "soba?" });
    client.write({ jsonrpc: "2.0", id: sure.id, result: accept({}) });
    expect((await answer).result).toEqual({ content: [{ type: "text", text: "soba for table 4" }] });
  });

  test("a client that cannot be asked gets a clear answer instead", async () => {
    const [legacy, modern] = [connect(), connect()];
    await legacy.initialize();
    expect((await legacy.request("tools/call", order)).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("did not declare the required capability") }],
    });
    expect((await modern.modern("tools/call", order)).error).toMatchObject({ code: -32021 });
    expect((await modern.modern("tools/call", { name: "boast" }, { sampling: {} })).error).toBeUndefined();
    expect((await modern.modern("tools/call", { name: "boast" })).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
  });

  test("the client's model can be asked", async () => {
    const client = connect();
    const think = { name: "think", arguments: {} };
    const first = await client.modern("tools/call", think, { sampling: {} });
    expect(first.result).toMatchObject({ inputRequests: { thought: { method: "sampling/createMessage" } } });
    const thought = { role: "assistant", content: { type: "text", text: "4" }, model: "m" };
    const second = await client.modern(
      "tools/call",
      { ...think, inputResponses: { thought } },
      { sampling: {} },
    );
    expect(second.result).toMatchObject({ content: [{ text: '{"type":"text","text":"4"} sampling' }] });
  });

  test("a prompt can ask too", async () => {
    const client = connect();
    const first = await client.modern("prompts/get", { name: "ask-first" }, FORM);
    expect(first.result).toMatchObject({ resultType: "input_required", inputRequests: { topic: {} } });
    const inputResponses = { topic: accept({ topic: "geese" }) };
    const second = await client.modern("prompts/get", { name: "ask-first", inputResponses }, FORM);
    expect(second.result).toMatchObject({ messages: [{ content: { text: "About geese" } }] });
  });
});
