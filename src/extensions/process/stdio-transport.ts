/**
 * Speaks MCP with a child process over its standard input and output, and owns the child.
 * One message too long, too deep or not JSON costs that message, never the connection. stderr is kept as a tail
 * for error messages. When the child ends, every pending call learns it at once.
 * Restarting lives in mcp-extension.ts; the choice of the protocol era in connect-process.ts.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { LineFramer } from "../../lib/line-framer.ts";
import { endGroup, type GroupSpawnOptions, signalGroup, spawnGroup } from "../../lib/process-group.ts";
import { TailBuffer } from "../../lib/tail-buffer.ts";
import type { ProcessLimits } from "../config.ts";
import {
  failedAnswer,
  MAX_MESSAGE_BYTES,
  type MessageEnds,
  PendingRequests,
  tooDeep,
  tooLong,
} from "../message-guard.ts";
import type { StrayLines } from "../port.ts";
import { explainEnd, watchLimits } from "./limits.ts";

export interface StdioTransportOptions extends GroupSpawnOptions {
  readonly limits?: ProcessLimits;
  readonly maxMessageBytes?: number;
}

const STDERR_BYTES = 256 * 1024;
const STRAY_SAMPLES = 5;
const STRAY_SAMPLE_LENGTH = 200;
/** After the child's exit, how long we read what it had written before. */
const DRAIN_MS = 100;
/** How long it may take to end at each step: end of input, TERM, KILL. */
const GRACE_MS = 1000;
const UNGREETED_GRACE_MS = 200;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: StdioTransportOptions;
  readonly #limit: number;
  readonly #stderr = new TailBuffer(STDERR_BYTES);
  readonly #pending = new PendingRequests();
  #child: ChildProcessWithoutNullStreams | undefined;
  #stray = { count: 0, samples: [] as string[] };
  #delivery: Promise<void> = Promise.resolve();
  #ended: string | undefined;
  #closed = false;
  /** It has said something sensible: it may have something to tidy up. */
  #greeted = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#limit = options.maxMessageBytes ?? MAX_MESSAGE_BYTES;
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
      maxLineBytes: this.#limit,
      ownsChunks: true,
      onLine: (line) => this.#receive(line),
      onOversize: (ends, bytes) => this.#failOversize(ends, bytes),
    });
    child.stdout.on("data", (chunk: Buffer) => framer.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    // A server that has closed its output cannot answer any more, whether it goes on living or not.
    child.stdout.once("end", () => {
      const timer = setTimeout(() => {
        if (this.#closed || this.#ended !== undefined) return;
        this.#ended = "closed its output";
        signalGroup(child, "SIGKILL");
      }, DRAIN_MS);
      child.once("exit", () => clearTimeout(timer));
    });
    // A broken pipe is the child's end, and that is reported by "exit".
    child.stdin.on("error", () => {});
    const { limits } = this.#options;
    const unwatch = watchLimits(child.pid ?? 0, limits, (reason) => {
      this.#ended = reason;
      signalGroup(child, "SIGKILL");
    });
    child.once("exit", (code, signal) => {
      unwatch();
      const words = signal ? `was ended by ${signal}` : `exited with code ${code}`;
      if (!this.#closed) this.#ended ??= explainEnd(words, signal, limits);
      // What it started and left behind is of no use to anybody without it.
      signalGroup(child, "SIGKILL");
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
    this.#pending.noteSent(message);
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#child) await endGroup(this.#child, this.#greeted ? GRACE_MS : UNGREETED_GRACE_MS);
    this.#finish();
  }

  #receive(line: string): void {
    const parsed = parseMessage(line);
    if (parsed === undefined) return this.#noteStray(line);
    this.#greeted = true;
    const message = this.#pending.noteReceived(parsed);
    const problem = tooDeep(message);
    if (problem === undefined) return this.#deliver(message);
    const id = (message as { id?: unknown }).id;
    if (typeof id === "string" || typeof id === "number") this.#deliver(failedAnswer(id, problem));
    else this.#noteStray(problem);
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

  #failOversize(ends: MessageEnds, bytes: number): void {
    const owner = this.#pending.ownerOf(ends);
    const reason = tooLong(bytes, this.#limit);
    if (owner === undefined)
      return this.#noteStray(`${ends.head.slice(0, STRAY_SAMPLE_LENGTH)}… (${reason})`);
    this.#pending.settle(owner);
    this.#deliver(failedAnswer(owner, reason));
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
