/** Tool calls in each wire format: whole and in order, names and arguments that fit the wire and come back. */
import { describe, expect, test } from "vitest";
import type { Message, ToolResponse } from "../../src/conversation/index.ts";
import { ask, CASES, contentsOf, tool, toolTurn, user, type WireCase } from "./wire-case.ts";

const HOSTILE_NAME = "wakashu/getRanking";
const LONG_NAME = `a${"b".repeat(88)}c`;

describe.each(CASES)("$format", (wire: WireCase) => {
  test("a streamed call comes out whole, with its text before it", async () => {
    const call = { name: "shop__find", arguments: { query: "雁 🦢", limit: 3 }, id: "call_9" };
    const { events, reading } = await ask(wire, [{ text: "Looking.", calls: [call], deltaSize: 3 }], {
      tools: [tool("shop__find")],
    });
    expect(contentsOf(events)).toMatchObject([
      { type: "text", text: "Looking." },
      { type: "tool-request", id: "call_9", name: "shop__find", arguments: { query: "雁 🦢", limit: 3 } },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "tool-calls" });
    expect(reading.tools.map((declared) => declared.name)).toEqual(["shop__find"]);
  });

  test("two parallel calls keep their order and their ids, and so do their results", async () => {
    const calls = ["a", "b"].map((id) => ({
      name: "shop__find",
      arguments: { query: id },
      id: `call_${id}`,
    }));
    const { events } = await ask(wire, [{ calls }], { tools: [tool("shop__find")] });
    const requests = contentsOf(events) as { id: string; name: string }[];
    expect(requests).toMatchObject([
      { id: "call_a", arguments: { query: "a" } },
      { id: "call_b", arguments: { query: "b" } },
    ]);
    const responses = requests.map(
      ({ id, name }): ToolResponse => ({
        type: "tool-response",
        id,
        name,
        content: [{ type: "text", text: `found ${id}` }],
        isError: false,
      }),
    );
    const messages = [
      user("find both"),
      { role: "assistant", content: requests },
      { role: "tool", content: responses },
    ] as Message[];
    const { reading } = await ask(wire, [{ text: "ok" }], { messages });
    expect(reading.turns[1]).toMatchObject({ calls: [{ id: "call_a" }, { id: "call_b" }] });
    expect(reading.turns[2]).toMatchObject({
      results: [
        { id: "call_a", text: "found call_a" },
        { id: "call_b", text: "found call_b" },
      ],
    });
  });

  test("L2: broken JSON arguments come out as a call that says what is wrong", async () => {
    const call = { name: "shop__find", raw: '{"query": "geese', id: "call_1" };
    const { events, llm } = await ask(wire, [{ calls: [call] }, { text: "sorry" }], {
      tools: [tool("shop__find")],
    });
    // Gemini never sends broken arguments: it stops with MALFORMED_FUNCTION_CALL, and is asked again.
    if (wire.format === "google") {
      expect(events[0]).toMatchObject({
        type: "notice",
        text: expect.stringContaining("MALFORMED_FUNCTION_CALL"),
      });
      expect(llm.requests.length).toBe(2);
      return;
    }
    const reason = expect.stringMatching(/^The arguments are not valid JSON: /);
    expect(contentsOf(events)).toMatchObject([
      {
        type: "tool-request",
        name: "shop__find",
        arguments: {},
        invalid: { raw: '{"query": "geese', reason },
      },
    ]);
  });

  test("L2: a call with broken arguments can be sent back with its error", async () => {
    const messages = toolTurn({ isError: true, content: [{ type: "text", text: "not JSON" }] });
    const invalid = { raw: '{"query": "ge', reason: "not JSON" };
    const broken = [{ type: "tool-request", id: "call_1", name: "shop__find", arguments: {}, invalid }];
    const history = [messages[0], { role: "assistant", content: broken }, messages[2]] as Message[];
    const { reading } = await ask(wire, [{ text: "ok" }], { messages: history });
    expect(reading.turns[1]).toMatchObject({
      calls: [{ arguments: { invalid_arguments: '{"query": "ge' } }],
    });
  });

  test("L1: a tool that nobody offered comes out under the name the model gave it", async () => {
    const { events } = await ask(wire, [{ calls: [{ name: "made_up" }] }], { tools: [tool("shop__find")] });
    expect(contentsOf(events)).toMatchObject([{ type: "tool-request", name: "made_up" }]);
  });

  test.each([HOSTILE_NAME, LONG_NAME, "道具", "a b.c"])(
    "R22: the name %s fits the wire and comes back",
    async (name) => {
      const offered = [tool(name), tool("wakashu_getRanking")];
      const { events, reading } = await ask(
        wire,
        [
          ({ body }) => {
            const sent = /"name":"([^"]+)"/.exec(JSON.stringify(body["tools"]))?.[1] ?? "";
            return { calls: [{ name: sent, arguments: { query: "x" } }] };
          },
        ],
        { tools: offered },
      );
      for (const declared of reading.tools) expect(declared.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(new Set(reading.tools.map((declared) => declared.name)).size).toBe(2);
      expect(contentsOf(events)).toMatchObject([{ type: "tool-request", name }]);
      const replay = await ask(wire, [{ text: "ok" }], { messages: toolTurn({}, name), tools: offered });
      expect(replay.reading.turns[1]).toMatchObject({ calls: [{ name: reading.tools[0]?.name }] });
    },
  );

  test("a call without arguments is a call with none", async () => {
    const { events } = await ask(wire, [{ calls: [{ name: "now", arguments: {} }] }], {
      tools: [tool("now")],
    });
    expect(contentsOf(events)).toMatchObject([{ name: "now", arguments: {} }]);
  });

  test("arguments with names in Japanese go out and come back", async () => {
    const schema = { type: "object", properties: { 都市名: { type: "string" } }, required: ["都市名"] };
    const { events, reading } = await ask(
      wire,
      [
        ({ raw }) => {
          const wireName = /"required":\["([^"]+)"\]/.exec(raw)?.[1] ?? "";
          return { calls: [{ name: "weather", arguments: { [wireName]: "奈良" } }] };
        },
      ],
      { tools: [tool("weather", schema)] },
    );
    expect(contentsOf(events)).toMatchObject([{ arguments: { 都市名: "奈良" } }]);
    const schemas = reading.tools.map((declared) => declared.schema as { properties: object });
    const keys = schemas.flatMap((sent) => Object.keys(sent.properties));
    if (wire.format === "anthropic") expect(keys[0]).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    else expect(keys).toEqual(["都市名"]);
  });
});
