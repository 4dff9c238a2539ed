/**
 * A mock LLM on loopback that speaks the real streaming wire formats: OpenAI chat completions and responses,
 * Anthropic messages, Gemini. Each request takes the next step of the script and is recorded whole.
 * A request beyond the script gets a 500 that says so: a test that asks too often should fail.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/conversation/index.ts";
import type { FrameContext, MockAnswer } from "./mock-llm/answer.ts";
import { anthropicFrames } from "./mock-llm/anthropic.ts";
import { chatFrames } from "./mock-llm/chat.ts";
import { googleFrames } from "./mock-llm/google.ts";
import { responsesFrames } from "./mock-llm/responses.ts";

export type { MockAnswer, MockCall } from "./mock-llm/answer.ts";

export type MockFormat = "openai-chat" | "openai-responses" | "anthropic" | "google";

/** An error answer. `body` is sent as JSON unless it is a string. */
export interface MockFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** `hang`: the request is taken and never answered. `cut`: the socket is closed without an answer. */
export type MockStep = MockAnswer | MockFailure | { readonly hang: true } | { readonly cut: true };
export type MockScript = readonly (MockStep | ((request: MockRequest) => MockStep))[];

export interface MockRequest {
  readonly method: string;
  readonly path: string;
  readonly format: MockFormat | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  /** As it came, for comparing prefixes byte by byte. */
  readonly raw: string;
}

export interface MockLlm {
  /** `http://127.0.0.1:port`; the formats live under `/v1` and `/v1beta`. */
  readonly url: string;
  /** What has been asked of a model so far; lists of models and the like are not counted. */
  readonly requests: readonly MockRequest[];
  /** Replaces the rest of the script. */
  script(steps: MockScript): void;
  /** Resolves when the number of requests has been reached. */
  received(count: number): Promise<void>;
  /** Resolves when a client has gone away from an answer that was not finished. */
  readonly disconnected: Promise<void>;
  close(): Promise<void>;
}

export interface MockOptions {
  readonly steps?: MockScript;
  /** What `GET /v1/models` and Ollama's `GET /api/tags` list. */
  readonly models?: readonly string[];
}

export async function startMockLlm(options: MockOptions = {}): Promise<MockLlm> {
  let rest = [...(options.steps ?? [])];
  const requests: MockRequest[] = [];
  const waiting: { readonly count: number; resolve(): void }[] = [];
  const gone = Promise.withResolvers<void>();

  const server = createServer((incoming, response) => {
    response.on("close", () => {
      if (!response.writableFinished) gone.resolve();
    });
    read(incoming).then((request) => {
      if (request.format === undefined)
        return answerOther(request, response, options.models ?? ["mock-model"]);
      requests.push(request);
      for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve();
      const next = rest.shift();
      const step = typeof next === "function" ? next(request) : next;
      play(step, request, request.format, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    script: (steps) => {
      rest = [...steps];
    },
    received: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    disconnected: gone.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(incoming: IncomingMessage): Promise<MockRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks).toString("utf8");
  const path = incoming.url ?? "/";
  return {
    method: incoming.method ?? "GET",
    path,
    format: incoming.method === "POST" ? formatOf(path) : undefined,
    headers: incoming.headers,
    body: raw === "" ? {} : (JSON.parse(raw) as JsonObject),
    raw,
  };
}

function formatOf(path: string): MockFormat | undefined {
  if (/\/chat\/completions(\?|$)/.test(path)) return "openai-chat";
  if (/\/responses(\?|$)/.test(path)) return "openai-responses";
  if (/\/messages(\?|$)/.test(path)) return "anthropic";
  if (/:streamGenerateContent(\?|$)/.test(path)) return "google";
  return undefined;
}

function answerOther(request: MockRequest, response: ServerResponse, models: readonly string[]): void {
  if (/\/v1\/models$/.test(request.path))
    return sendJson(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
  if (/\/api\/tags$/.test(request.path))
    return sendJson(response, 200, { models: models.map((name) => ({ name, model: name })) });
  sendJson(response, 404, { error: { message: `the mock does not know ${request.method} ${request.path}` } });
}

function play(
  step: MockStep | undefined,
  request: MockRequest,
  format: MockFormat,
  response: ServerResponse,
): void {
  if (step === undefined)
    return sendJson(response, 500, { error: { message: "the script of the mock LLM is over" } });
  if ("hang" in step) return;
  if ("cut" in step) return void response.socket?.destroy();
  if ("status" in step)
    return sendJson(response, step.status, step.body ?? { error: { message: "mock" } }, step.headers);
  const frames = FRAMES[format](step, { model: modelOf(request) });
  stream(response, step.mangle?.(frames) ?? frames, step);
}

const FRAMES: Readonly<Record<MockFormat, (answer: MockAnswer, context: FrameContext) => readonly string[]>> =
  {
    "openai-chat": chatFrames,
    "openai-responses": responsesFrames,
    anthropic: anthropicFrames,
    google: googleFrames,
  };

function modelOf({ body, path }: MockRequest): string {
  return typeof body["model"] === "string"
    ? body["model"]
    : (/models\/([^:/]+):/.exec(path)?.[1] ?? "mock-model");
}

function stream(response: ServerResponse, frames: readonly string[], answer: MockAnswer): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const { stop } = answer;
  const sent = Buffer.from(frames.slice(0, stop?.after ?? frames.length).join(""), "utf8");
  const size = answer.chunkBytes ?? sent.length;
  let offset = 0;
  // One write after another, each flushed: the client sees the odd boundaries that the script asked for.
  const next = () => {
    if (response.destroyed) return;
    if (offset < sent.length) {
      response.write(sent.subarray(offset, offset + size), () => setImmediate(next));
      offset += size;
    } else if (stop?.how === "cut") response.socket?.destroy();
    else if (stop?.how !== "hang") response.end();
  };
  next();
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
}
