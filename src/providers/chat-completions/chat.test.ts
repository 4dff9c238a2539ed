/**
 * Ours beside the package for the same format: for one conversation both send the same body, and from one stream of
 * bytes both read the same parts.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { toChatBody } from "./body.ts";
import { readChat } from "./read-chat.ts";

const HOST = "somehost";
const QUESTION: LanguageModelV4CallOptions = {
  prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
};

/** What the package sends, and what it makes of an answer. */
async function packaged(call: LanguageModelV4CallOptions, answer: string) {
  let body: unknown;
  const provider = createOpenAICompatible({
    name: HOST,
    baseURL: "http://127.0.0.1/v1",
    includeUsage: true,
    fetch: async (_url, init) => {
      body = JSON.parse(String(init?.body));
      return new Response(answer, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const { stream } = await provider.chatModel("m").doStream(call);
  return { body, parts: await collect(stream) };
}

async function collect(stream: AsyncIterable<LanguageModelV4StreamPart>): Promise<unknown[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  try {
    for await (const part of stream) {
      parts.push(part);
      if (part.type === "error") break;
    }
  } catch {
    parts.push({ type: "error", error: "" });
  }
  return parts.flatMap(comparable);
}

/** Without names of blocks, announcements, and what only informs. A failure is a failure, whatever its words. */
function comparable(part: LanguageModelV4StreamPart): unknown[] {
  switch (part.type) {
    case "stream-start":
    case "response-metadata":
      return [];
    case "error":
      return ["error"];
    case "finish": {
      const { inputTokens, outputTokens } = part.usage;
      return [
        {
          reason: part.finishReason,
          input: inputTokens.total ?? 0,
          output: outputTokens.total ?? 0,
          cached: inputTokens.cacheRead ?? 0,
        },
      ];
    }
    case "tool-call": {
      const { toolName, input, providerMetadata } = part;
      return [{ toolName, input, ...(providerMetadata && { providerMetadata }) }];
    }
    default:
      return [{ type: part.type, ...("delta" in part && { delta: part.delta }) }];
  }
}

describe("the body of a request", () => {
  const schema = { type: "object", properties: { city: { type: "string" } } } as const;
  const file = (mediaType: string) =>
    ({ type: "file", mediaType, data: { type: "data", data: "AAAA" } }) as const;

  test("is what the package sends", async () => {
    const call: LanguageModelV4CallOptions = {
      maxOutputTokens: 100,
      reasoning: "low",
      tools: [
        { type: "function", name: "a__b", description: "d", inputSchema: schema },
        { type: "function", name: "strict", inputSchema: schema, strict: true },
      ],
      prompt: [
        { role: "system", content: "You are 雁." },
        { role: "user", content: [{ type: "text", text: "one" }] },
        {
          role: "user",
          content: [{ type: "text", text: "a" }, file("image/png"), file("audio/wav"), file("audio/mpeg")],
        },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "hm" },
            { type: "text", text: "I look" },
            { type: "text", text: " it up." },
            {
              type: "tool-call",
              toolCallId: "c1",
              toolName: "a__b",
              input: { city: "奈良" },
              providerOptions: { [HOST]: { thoughtSignature: "sig" } },
            },
            { type: "tool-call", toolCallId: "c2", toolName: "strict", input: {} },
          ],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "c1",
              toolName: "a__b",
              output: { type: "text", value: "晴れ" },
            },
            {
              type: "tool-result",
              toolCallId: "c2",
              toolName: "strict",
              output: { type: "error-text", value: "no" },
            },
          ],
        },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "c3", toolName: "a__b", input: {} }],
        },
        { role: "assistant", content: [{ type: "text", text: "done" }] },
      ],
    };
    const { body } = await packaged(call, "");
    expect(JSON.parse(JSON.stringify(toChatBody(call, { host: HOST, model: "m" })))).toEqual(body);
  });

  test("without tools has no list of them", async () => {
    const { body } = await packaged({ ...QUESTION, tools: [] }, "");
    expect(
      JSON.parse(JSON.stringify(toChatBody({ ...QUESTION, tools: [] }, { host: HOST, model: "m" }))),
    ).toEqual(body);
  });
});

const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (parts: object) => choice({ tool_calls: [parts] });
const stop = choice({}, "stop");
const ended = choice({}, "tool_calls");

describe("an answer is read as the package reads it", () => {
  test.each<[string, readonly unknown[]]>([
    [
      "text",
      [
        choice({ role: "assistant", content: "" }),
        choice({ content: "Hel" }),
        choice({ content: "lo 雁" }),
        stop,
      ],
    ],
    ["thinking, then text", [choice({ reasoning_content: "hm" }), choice({ content: "Yes" }), stop]],
    ["thinking under its other name", [choice({ reasoning: "hm" }), choice({ content: "Yes" }), stop]],
    [
      "text and thinking in turns",
      [choice({ content: "a" }), choice({ reasoning: "b" }), choice({ content: "c" }), stop],
    ],
    [
      "Mistral's lists",
      [
        choice({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
        choice({
          content: [
            { type: "text", text: "Yes" },
            { type: "reference", ids: [1] },
          ],
        }),
        stop,
      ],
    ],
    ["a refusal", [choice({ refusal: "I cannot" }), stop]],
    ["the limit", [choice({ content: "a" }), choice({}, "length")]],
    ["a filter", [choice({}, "content_filter")]],
    ["a reason of its own", [choice({ content: "a" }), choice({}, "eos")]],
    [
      "usage at the end",
      [
        choice({ content: "a" }),
        stop,
        {
          choices: [],
          usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 5 } },
        },
      ],
    ],
    [
      "a call in one piece",
      [call({ index: 0, id: "c", function: { name: "f", arguments: '{"a":1}' } }), ended],
    ],
    [
      "a call in pieces",
      [
        call({ index: 0, id: "c", function: { name: "f", arguments: "" } }),
        call({ index: 0, function: { arguments: '{"a"' } }),
        call({ index: 0, function: { arguments: ":1}" } }),
        ended,
      ],
    ],
    [
      "two calls, mixed",
      [
        call({ index: 0, id: "c", function: { name: "f", arguments: '{"a":' } }),
        call({ index: 1, id: "d", function: { name: "g", arguments: "{" } }),
        call({ index: 0, function: { arguments: "1}" } }),
        call({ index: 1, function: { arguments: "}" } }),
        ended,
      ],
    ],
    [
      "a name that comes last",
      [
        call({ index: 0, id: "c", function: { arguments: '{"a"' } }),
        call({ index: 0, function: { arguments: ":1}" } }),
        call({ index: 0, function: { name: "f" } }),
        ended,
      ],
    ],
    ["a call without index", [call({ id: "c", function: { name: "f", arguments: "{}" } }), ended]],
    ["a call without id", [call({ index: 0, function: { name: "f", arguments: "{}" } }), ended]],
    [
      "two calls under one index",
      [
        call({ index: 0, id: "c", function: { name: "f", arguments: '{"a":1}' } }),
        call({ index: 0, id: "d", function: { name: "f", arguments: '{"a":2}' } }),
        ended,
      ],
    ],
    ["a call that says stop", [call({ index: 0, id: "c", function: { name: "f", arguments: "{}" } }), stop]],
    ["a call without a name", [call({ index: 0, id: "c", function: { arguments: "{}" } }), ended]],
    [
      "a signature with a call",
      [
        call({
          index: 0,
          id: "c",
          function: { name: "f", arguments: "{}" },
          extra_content: { google: { thought_signature: "s" } },
        }),
        ended,
      ],
    ],
    ["no reason at the end", [choice({ content: "a" })]],
    ["nothing at all", []],
    ["an error in the middle", [choice({ content: "a" }), { error: { message: "overloaded", code: 529 } }]],
    ["an event that is no JSON", [choice({ content: "a" }), "{broken"]],
    ["a comment and an unknown field", [choice({ content: "a", odd: 1 }), { choices: [], odd: 2 }, stop]],
  ])("%s", async (_name, events) => {
    const text = (event: unknown) => (typeof event === "string" ? event : JSON.stringify(event));
    const bytes = Buffer.from(
      `: hello\n\n${events.map((event) => `data: ${text(event)}\n\n`).join("")}data: [DONE]\n\n`,
    );
    const { parts } = await packaged(QUESTION, bytes.toString("utf8"));
    for (const size of [bytes.length, 7, 1])
      expect(await collect(readChat(inPieces(bytes, size), HOST))).toEqual(parts);
  });
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
