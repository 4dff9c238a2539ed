/**
 * One suite of behaviour, run for each wire format against the mock: what comes back as events, and what the
 * model is really told. A format that cannot carry something says so in the test that is about it.
 */
import { describe, expect, test } from "vitest";
import type { Message, ToolResponse } from "../../src/conversation/index.ts";
import { createModel, type ModelEvent } from "../../src/providers/index.ts";
import { startMockLlm } from "../support/mock-llm.ts";
import type { Turn } from "./read-body.ts";
import { ask, CASES, contentsOf, KEY, png, tool, toolTurn, user, type WireCase } from "./wire-case.ts";

const PICTURE = png(8, 8);
const HOSTILE_NAME = "wakashu/getRanking";
const LONG_NAME = `a${"b".repeat(88)}c`;

function last(turns: readonly Turn[]): Turn | undefined {
  return turns.at(-1);
}

function result(turns: readonly Turn[]) {
  const turn = turns.find((candidate) => candidate.role === "tool");
  return turn?.role === "tool" ? turn.results[0] : undefined;
}

function errorOf(events: readonly ModelEvent[]) {
  const event = events.at(-1);
  return event?.type === "error" ? event.error : undefined;
}

describe.each(CASES)("$format", (wire: WireCase) => {
  describe("answers", () => {
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

  describe("tool calls", () => {
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

  describe("content", () => {
    test("a picture in a user turn arrives as a picture, untouched", async () => {
      const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;
      const messages: Message[] = [
        { role: "user", content: [{ type: "text", text: "what is it?" }, picture] },
      ];
      const { reading } = await ask(wire, [{ text: "grey" }], { messages });
      expect(reading.turns).toEqual([
        { role: "user", text: "what is it?", images: [{ mimeType: "image/png", data: PICTURE }], audio: [] },
      ]);
    });

    test("a picture in a tool result arrives as a picture, in the result or right after it", async () => {
      const content = [
        { type: "text", text: "the screen" },
        { type: "image", mimeType: "image/png", data: PICTURE },
      ] as const;
      const { reading, llm } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
      const image = { mimeType: "image/png", data: PICTURE };
      if (wire.format === "openai-chat") {
        expect(result(reading.turns)).toMatchObject({
          text: expect.stringContaining("the screen"),
          images: [],
        });
        expect(last(reading.turns)).toMatchObject({ role: "user", images: [image] });
        expect((last(reading.turns) as { text: string }).text).toContain("shop__find");
      } else expect(result(reading.turns)).toMatchObject({ text: "the screen", images: [image] });
      expect(llm.requests[0]?.raw.split(PICTURE).length, "sent once").toBe(2);
    });

    test("R26: a failed call with a picture says that it failed and shows the picture", async () => {
      const content = [
        { type: "text", text: "no such button" },
        { type: "image", mimeType: "image/png", data: PICTURE },
      ] as const;
      const { reading } = await ask(wire, [{ text: "ok" }], {
        messages: toolTurn({ content, isError: true }),
      });
      const failed = result(reading.turns);
      if (failed?.isError === undefined) expect(failed?.text).toContain("[the tool call failed]");
      else expect(failed.isError).toBe(true);
      const pictures = reading.turns.flatMap((turn) => {
        if (turn.role === "user") return turn.images;
        return turn.role === "tool" ? turn.results.flatMap((each) => each.images) : [];
      });
      expect(pictures).toEqual([{ mimeType: "image/png", data: PICTURE }]);
    });

    test("isError is said in the format's own way, or in words", async () => {
      const content = [{ type: "text", text: "no such file" }] as const;
      const { reading } = await ask(wire, [{ text: "ok" }], {
        messages: toolTurn({ content, isError: true }),
      });
      const words = "[the tool call failed]\nno such file";
      const expected = {
        "openai-chat": { text: words, isError: undefined },
        "openai-responses": { text: words, isError: undefined },
        anthropic: { text: "no such file", isError: true },
        google: { text: "no such file", isError: true },
      };
      expect(result(reading.turns)).toMatchObject(expected[wire.format]);
      const fine = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
      expect(result(fine.reading.turns)?.isError ?? false).toBe(false);
    });

    test("an embedded blob is a picture, a text, or a line that says what it is", async () => {
      const blob = (uri: string, mimeType: string, bytes: string) =>
        ({ type: "resource", resource: { uri, mimeType, blob: bytes } }) as const;
      const base64 = (text: string) => Buffer.from(text).toString("base64");
      const content = [
        blob("file:///p.png", "image/png", PICTURE),
        blob("file:///歌.txt", "text/plain; charset=utf-8", base64("春過ぎて")),
        blob("file:///a.zip", "application/zip", base64("PK\u0003\u0004")),
        { type: "resource", resource: { uri: "memo://1", text: "夏来にけらし" } },
      ] as const;
      const { reading } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
      const text = result(reading.turns)?.text ?? "";
      expect(text).toContain("[resource file:///歌.txt (text/plain)]\n春過ぎて");
      expect(text).toContain("[resource (application/zip, 4 bytes, file:///a.zip): not shown, it is binary]");
      expect(text).toContain("[resource memo://1 (text/plain)]\n夏来にけらし");
      const images = reading.turns.flatMap((turn) => (turn.role === "user" ? turn.images : []));
      expect([...images, ...(result(reading.turns)?.images ?? [])]).toEqual([
        { mimeType: "image/png", data: PICTURE },
      ]);
    });

    test("a resource link keeps its address, name, type and size", async () => {
      const link = {
        uri: "file:///r.pdf",
        name: "report",
        mimeType: "application/pdf",
        size: 1234,
        description: "今年",
      };
      const content = [{ type: "resource-link", link }] as const;
      const { reading } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
      expect(result(reading.turns)?.text).toBe(
        "[resource link: report, file:///r.pdf (application/pdf, 1234 bytes)] 今年",
      );
    });

    test("R25: structuredContent goes beside the content, and not twice", async () => {
      const structuredContent = { total: 2, 歌人: ["額田王", "人麻呂"] };
      const beside = toolTurn({ content: [{ type: "text", text: "two" }], structuredContent });
      const { reading } = await ask(wire, [{ text: "ok" }], { messages: beside });
      expect(result(reading.turns)?.text).toBe(`two\n${JSON.stringify(structuredContent)}`);
      const same = '{ "歌人": ["額田王", "人麻呂"], "total": 2 }';
      const twice = toolTurn({ content: [{ type: "text", text: same }], structuredContent });
      expect(result((await ask(wire, [{ text: "ok" }], { messages: twice })).reading.turns)?.text).toBe(same);
      const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;
      const withBytes = toolTurn({
        content: [picture],
        structuredContent: { screenshot: PICTURE, width: 8 },
      });
      const { llm } = await ask(wire, [{ text: "ok" }], { messages: withBytes });
      expect(llm.requests[0]?.raw.split(PICTURE).length, "sent once").toBe(2);
    });

    test("R27: what is meant for the user alone is not sent", async () => {
      const content = [
        { type: "text", text: "for you", annotations: { audience: ["user"] } },
        { type: "text", text: "for both", annotations: { audience: ["user", "assistant"] } },
      ] as const;
      const { reading, llm } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
      expect(result(reading.turns)?.text).toBe("for both");
      expect(llm.requests[0]?.raw).not.toContain("for you");
      const none = await ask(wire, [{ text: "ok" }], {
        messages: toolTurn({ content: content.slice(0, 1) }),
      });
      expect(result(none.reading.turns)?.text).toBe("[the result is shown to the user only]");
    });

    test("an empty result says that it is empty", async () => {
      const { reading } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({}) });
      expect(result(reading.turns)?.text).toBe("[the tool returned nothing]");
    });

    test("L9: a text-only model gets a marker in place of a picture", async () => {
      const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;
      const messages = [
        { role: "user", content: [picture] },
        ...toolTurn({ content: [picture] }).slice(1),
      ] as Message[];
      const choice = { limits: { images: false } };
      const { reading, llm } = await ask(wire, [{ text: "ok" }], { messages }, { choice });
      const marker = expect.stringMatching(
        /^\[image \(image\/png, \d+ bytes\): not shown, this model reads text only\]$/,
      );
      expect(reading.turns[0]).toMatchObject({ text: marker, images: [] });
      expect(result(reading.turns)).toMatchObject({ text: marker, images: [] });
      expect(llm.requests[0]?.raw).not.toContain(PICTURE);
    });

    test("audio goes where the format takes it, and is a marker elsewhere", async () => {
      const data = Buffer.from("RIFF....WAVE").toString("base64");
      const audio = { type: "audio", mimeType: "audio/x-wav", data } as const;
      const { reading } = await ask(wire, [{ text: "ok" }], {
        messages: [{ role: "user", content: [audio] }],
      });
      const turn = reading.turns[0] as Turn & { role: "user" };
      if (wire.format === "openai-chat" || wire.format === "google") expect(turn.audio).toEqual([data]);
      else
        expect(turn.text).toBe(
          "[audio (audio/wav, 12 bytes): not shown, this model does not take audio/wav]",
        );
    });

    test("P27: an HTML page that calls itself a picture is not sent as one", async () => {
      const data = Buffer.from("<html><script>alert(1)</script>").toString("base64");
      const messages: Message[] = [
        { role: "user", content: [{ type: "image", mimeType: "image/png", data }] },
      ];
      const { reading } = await ask(wire, [{ text: "ok" }], { messages });
      expect(reading.turns[0]).toMatchObject({
        text: expect.stringContaining("not shown, its bytes are not a picture"),
        images: [],
      });
    });
  });

  describe("thinking", () => {
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
  });

  describe("the prefix", () => {
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

  describe("failures", () => {
    test("N19: 429 with retry-after waits as long as the server says, then goes on", async () => {
      const busy = {
        status: 429,
        headers: { "retry-after": "7" },
        body: { error: { message: "slow down" } },
      };
      const { events, waits, llm } = await ask(wire, [busy, { text: "now" }]);
      expect(waits).toEqual([7_400]);
      expect(llm.requests.length).toBe(2);
      expect(events[0]).toMatchObject({ type: "notice", text: expect.stringContaining("slow down") });
      expect(events.at(-1)).toMatchObject({ type: "finish", reason: "end" });
    });

    test("429 that wants an hour is an error at once, with the delay", async () => {
      const busy = {
        status: 429,
        headers: { "retry-after": "3600" },
        body: { error: { message: "tomorrow" } },
      };
      const { events, llm } = await ask(wire, [busy]);
      expect(errorOf(events)).toMatchObject({ code: "rate-limit", retryAfterMs: 3_600_000 });
      expect(llm.requests.length).toBe(1);
    });

    test("500 for ever is an overload after five attempts, and one error", async () => {
      const broken = { status: 500, body: { error: { message: "internal" } } };
      const { events, llm, waits } = await ask(wire, [
        broken,
        broken,
        broken,
        broken,
        broken,
        { text: "too late" },
      ]);
      expect(llm.requests.length).toBe(5);
      expect(waits).toEqual([400, 800, 1600, 3200]);
      expect(errorOf(events)).toMatchObject({
        code: "overload",
        message: expect.stringContaining("HTTP 500"),
      });
      expect(events.filter((event) => event.type === "error").length).toBe(1);
    });

    test.each(["cut", "end"] as const)(
      "N19: a stream that is %s in the middle is asked again, and no call runs",
      async (how) => {
        const call = { name: "shop__find", arguments: { query: "long enough for several deltas" } };
        const cut = { text: "Half an", calls: [call], deltaSize: 4, stop: { after: 4, how } };
        const { events, llm } = await ask(wire, [cut, { text: "whole" }], { tools: [tool("shop__find")] });
        expect(llm.requests.length).toBe(2);
        expect(contentsOf(events)).toEqual([{ type: "text", text: "whole" }]);
      },
    );

    test("N19: a stream that is always cut is a network error, without any content", async () => {
      const cut = { text: "Half an answer", deltaSize: 4, stop: { after: 4, how: "cut" } } as const;
      const { events } = await ask(wire, [cut, cut, cut, cut, cut]);
      expect(errorOf(events)?.code).toBe("network");
      expect(contentsOf(events)).toEqual([]);
    });

    test("N19: a frame that is no JSON is asked again", async () => {
      const garbled = {
        text: "garbled",
        mangle: (frames: readonly string[]) => [frames[0] ?? "", 'data: {"a":\n\n'],
      };
      const { events, llm } = await ask(wire, [garbled, { text: "clean" }]);
      expect(llm.requests.length).toBe(2);
      expect(contentsOf(events)).toEqual([{ type: "text", text: "clean" }]);
    });

    test("a socket that closes without an answer is asked again", async () => {
      const { events, llm } = await ask(wire, [{ cut: true }, { text: "here" }]);
      expect(llm.requests.length).toBe(2);
      expect(contentsOf(events)).toEqual([{ type: "text", text: "here" }]);
    });

    test("L10: a context that is too long is recognised and not asked again", async () => {
      const words = {
        "openai-chat":
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens.",
        "openai-responses":
          "Your input exceeds the context window of this model. Please adjust your input and try again.",
        anthropic: "prompt is too long: 210000 tokens > 200000 maximum",
        google: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      };
      const error = {
        type: "invalid_request_error",
        message: words[wire.format],
        code: 400,
        status: "INVALID_ARGUMENT",
      };
      const { events, llm } = await ask(wire, [{ status: 400, body: { type: "error", error } }]);
      expect(errorOf(events)).toMatchObject({ code: "context-overflow" });
      expect(llm.requests.length).toBe(1);
    });

    test.each([
      { status: 401, message: "Incorrect API key provided", code: "auth" },
      { status: 403, message: "This key may not use this model", code: "auth" },
      { status: 402, message: "Payment required", code: "credits" },
      { status: 429, message: "You exceeded your current quota: insufficient_quota", code: "credits" },
      { status: 400, message: "Your credit balance is too low to access the API", code: "credits" },
      { status: 404, message: "There is no model of that name", code: "protocol" },
      { status: 400, message: "Invalid value for 'tools'", code: "protocol" },
      { status: 529, message: "Overloaded", code: "overload" },
    ])("$status $message is $code", async ({ status, message, code }) => {
      const failure = {
        status,
        body: { type: "error", error: { type: "some_error", message, code: status, status: "X" } },
      };
      const { events, llm } = await ask(wire, Array(5).fill(failure));
      const error = errorOf(events);
      expect(error?.code).toBe(code);
      expect(error?.message).toContain(message);
      expect(llm.requests.length).toBe(code === "overload" ? 5 : 1);
    });

    test("an error page in HTML is said in plain text", async () => {
      const page = {
        status: 404,
        body: "<html><style>x{}</style><h1>Not here</h1></html>",
        headers: { "content-type": "text/html" },
      };
      const { events } = await ask(wire, [page]);
      expect(errorOf(events)?.message).toContain("Not here");
      expect(errorOf(events)?.message).not.toContain("<h1>");
    });

    test("S11: a key never appears, even when the server repeats it", async () => {
      const echo = {
        status: 401,
        body: {
          type: "error",
          error: { type: "x", message: `bad key ${KEY} / Bearer ${KEY}`, code: 401, status: "X" },
        },
      };
      const { events } = await ask(wire, [echo]);
      const error = errorOf(events);
      expect(error?.code).toBe("auth");
      expect(
        `${error?.message} ${JSON.stringify(error)} ${error?.stack} ${String(error?.cause)}`,
      ).not.toContain(KEY);
    });

    test("a server that is not there is said in plain words, without waiting", async () => {
      const llm = await startMockLlm();
      await llm.close();
      const choice = {
        provider: wire.provider,
        model: wire.model,
        baseUrl: llm.url + wire.path,
        apiKey: KEY,
      };
      const model = await createModel(choice);
      const events: ModelEvent[] = [];
      const request = { system: "", messages: [user("q")], tools: [] };
      for await (const event of model.stream(request, { signal: new AbortController().signal }))
        events.push(event);
      expect(events.length).toBe(1);
      expect(errorOf(events)).toMatchObject({
        code: "network",
        message: expect.stringContaining("nothing listens there"),
      });
    });
  });

  describe("abort", () => {
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
});
