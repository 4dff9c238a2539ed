/** What must go back unchanged: thinking with its signature, and the bytes of the conversation so far. */
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/conversation/index.ts";
import type { Turn } from "./read-body.ts";
import { ask, CASES, contentsOf, PICTURE, tool, toolTurn, user, type WireCase } from "./wire-case.ts";

describe.each(CASES)("$format", (wire: WireCase) => {
  const thinking = "まず数えて、\n次に考える。";
  const signature = "c2lnbmF0dXJlIGJ5dGVz+/==";

  test("is streamed, kept with its signature and replayed byte-exact", async () => {
    const call = { name: "shop__find", arguments: { query: "雁" }, id: "call_1" };
    const first = await ask(wire, [{ thinking, signature, calls: [call], deltaSize: 3 }], {
      tools: [tool("shop__find")],
    });
    const deltas = first.events.flatMap((event) => (event.type === "thinking-delta" ? [event.text] : []));
    expect(deltas.join("")).toBe(thinking);
    const content = contentsOf(first.events) as Message["content"];
    expect(content[0]).toMatchObject({ type: "thinking", text: thinking });
    // A session is stored as JSON between the turns.
    const stored = JSON.parse(JSON.stringify([user("q"), { role: "assistant", content }])) as Message[];
    const messages = [...stored, ...toolTurn({ content: [{ type: "text", text: "3" }] }).slice(2)];
    const { reading } = await ask(wire, [{ text: "ok" }], { messages });
    const replayed = {
      "openai-chat": [thinking],
      "openai-responses": [
        {
          type: "reasoning",
          id: "rs_mock",
          encrypted_content: signature,
          summary: [{ type: "summary_text", text: thinking }],
        },
      ],
      anthropic: [{ type: "thinking", thinking, signature }],
      google: [
        { text: thinking, thought: true },
        {
          functionCall: { id: "call_1", name: "shop__find", args: { query: "雁" } },
          thoughtSignature: signature,
        },
      ],
    };
    expect((reading.turns[1] as Turn & { role: "assistant" }).thinking).toEqual(replayed[wire.format]);
  });

  test("is not sent to another model", async () => {
    const { events } = await ask(wire, [{ thinking, signature, text: "done" }]);
    const content = contentsOf(events) as Message["content"];
    const messages = [user("q"), { role: "assistant", content }, user("and now?")] as Message[];
    const { llm } = await ask(
      wire,
      [{ text: "ok" }],
      { messages },
      { choice: { model: `${wire.model}-other` } },
    );
    expect(llm.requests[0]?.raw).not.toContain(signature);
    expect(llm.requests[0]?.raw).not.toContain("まず数えて");
  });

  test("a growing conversation begins with the bytes of the shorter one, in every turn", async () => {
    const tools = [tool("b__two"), tool("a/one")];
    const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;
    const messages: Message[] = [];
    let before: readonly string[] = [];
    let declared = "";
    for (let turn = 0; turn < 6; turn++) {
      const id = `call_${turn}`;
      const call = { name: "b__two", arguments: { query: `q${turn}` }, id };
      messages.push(user(`question ${turn}`));
      const { events, llm, reading } = await ask(
        wire,
        [{ thinking: "hm", signature: "c2ln", text: "ok", calls: [call] }],
        {
          messages,
          tools,
        },
      );
      const after = unitsOf(wire, llm.requests[0]?.raw ?? "");
      expect(after.slice(0, before.length), `turn ${turn}`).toEqual(before);
      expect(after.length).toBeGreaterThan(before.length);
      if (turn > 0) expect(JSON.stringify(reading.tools)).toBe(declared);
      declared = JSON.stringify(reading.tools);
      before = after;
      const content = contentsOf(events) as Message["content"];
      const response = {
        type: "tool-response",
        id,
        name: "b__two",
        content: [picture],
        isError: turn % 2 === 1,
      };
      messages.push(
        { role: "assistant", content } as Message,
        { role: "tool", content: [response] } as Message,
      );
    }
    expect(declared.indexOf("b__two")).toBeLessThan(declared.indexOf("a_one"));
  });
});

/** What a provider's cache compares, piece by piece. Marks for caching move, and are no part of it. */
function unitsOf(wire: WireCase, raw: string): readonly string[] {
  const body = JSON.parse(raw.replaceAll(/,?"cache_control":\{"type":"ephemeral"\}/g, "")) as Record<
    string,
    unknown[]
  >;
  const list = {
    "openai-chat": "messages",
    "openai-responses": "input",
    anthropic: "messages",
    google: "contents",
  };
  const turns = body[list[wire.format]] ?? [];
  // Anthropic joins neighbouring user messages into one, so its pieces are the blocks.
  const pieces =
    wire.format === "anthropic" ? turns.flatMap((turn) => (turn as { content: unknown[] }).content) : turns;
  return pieces.map((piece) => JSON.stringify(piece));
}
