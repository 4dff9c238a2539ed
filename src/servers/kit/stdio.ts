/**
 * Serves a definition on this process's standard input and output, in both protocol eras, and ends the process
 * when the client closes its end. Nothing but protocol messages reaches stdout; everything else goes to stderr.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { LineFramer } from "../../lib/line-framer.ts";
import { startWatching } from "./resource.ts";
import { createServer, type ServerDefinition } from "./server.ts";

const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const CLOSE_GRACE_MS = 2000;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Resolves when the client is gone and the definition has closed. */
export async function serveOnStdio(definition: ServerDefinition): Promise<void> {
  const gone = Promise.withResolvers<void>();
  console.log = console.error;
  const transport = new StdioWire(() => startWatching(definition.resources));
  const handle = serveStdio(({ era }) => createServer(definition, era), {
    transport,
    onerror: (error) => process.stderr.write(`${definition.name}: ${error.message}\n`),
  });
  transport.onEnd = gone.resolve;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => gone.resolve());
  await gone.promise;
  // Whatever hangs now must not keep the process: the client is gone.
  setTimeout(() => process.exit(0), CLOSE_GRACE_MS).unref();
  await definition.close?.();
  await handle.close();
}

class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  onEnd: (() => void) | undefined;
  readonly #onSubscribe: () => void;
  #closed = false;

  constructor(onSubscribe: () => void) {
    this.#onSubscribe = onSubscribe;
  }

  async start(): Promise<void> {
    const framer = new LineFramer({
      maxLineBytes: MAX_MESSAGE_BYTES,
      onLine: (line) => this.#receive(line),
      onOversize: (_ends, bytes) =>
        this.#reject(INVALID_REQUEST, `a message of ${bytes} bytes is over the limit`),
    });
    process.stdin.on("data", (chunk: Buffer) => framer.push(chunk));
    process.stdin.on("end", () => this.#end());
    process.stdin.on("error", () => this.#end());
    process.stdout.on("error", () => this.#end());
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve());
    return promise;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    process.stdin.pause();
    this.onclose?.();
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#reject(PARSE_ERROR, "the line is not JSON");
    }
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      return this.#reject(INVALID_REQUEST, "a message is one JSON object; batches are not supported");
    }
    const method = (message as { method?: unknown }).method;
    if (method === "resources/subscribe" || method === "subscriptions/listen") this.#onSubscribe();
    this.onmessage?.(message as JSONRPCMessage);
  }

  #reject(code: number, text: string): void {
    this.onerror?.(new Error(text));
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message: text } })}\n`);
  }

  #end(): void {
    this.onEnd?.();
    void this.close();
  }
}
