/**
 * Speaks MCP with a child process over its standard input and output, and owns the child.
 * One message too long, too deep or not JSON costs that message, never the connection. stderr is kept as a tail
 * for error messages. When the child ends, every pending call learns it at once.
 * Restarting lives in mcp-extension.ts; the choice of the protocol era in connect.ts.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { LineFramer } from "../lib/line-framer.ts";
import { endGroup, type GroupSpawnOptions, spawnGroup } from "../lib/process-group.ts";
import { TailBuffer } from "../lib/tail-buffer.ts";

export interface StdioTransportOptions extends GroupSpawnOptions {
  readonly maxMessageBytes?: number;
}

/** Lines on stdout that were no messages: programs that print where they must not. */
export interface StrayLines {
  readonly count: number;
  readonly samples: readonly string[];
}

type MessageId = string | number;

const DEFAULT_MAX_MESSAGE_BYTES = 80 * 1024 * 1024;
const MAX_DEPTH = 512;
const STDERR_BYTES = 256 * 1024;
const STRAY_SAMPLES = 5;
const STRAY_SAMPLE_LENGTH = 200;
/** After the child's exit, how long we read what it had written before. */
const DRAIN_MS = 100;
const OVERSIZE_ERROR = -32099;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: StdioTransportOptions;
  readonly #stderr = new TailBuffer(STDERR_BYTES);
  readonly #pending = new Set<MessageId>();
  #child: ChildProcessWithoutNullStreams | undefined;
  #stray = { count: 0, samples: [] as string[] };
  #delivery: Promise<void> = Promise.resolve();
  #ended: string | undefined;
  #closed = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  /** The SDK knows a stdio transport by `pid` and `stderr`. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get stderr(): TailBuffer {
    return this.#stderr;
  }

  get stray(): StrayLines {
    return this.#stray;
  }

  /** How the child ended by itself, in words; undefined while it runs and when we ended it. */
  get ended(): string | undefined {
    return this.#ended;
  }

  async start(): Promise<void> {
    const child = await spawnGroup(this.#options);
    this.#child = child;
    const framer = new LineFramer({
      maxLineBytes: this.#options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
      onLine: (line) => this.#receive(line),
      onOversize: (ends, bytes) => this.#failOversize(ends, bytes),
    });
    child.stdout.on("data", (chunk: Buffer) => framer.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    // A broken pipe is the child's end, and that is reported by "exit".
    child.stdin.on("error", () => {});
    child.once("exit", (code, signal) => {
      if (!this.#closed) this.#ended = signal ? `was ended by ${signal}` : `exited with code ${code}`;
      // Somebody else may hold its stdout open: do not wait for "close" for ever.
      const timer = setTimeout(() => this.#finish(), DRAIN_MS);
      child.once("close", () => {
        clearTimeout(timer);
        framer.end();
        this.#finish();
      });
    });
    if (this.#closed) await endGroup(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#child || this.#closed || this.#ended !== undefined)
      throw new Error("the process is not running");
    if ("method" in message && "id" in message) this.#pending.add(message.id);
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#child) await endGroup(this.#child);
    this.#finish();
  }

  #receive(line: string): void {
    const message = parseMessage(line);
    if (message === undefined) return this.#noteStray(line);
    if ("id" in message && !("method" in message) && message.id !== undefined)
      this.#pending.delete(message.id as MessageId);
    if (depthExceeds(message, MAX_DEPTH)) {
      return this.#failPending(message, `its answer is nested deeper than ${MAX_DEPTH} levels`);
    }
    this.#deliver(message);
  }

  /**
   * One message per microtask: the SDK handles notifications a microtask later than responses, and the last
   * progress of a call must not lose that race.
   */
  #deliver(message: JSONRPCMessage): void {
    this.#delivery = this.#delivery
      .then(() => this.onmessage?.(message))
      .catch((error: unknown) => this.onerror?.(error instanceof Error ? error : new Error(String(error))));
  }

  #failOversize({ head, tail }: { readonly head: string; readonly tail: string }, bytes: number): void {
    const id = [...this.#pending].find((pending) => mentionsId(head, pending) || mentionsId(tail, pending));
    const only = this.#pending.size === 1 ? [...this.#pending][0] : undefined;
    const owner = id ?? only;
    const limit = this.#options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    const reason = `a message of ${bytes} bytes is over the limit of ${limit} bytes and was dropped`;
    if (owner === undefined) return this.#noteStray(`${head.slice(0, STRAY_SAMPLE_LENGTH)}… (${reason})`);
    this.#pending.delete(owner);
    this.#fail(owner, reason);
  }

  #failPending(message: JSONRPCMessage, reason: string): void {
    const id = (message as { id?: unknown }).id;
    if (typeof id === "string" || typeof id === "number") this.#fail(id, reason);
    else this.#noteStray(reason);
  }

  #fail(id: MessageId, reason: string): void {
    this.#deliver({ jsonrpc: "2.0", id, error: { code: OVERSIZE_ERROR, message: reason } });
  }

  #noteStray(line: string): void {
    this.#stray.count += 1;
    if (this.#stray.samples.length < STRAY_SAMPLES)
      this.#stray.samples.push(line.slice(0, STRAY_SAMPLE_LENGTH));
  }

  #finish(): void {
    if (this.#closed && this.onclose === undefined) return;
    this.#closed = true;
    const onclose = this.onclose;
    delete this.onclose;
    onclose?.();
  }
}

function parseMessage(line: string): JSONRPCMessage | undefined {
  if (line.charCodeAt(0) !== 0x7b && !line.trimStart().startsWith("{")) return undefined;
  try {
    const message = JSON.parse(line) as Record<string, unknown>;
    return message["jsonrpc"] === "2.0" ? (message as unknown as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Without recursion: the nesting is the sender's, the stack is ours. */
function depthExceeds(root: unknown, limit: number): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const child of Array.isArray(value) ? value : Object.values(value)) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}

function mentionsId(text: string, id: MessageId): boolean {
  const value =
    typeof id === "number" ? String(id) : JSON.stringify(id).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`"id"\\s*:\\s*${value}\\s*[,}]`).test(text);
}
