/** What must go back unchanged: thinking with its signature, and the bytes of the conversation so far. */
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/conversation/index.ts";
import type { Turn } from "./read-body.ts";
import { ask, CASES, contentsOf, tool, toolTurn, user, type WireCase } from "./wire-case.ts";

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

  test("stays byte-identical while the conversation grows", async () => {
    const tools = [tool("b__two"), tool("a__one")];
    const messages = toolTurn({ content: [{ type: "text", text: "x" }] });
    const shorter = await ask(wire, [{ text: "ok" }], { messages, tools });
    const longer = await ask(wire, [{ text: "ok" }], { messages: [...messages, user("more")], tools });
    // Marks for caching move with the newest message and are no part of what is compared.
    const bytes = (raw: string | undefined) =>
      (raw ?? "").replaceAll(/,?"cache_control":\{"type":"ephemeral"\}/g, "");
    const list = {
      "openai-chat": "messages",
      "openai-responses": "input",
      anthropic: "messages",
      google: "contents",
    };
    const conversation = (raw: string | undefined) => {
      const body = JSON.parse(bytes(raw)) as Record<string, unknown[]>;
      return { turns: body[list[wire.format]] ?? [], tools: JSON.stringify(body["tools"]) };
    };
    const before = conversation(shorter.llm.requests[0]?.raw);
    const after = conversation(longer.llm.requests[0]?.raw);
    expect(after.tools).toBe(before.tools);
    expect(longer.reading.tools.map((declared) => declared.name)).toEqual(["b__two", "a__one"]);
    // In Anthropic's format the new text joins the message of the result.
    const prefix = (turns: unknown[]) => JSON.stringify(turns.slice(0, before.turns.length)).slice(0, -3);
    expect(prefix(after.turns).startsWith(prefix(before.turns).slice(0, -2))).toBe(true);
  });
});
