import { describe, expect, test } from "vitest";
import { ModelError, type ModelErrorCode } from "../model.ts";
import { redact } from "../redact.ts";
import { RETRY, retryDelayMs } from "../retry.ts";
import { judge } from "./error.ts";
import { serverDelayMs } from "./server-delay.ts";

const idle = new AbortController().signal;

function apiError(statusCode: number | undefined, message: string, responseBody = "") {
  return Object.assign(new Error(message), { statusCode, responseBody, responseHeaders: {} });
}

function codeOf(thrown: unknown): ModelErrorCode {
  return judge(thrown, { id: "x/y", signal: idle, secrets: [] }).error.code;
}

describe("a context that is too long, in the words of each provider", () => {
  test.each([
    [400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"],
    [400, "Error: context_length_exceeded"],
    [400, "Your input exceeds the context window of this model. Please adjust your input and try again."],
    [400, "prompt is too long: 213462 tokens > 200000 maximum"],
    [400, "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"],
    [413, "Request exceeds the maximum size"],
    [400, "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."],
    [
      400,
      "the request exceeds the available context size. try increasing the context size or enable context shift",
    ],
    [500, "exceed_context_size_error"],
    [400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    [400, "Please reduce the length of the messages or completion."],
    [400, "Trying to keep the first 9000 tokens when context the overflows."],
    [422, "`inputs` tokens + `max_new_tokens` must be <= 8193"],
    [
      400,
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    ],
    [400, "Your request exceeded model token limit: 131072"],
  ])("%i %s", (status, message) => {
    expect(codeOf(apiError(status, message))).toBe("context-overflow");
  });

  test.each([
    [
      413,
      "Request too large for model on tokens per minute (TPM): Limit 8000, Requested 9000. rate_limit_exceeded",
      "rate-limit",
    ],
    [429, "Rate limit reached for gpt-5.5 on tokens per min (TPM): Limit 30000", "rate-limit"],
    [400, "max_tokens must be at most 4096", "protocol"],
    [500, "The server had an error while processing your request", "overload"],
    [403, "Your request was blocked by the content policy", "refused"],
    [400, "API key not valid. Please pass a valid API key.", "auth"],
    [403, "This account has insufficient credits", "credits"],
  ] as const)("and not: %i %s is %s", (status, message, code) => {
    expect(codeOf(apiError(status, message))).toBe(code);
  });
});

describe("a failure without an HTTP status", () => {
  const caused = (code: string) =>
    Object.assign(new Error("failed"), { cause: Object.assign(new Error(code), { code }) });

  test.each([
    ["ECONNRESET", true],
    ["ETIMEDOUT", true],
    ["EAI_AGAIN", true],
    ["ECONNREFUSED", false],
    ["ENOTFOUND", false],
    ["CERT_HAS_EXPIRED", false],
  ])("%s is the network, worth asking again: %s", (code, transient) => {
    const judged = judge(caused(code), { id: "x/y", signal: idle, secrets: [] });
    expect([judged.error.code, judged.transient]).toEqual(["network", transient]);
  });

  test.each([
    [{ type: "overloaded_error", message: "Overloaded" }, "overload"],
    [{ error: { type: "rate_limit_error", message: "slow" } }, "rate-limit"],
    [{ message: "server_error" }, "overload"],
    ["just words", "protocol"],
    [undefined, "protocol"],
    [null, "protocol"],
    [{}, "protocol"],
  ] as const)("%j is %s", (thrown, code) => {
    expect(codeOf(thrown)).toBe(code);
  });

  test("a key with a character that no header may hold is a bad key", () => {
    const thrown = Object.assign(new TypeError('Invalid character in header content ["authorization"]'), {
      code: "ERR_INVALID_CHAR",
    });
    const judged = judge(thrown, { id: "x/y", signal: idle, secrets: [] });
    expect([judged.error.code, judged.transient]).toEqual(["auth", false]);
  });

  test("our own signal makes anything a cancellation", () => {
    const judged = judge(new Error("x"), { id: "x/y", signal: AbortSignal.abort(), secrets: [] });
    expect([judged.error.code, judged.transient]).toEqual(["cancelled", false]);
  });
});

describe("the message", () => {
  test("says the model, the status, the provider's words and what to do", () => {
    const { error } = judge(apiError(401, "Incorrect API key"), {
      id: "openai/gpt",
      signal: idle,
      secrets: [],
    });
    expect(error).toBeInstanceOf(ModelError);
    expect(error.message).toBe(
      "openai/gpt: HTTP 401: Incorrect API key. Check the API key, and whether it may use this model.",
    );
  });

  test("S11: keys are taken out, known ones and what looks like one; the cause is not kept", () => {
    const secret = "my own odd secret";
    const text = `bad ${secret} sk-proj-abcdefghijklmnop1234 AIzaSyA1234567890abcdefghijklm Bearer abcdef123456`;
    const { error } = judge(apiError(400, text), { id: "a/b", signal: idle, secrets: [secret] });
    expect(error.message).toBe("a/b: HTTP 400: bad [redacted] [redacted] [redacted] Bearer [redacted].");
    expect(error.cause).toBeUndefined();
    expect(redact("nothing to hide: key-value-separator", [])).toBe("nothing to hide: key-value-separator");
  });

  test("is cut when a server writes a novel", () => {
    const { error } = judge(apiError(400, "x".repeat(100_000)), { id: "a/b", signal: idle, secrets: [] });
    expect(error.message.length).toBeLessThan(1_200);
  });
});

describe("when to ask again", () => {
  const failure = (headers: Record<string, string>, body = "") => ({
    message: "",
    status: 429,
    headers,
    body,
    codes: [],
  });

  test("the server's own delay is read in every form", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(serverDelayMs(failure({ "retry-after-ms": "1500", "retry-after": "9" }))).toBe(1500);
    expect(serverDelayMs(failure({ "retry-after": "2.5" }))).toBe(2500);
    expect(serverDelayMs(failure({ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }), now)).toBe(30_000);
    expect(serverDelayMs(failure({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }), now)).toBe(0);
    expect(serverDelayMs(failure({}, '{"details":[{"retryDelay": "7.25s"}]}'))).toBe(7250);
    expect(serverDelayMs(failure({ "retry-after": "soon" }))).toBeUndefined();
    expect(serverDelayMs(failure({}))).toBeUndefined();
  });

  test("delays double, have jitter and a ceiling, and end", () => {
    const low = { ...RETRY, attempts: 9, random: () => 0 };
    const high = { ...RETRY, attempts: 9, random: () => 1 };
    const delays = (rules: typeof low) =>
      Array.from({ length: 9 }, (_, index) => retryDelayMs(index + 1, undefined, rules));
    expect(delays(low)).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000, undefined]);
    expect(delays(high)).toEqual([400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000, undefined]);
  });

  test("a server is never asked before its own time, and not waited for longer than a minute and a half", () => {
    const rules = { ...RETRY, random: () => 0.5 };
    expect(retryDelayMs(1, 60_000, rules)).toBe(60_200);
    expect(retryDelayMs(1, 91_000, rules)).toBeUndefined();
  });

  test("a sleep ends with the signal, without an error", async () => {
    const abort = new AbortController();
    const sleeping = RETRY.sleep(600_000, abort.signal);
    abort.abort();
    await sleeping;
  });
});
