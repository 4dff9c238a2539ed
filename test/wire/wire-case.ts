/** The four formats and how the suite talks to each: a mock, a model on it, and what came of a question. */
import { deflateSync } from "node:zlib";
import type { Message, ToolDefinition, ToolResponse } from "../../src/conversation/index.ts";
import {
  createModel,
  type ModelError,
  type ModelEvent,
  type ModelRequest,
  type ProviderChoice,
} from "../../src/providers/index.ts";
import { type MockFormat, type MockLlm, type MockScript, startMockLlm } from "../support/mock-llm.ts";
import { type Reading, type Result, readBody } from "./read-body.ts";

export interface WireCase {
  readonly format: MockFormat;
  readonly provider: string;
  readonly model: string;
  readonly path: string;
}

export const CASES: readonly WireCase[] = [
  { format: "openai-chat", provider: "openai-compatible", model: "some-model", path: "/v1" },
  { format: "openai-responses", provider: "openai", model: "gpt-5.5", path: "/v1" },
  { format: "anthropic", provider: "anthropic", model: "claude-sonnet-5-5", path: "/v1" },
  { format: "google", provider: "google", model: "gemini-3.5-flash", path: "/v1beta" },
];

export const KEY = "canary-key-0123456789abcdef";

export interface Asked {
  readonly events: readonly ModelEvent[];
  readonly llm: MockLlm;
  /** How long it would have waited before each new attempt. */
  readonly waits: readonly number[];
  /** What the model was told in its last request. */
  readonly reading: Reading;
}

export async function ask(
  wire: WireCase,
  steps: MockScript,
  request: Partial<ModelRequest> = {},
  options: { readonly signal?: AbortSignal; readonly choice?: Partial<ProviderChoice> } = {},
): Promise<Asked> {
  const llm = await startMockLlm({ steps });
  try {
    const waits: number[] = [];
    const retry = { attempts: 5, random: () => 1, sleep: async (ms: number) => void waits.push(ms) };
    const { provider, model } = wire;
    const choice = { provider, model, baseUrl: `${llm.url}${wire.path}`, apiKey: KEY, ...options.choice };
    const asked = await createModel(choice, { retry });
    const events: ModelEvent[] = [];
    const whole = { system: "You are Kari.", messages: [user("hello")], tools: [], ...request };
    const signal = options.signal ?? AbortSignal.timeout(30_000);
    for await (const event of asked.stream(whole, { signal })) events.push(event);
    const last = llm.requests.at(-1);
    const reading = last === undefined ? { system: "", tools: [], turns: [] } : readBody(last);
    return { events, llm, waits, reading };
  } finally {
    await llm.close();
  }
}

export function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

/** A call and its result, as the history holds them. */
export function toolTurn(response: Partial<ToolResponse>, name = "shop__find"): Message[] {
  const id = "call_1";
  return [
    user("find it"),
    { role: "assistant", content: [{ type: "tool-request", id, name, arguments: { query: "雁" } }] },
    {
      role: "tool",
      content: [{ type: "tool-response", id, name, content: [], isError: false, ...response }],
    },
  ];
}

export function tool(name: string, inputSchema: ToolDefinition["inputSchema"] = QUERY): ToolDefinition {
  return { name, description: `does ${name}`, inputSchema, extension: "shop", toolName: name };
}

const QUERY = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };

/** What an answer said, without the deltas. */
export function contentsOf(events: readonly ModelEvent[]): readonly unknown[] {
  return events.flatMap((event) => (event.type === "content" ? [event.content] : []));
}

export function errorOf(events: readonly ModelEvent[]): ModelError | undefined {
  const event = events.at(-1);
  return event?.type === "error" ? event.error : undefined;
}

/** The first tool result that the model was told. */
export function resultOf({ turns }: Reading): Result | undefined {
  const turn = turns.find((candidate) => candidate.role === "tool");
  return turn?.role === "tool" ? turn.results[0] : undefined;
}

/** A real PNG, grey, made here: nothing is downloaded and no package is trusted for it. */
export function png(width: number, height: number): string {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc32(body), body.length + 4);
    return frame;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]).toString("base64");
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

export const PICTURE = png(8, 8);
