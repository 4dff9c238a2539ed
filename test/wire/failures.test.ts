/** Failures in each wire format: their kinds, when the question is asked again, and that no key is ever told. */
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/conversation/index.ts";
import { createModel, type ModelEvent } from "../../src/providers/index.ts";
import { startMockLlm } from "../support/mock-llm.ts";
import { ask, CASES, contentsOf, errorOf, KEY, PICTURE, tool, user, type WireCase } from "./wire-case.ts";

describe.each(CASES)("$format", (wire: WireCase) => {
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
      const cut = { text: "Half an", calls: [call], deltaSize: 4, stop: { after: 3, how } };
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

  test("N19: frames that come twice never make a call run twice", async () => {
    const call = { name: "shop__find", arguments: { query: "a" }, id: "call_1" };
    const twice = (frames: readonly string[]) =>
      frames.flatMap((frame) => (/find|query/.test(frame) ? [frame, frame] : [frame]));
    const { events } = await ask(wire, [{ calls: [call], mangle: twice }], { tools: [tool("shop__find")] });
    const requests = contentsOf(events) as { invalid?: object }[];
    expect(requests.filter((request) => request.invalid === undefined).length).toBeLessThanOrEqual(1);
    expect(events.at(-1)).toMatchObject({ type: "finish" });
  });

  test("two calls under one id stay two, each with an id of its own", async () => {
    const call = { name: "shop__find", arguments: { query: "a" }, id: "call_1" };
    const other = { ...call, arguments: { query: "b" } };
    const { events } = await ask(wire, [{ calls: [call, other] }], { tools: [tool("shop__find")] });
    const requests = contentsOf(events) as { id: string; arguments: object }[];
    expect(requests.map((request) => request.arguments)).toEqual([{ query: "a" }, { query: "b" }]);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(2);
  });

  test("a picture that the provider refuses does not block the conversation", async () => {
    const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;
    const refuse = ({ raw }: { raw: string }) =>
      raw.includes(PICTURE)
        ? {
            status: 400,
            body: {
              type: "error",
              error: { type: "x", message: "Could not process image", code: 400, status: "X" },
            },
          }
        : { text: "without it, then" };
    const messages: Message[] = [{ role: "user", content: [picture] }];
    const { events, reading, llm } = await ask(wire, [refuse, refuse], { messages });
    expect(events[0]).toMatchObject({
      type: "notice",
      text: expect.stringContaining("Could not process image"),
    });
    expect(contentsOf(events)).toEqual([{ type: "text", text: "without it, then" }]);
    expect(reading.turns[0]).toMatchObject({
      text: expect.stringContaining("not shown, the provider refused it"),
    });
    expect(llm.requests.length).toBe(2);
    const always = {
      status: 400,
      body: { type: "error", error: { type: "x", message: "image tool broken", code: 400, status: "X" } },
    };
    const failed = await ask(wire, [always, always, { text: "no" }], { messages });
    expect(errorOf(failed.events)?.code).toBe("protocol");
  });
});
