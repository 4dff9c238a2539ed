/** Where one host or model differs from its format, and a conversation that moves from one to another. */
import { expect, test } from "vitest";
import type { Message } from "../../src/conversation/index.ts";
import type { MockFormat } from "../support/mock-llm.ts";
import type { Turn } from "./read-body.ts";
import {
  ask,
  CASES,
  contentsOf,
  errorOf,
  KEY,
  PICTURE,
  resultOf,
  tool,
  toolTurn,
  user,
  type WireCase,
} from "./wire-case.ts";

const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;

function wireOf(format: MockFormat, other: Partial<WireCase> = {}): WireCase {
  const wire = CASES.find((candidate) => candidate.format === format);
  if (wire === undefined) throw new Error(`no case for ${format}`);
  return { ...wire, ...other };
}

test("Mistral: ids of nine characters, the same for call and result, and no user message straight after a result", async () => {
  const wire = wireOf("openai-chat", { provider: "mistral" });
  const messages = [...toolTurn({ content: [picture] }), user("well?")];
  const { reading } = await ask(wire, [{ text: "ok" }], { messages });
  const [, call, results, bridge, images] = reading.turns as [Turn, ...Turn[]];
  const id = (call as Turn & { role: "assistant" }).calls[0]?.id;
  expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect((results as Turn & { role: "tool" }).results[0]?.id).toBe(id);
  expect(bridge).toMatchObject({ role: "assistant" });
  expect(images).toMatchObject({ role: "user", images: [{ data: PICTURE }] });
});

test("Groq: thinking is not sent back, because it refuses the field", async () => {
  const wire = wireOf("openai-chat", { provider: "groq" });
  const { events } = await ask(wire, [{ thinking: "hmm", text: "a" }]);
  const messages = [user("q"), { role: "assistant", content: contentsOf(events) }, user("r")] as Message[];
  const { llm } = await ask(wire, [{ text: "ok" }], { messages });
  expect(llm.requests[0]?.raw).not.toContain("reasoning");
});

test("Gemini before 3: one function response for each call, with the picture in a message after them", async () => {
  const wire = wireOf("google", { model: "gemini-2.5-flash" });
  const content = [{ type: "text", text: "one" }, { type: "text", text: "two" }, picture] as const;
  const { reading } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
  expect(resultOf(reading)).toMatchObject({ text: expect.stringContaining("one\ntwo"), images: [] });
  expect((reading.turns[2] as Turn & { role: "tool" }).results.length).toBe(1);
  expect(reading.turns[3]).toMatchObject({ role: "user", images: [{ data: PICTURE }] });
});

test("Gemini: a prompt that its filter blocked is a refusal", async () => {
  const blocked =
    'data: {"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":3}}\n\n';
  const { events, llm } = await ask(wireOf("google"), [{ mangle: () => [blocked] }]);
  expect(events.at(-1)).toMatchObject({ type: "finish", reason: "refused" });
  expect(llm.requests.length).toBe(1);
});

test("Gemini: its own way of saying when to come back is understood", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "13.5s" }];
  const error = { code: 429, message: "Resource has been exhausted", status: "RESOURCE_EXHAUSTED", details };
  const { waits } = await ask(wireOf("google"), [{ status: 429, body: { error } }, { text: "ok" }]);
  expect(waits).toEqual([13_900]);
});

test("Anthropic: at most four marks for caching, on tools, system prompt, newest message and the newest before", async () => {
  const messages = [user("1"), ...toolTurn({ content: [{ type: "text", text: "x" }] })];
  const tools = [tool("a"), tool("b")];
  const { llm } = await ask(wireOf("anthropic"), [{ text: "ok" }], { messages, tools });
  const body = llm.requests[0]?.body as Record<
    string,
    { cache_control?: unknown; content: { cache_control?: unknown }[] }[]
  >;
  const marks = (llm.requests[0]?.raw.match(/"cache_control"/g) ?? []).length;
  expect(marks).toBe(4);
  expect(body["tools"]?.map((declared) => declared.cache_control !== undefined)).toEqual([false, true]);
  expect(body["system"]?.at(-1)?.cache_control).toEqual({ type: "ephemeral" });
  const marked = body["messages"]?.map((message) => message.content.at(-1)?.cache_control !== undefined);
  expect(marked).toEqual([true, false, true]);
});

test("Anthropic: an error in the middle of a stream is judged by its kind", async () => {
  const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const frame = `event: error\ndata: ${JSON.stringify(error)}\n\n`;
  const broken = { text: "half", mangle: (frames: readonly string[]) => [...frames.slice(0, 4), frame] };
  const { events, llm } = await ask(wireOf("anthropic"), [broken, { text: "whole" }]);
  expect(llm.requests.length).toBe(2);
  expect(contentsOf(events)).toEqual([{ type: "text", text: "whole" }]);
  const always = await ask(wireOf("anthropic"), Array(5).fill(broken));
  expect(errorOf(always.events)?.code).toBe("overload");
});

test("OpenAI: a response that failed for its length is an overflow, not something to try again", async () => {
  const error = {
    code: "context_length_exceeded",
    message: "Your input exceeds the context window of this model.",
  };
  const failed = {
    type: "response.failed",
    sequence_number: 2,
    response: { id: "r", status: "failed", error },
  };
  const frame = `event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`;
  const { events, llm } = await ask(wireOf("openai-responses"), [
    { mangle: (frames) => [...frames.slice(0, 2), frame] },
  ]);
  expect(errorOf(events)?.code).toBe("context-overflow");
  expect(llm.requests.length).toBe(1);
});

test("an OpenAI-compatible server without a key gets no authorization, and own headers are sent", async () => {
  const choice = { apiKey: "", headers: { "x-team": "kari-team-secret" } };
  const { llm } = await ask(wireOf("openai-chat"), [{ text: "ok" }], {}, { choice });
  expect(llm.requests[0]?.headers.authorization).toBeUndefined();
  expect(llm.requests[0]?.headers["x-team"]).toBe("kari-team-secret");
  const echo = { status: 400, body: { error: { message: "bad header kari-team-secret" } } };
  const { events } = await ask(wireOf("openai-chat"), [echo], {}, { choice });
  expect(errorOf(events)?.message).toContain("bad header [redacted]");
});

test("OpenAI is told which schemas are strict, and which are not; nobody else is", async () => {
  const strict = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  const tools = [tool("strict", strict), tool("loose")];
  const sent = async (format: MockFormat) =>
    (await ask(wireOf(format), [{ text: "ok" }], { tools })).llm.requests[0];
  const { tools: declared } = { tools: [], ...(await sent("openai-responses"))?.body };
  expect((declared as { strict?: boolean }[]).map((each) => each.strict)).toEqual([true, false]);
  for (const format of ["openai-chat", "anthropic", "google"] as const)
    expect((await sent(format))?.raw).not.toContain('"strict":');
});

test("Azure speaks responses under its own path", async () => {
  const wire = wireOf("openai-responses", { provider: "azure", path: "" });
  const { llm } = await ask(wire, [{ text: "ok" }]);
  expect(llm.requests[0]?.path).toBe("/openai/v1/responses");
  expect(llm.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test("effort is passed on in each format's own way", async () => {
  const sent = async (format: MockFormat) =>
    (await ask(wireOf(format), [{ text: "ok" }], {}, { choice: { effort: "low" } })).llm.requests[0]?.body;
  expect(await sent("openai-chat")).toMatchObject({ reasoning_effort: "low" });
  expect(await sent("openai-responses")).toMatchObject({ reasoning: { effort: "low" } });
  expect(JSON.stringify(await sent("anthropic"))).toContain('"effort":"low"');
  expect(await sent("google")).toMatchObject({
    generationConfig: { thinkingConfig: { thinkingLevel: "low", includeThoughts: true } },
  });
});

test.each(CASES)("a conversation that began elsewhere is understood by $format", async (wire) => {
  for (const origin of CASES) {
    const call = { name: "wakashu/getRanking", arguments: { 都市名: "奈良" }, id: "functions.x:0|雁" };
    const answer = { thinking: "hm", signature: "c2ln", text: "Wait.", calls: [call] };
    const tools = [tool("wakashu/getRanking")];
    const first = await ask(origin, [answer], { tools });
    const content = contentsOf(first.events) as Message["content"];
    const request = content.find((block) => block.type === "tool-request") as { id: string; name: string };
    const response = {
      type: "tool-response",
      id: request.id,
      name: request.name,
      content: [picture],
      isError: false,
    };
    const messages = [
      user("q"),
      { role: "assistant", content },
      { role: "tool", content: [response] },
    ] as Message[];
    const { events, reading } = await ask(wire, [{ text: "ok" }], { messages, tools });
    expect(events.at(-1), `from ${origin.format}`).toMatchObject({ type: "finish" });
    const asked = reading.turns[1] as Turn & { role: "assistant" };
    expect(asked.calls[0]?.id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(resultOf(reading)?.id).toBe(asked.calls[0]?.id);
  }
});
