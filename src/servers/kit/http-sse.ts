/**
 * The HTTP+SSE transport of revision 2024-11-05 for clients that know no other: a stream opened by GET tells
 * where to POST messages, and answers come back on the stream. Loaded only where it is asked for.
 */
import type { ServerResponse } from "node:http";
import type { Server } from "@modelcontextprotocol/server";
import { SSEServerTransport } from "@modelcontextprotocol/server-legacy/sse";
import type { Refusal } from "./http-guard.ts";

export const SSE_PATH = "/sse";
export const MESSAGES_PATH = "/messages";

const KEEP_ALIVE_MS = 15_000;

interface SseClient {
  readonly transport: SSEServerTransport;
  readonly server: Server;
}

export class SseClients {
  readonly #createServer: () => Server;
  readonly #max: number;
  readonly #clients = new Map<string, SseClient>();

  constructor(createServer: () => Server, max: number) {
    this.#createServer = createServer;
    this.#max = max;
  }

  async open(response: ServerResponse): Promise<Refusal | undefined> {
    if (this.#clients.size >= this.#max) {
      return { status: 503, message: "Too many streams are open; try again later" };
    }
    const transport = new SSEServerTransport(MESSAGES_PATH, response);
    const server = this.#createServer();
    this.#clients.set(transport.sessionId, { transport, server });
    let behind = false;
    const keepAlive = setInterval(() => {
      // Nothing read since the last tick: the client is stuck, and what waits for it only grows.
      if (behind && response.writableNeedDrain) response.destroy();
      behind = response.writableNeedDrain;
      response.write(": keepalive\n\n");
    }, KEEP_ALIVE_MS).unref();
    response.once("close", () => {
      clearInterval(keepAlive);
      this.#clients.delete(transport.sessionId);
      void server.close();
    });
    await server.connect(transport);
    return undefined;
  }

  async post(session: string | null, message: object): Promise<Refusal | undefined> {
    const client = this.#clients.get(session ?? "");
    if (client === undefined) return { status: 404, message: "Session not found: open the stream again" };
    try {
      await client.transport.handleMessage(message);
      return undefined;
    } catch {
      return { status: 400, message: "Invalid request: the body is not one JSON-RPC message" };
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(({ server }) => server.close()));
  }
}
