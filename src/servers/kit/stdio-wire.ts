/**
 * The lines of a stdio connection: one JSON-RPC message each, whatever arrives. A line that is no message is
 * answered as such and costs nothing else. It knows which requests are unanswered, so that a client which sends
 * its questions and closes its end still gets the answers; what they mean is not its business.
 */
import type { Readable, Writable } from "node:stream";
import {
  type JSONRPCMessage,
  type Transport,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import { LineFramer } from "../../lib/line-framer.ts";
import { PROTOCOL_VERSION_KEY, SUPPORTED_MODERN_REVISIONS } from "./revisions.ts";

export interface WireStreams {
  readonly input: Readable;
  readonly output: Pick<Writable, "write" | "on">;
  readonly maxMessageBytes?: number;
}

export interface WireEvents {
  /** Every message that came in, before it is handled. */
  received(method: string | undefined): void;
  /** The client is gone, and what it had asked was answered or given up. */
  ended(): void;
}

type MessageId = string | number;

const MAX_MESSAGE_BYTES = 80 * 1024 * 1024;
/** How long requests in flight may still take once the client has closed its end. */
const LAST_ANSWERS_MS = 1000;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: WireStreams;
  readonly #events: WireEvents;
  readonly #unanswered = new Set<MessageId>();
  #inputEnded = false;
  #lastAnswers: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(streams: WireStreams, events: WireEvents) {
    this.#streams = streams;
    this.#events = events;
  }

  async start(): Promise<void> {
    const { input, output, maxMessageBytes = MAX_MESSAGE_BYTES } = this.#streams;
    const framer = new LineFramer({
      maxLineBytes: maxMessageBytes,
      onLine: (line) => this.#receive(line),
      onOversize: ({ head }, bytes) =>
        this.#reject(
          INVALID_REQUEST,
          `A message of ${bytes} bytes is over the limit of ${maxMessageBytes}`,
          idInHead(head),
        ),
    });
    input.on("data", (chunk: Buffer) => framer.push(chunk));
    input.on("end", () => {
      framer.end();
      this.#endInput();
    });
    input.on("error", () => this.#end());
    output.on("error", () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    this.#write(message);
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#streams.input.pause();
    this.onclose?.();
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#reject(PARSE_ERROR, "The line is not JSON");
    }
    const fault = faultOf(message);
    if (fault !== undefined) return this.#reject(INVALID_REQUEST, fault, idOf(message));
    this.#deliver(message as IncomingMessage);
  }

  #deliver(message: IncomingMessage): void {
    const { id, method, params } = message;
    this.#events.received(method);
    // The SDK checks this on the first message of a connection only.
    const revision = params?._meta?.[PROTOCOL_VERSION_KEY];
    if (
      method !== undefined &&
      typeof revision === "string" &&
      !SUPPORTED_MODERN_REVISIONS.includes(revision)
    ) {
      const supported = [...SUPPORTED_MODERN_REVISIONS];
      const error = new UnsupportedProtocolVersionError({ supported, requested: revision });
      if (id !== undefined) this.#reject(error.code, error.message, id, error.data);
      return;
    }
    if (method === "notifications/cancelled") this.#settle(params?.["requestId"] as MessageId);
    // Listening has no answer until the end.
    else if (id !== undefined && method !== undefined && method !== "subscriptions/listen") {
      this.#unanswered.add(id);
    }
    this.onmessage?.(message as JSONRPCMessage);
  }

  #reject(code: number, text: string, id: MessageId | null = null, data?: unknown): void {
    this.onerror?.(new Error(text));
    this.#write({ jsonrpc: "2.0", id, error: { code, message: text, ...(data !== undefined && { data }) } });
  }

  #write(message: object): void {
    this.#streams.output.write(`${JSON.stringify(message)}\n`);
  }

  #settle(id: MessageId): void {
    this.#unanswered.delete(id);
    if (this.#inputEnded && this.#unanswered.size === 0) this.#end();
  }

  #endInput(): void {
    this.#inputEnded = true;
    if (this.#unanswered.size === 0) return this.#end();
    this.#lastAnswers = setTimeout(() => this.#end(), LAST_ANSWERS_MS);
  }

  #end(): void {
    clearTimeout(this.#lastAnswers);
    this.#events.ended();
    void this.close();
  }
}

interface IncomingMessage {
  readonly id?: MessageId;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
}

/** What makes it no JSON-RPC message, in the SDK's terms: that one drops such a message without a word. */
function faultOf(message: unknown): string | undefined {
  if (Array.isArray(message)) return "Batches are not supported: send one message per line";
  if (!isObject(message)) return "A message is one JSON object";
  if (message["jsonrpc"] !== "2.0") return 'A message has "jsonrpc": "2.0"';
  const { id, method, params } = message;
  if (id !== undefined && !isId(id)) return "The id of a message is a string or an integer";
  if (method === undefined) {
    const answers = id !== undefined && (isObject(message["result"]) || isObject(message["error"]));
    return answers ? undefined : "A message has a method, or an id with a result or an error";
  }
  if (typeof method !== "string") return "The method of a message is a string";
  if (params === undefined) return undefined;
  if (!isObject(params)) return "The params of a message are an object";
  const meta = params["_meta"];
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return "The _meta of a message is an object";
  const token = meta["progressToken"];
  return token === undefined || isId(token) ? undefined : "A progressToken is a string or an integer";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is MessageId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function idOf(message: unknown): MessageId | null {
  return isObject(message) && isId(message["id"]) ? message["id"] : null;
}

/** The id of a message too long to keep, if it stands before the parameters. */
function idInHead(head: string): MessageId | null {
  const found = /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/.exec(head.split('"params"', 1)[0] ?? "")?.[1];
  return found === undefined ? null : (JSON.parse(found) as MessageId);
}
