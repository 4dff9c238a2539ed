/**
 * Sessions of clients that speak a legacy revision over Streamable HTTP. A session is needed there for whatever
 * the server pushes: list changes, updates of subscribed resources, questions to the person, a broken stream
 * taken up again. Their number is bounded, and one that nobody uses for a while ends. A client that finds its
 * session gone (404) starts a new one, as the protocol says.
 */
import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  legacyStatelessFallback,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { RecentEvents } from "./recent-events.ts";

export interface SessionLimits {
  readonly maxSessions: number;
  readonly idleMs: number;
}

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsed: number;
  /** Requests and streams that are not finished yet. */
  open: number;
}

const SESSION_HEADER = "mcp-session-id";
const BATCHING_REVISION = "2025-03-26";
const RETRY_MS = 1000;

export class LegacySessions {
  readonly #createServer: () => Server;
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, Session>();
  readonly #stateless: ReturnType<typeof legacyStatelessFallback>;
  readonly #sweeper: NodeJS.Timeout;

  constructor(createServer: () => Server, limits: SessionLimits) {
    this.#createServer = createServer;
    this.#limits = limits;
    this.#stateless = legacyStatelessFallback(createServer);
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(limits.idleMs / 4, 10)).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers through `respond`, which resolves when the answer was written to its end. */
  async serve(
    request: Request,
    body: object | undefined,
    respond: (answer: Response) => Promise<void>,
  ): Promise<void> {
    const id = request.headers.get(SESSION_HEADER);
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (session === undefined) return respond(problem(404, "Session not found", {}, -32001));
      return this.#use(session, request, body, respond);
    }
    if (request.method !== "POST") {
      return respond(problem(405, "Method not allowed without a session", { Allow: "POST" }));
    }
    if (isInitializeRequest(body)) return this.#open(request, body, respond);
    if (Array.isArray(body)) return respond(problem(400, "Batches are not supported"));
    // One question without a handshake can be answered; it only cannot be pushed to.
    return respond(await this.#stateless(request, { parsedBody: body }));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map((session) => session.server.close()));
    this.#sessions.clear();
  }

  async #open(request: Request, body: object, respond: (answer: Response) => Promise<void>): Promise<void> {
    if (this.#sessions.size >= this.#limits.maxSessions && !this.#dropIdlest()) {
      return respond(problem(503, "Too many sessions are in use; try again later", { "Retry-After": "10" }));
    }
    const server = this.#createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
      eventStore: new RecentEvents(),
      retryInterval: RETRY_MS,
    });
    const session: Session = { server, transport, lastUsed: Date.now(), open: 0 };
    await server.connect(transport);
    const forget = server.onclose;
    server.onclose = () => {
      forget?.();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await this.#use(session, request, body, respond);
    if (transport.sessionId === undefined) await server.close();
  }

  async #use(
    session: Session,
    request: Request,
    body: object | undefined,
    respond: (answer: Response) => Promise<void>,
  ): Promise<void> {
    if (Array.isArray(body) && session.server.getNegotiatedProtocolVersion() !== BATCHING_REVISION) {
      return respond(problem(400, `Batches exist only in revision ${BATCHING_REVISION}`));
    }
    // A client that takes up a stream has lost it, even if this end has not noticed yet.
    if (request.headers.has("last-event-id")) session.transport.closeStandaloneSSEStream();
    session.open += 1;
    try {
      await respond(
        await session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body }),
      );
    } finally {
      session.open -= 1;
      session.lastUsed = Date.now();
    }
  }

  #sweep(): void {
    const oldest = Date.now() - this.#limits.idleMs;
    for (const session of this.#sessions.values()) {
      if (session.open === 0 && session.lastUsed < oldest) void session.server.close();
    }
  }

  #dropIdlest(): boolean {
    const idle = [...this.#sessions.values()].filter((session) => session.open === 0);
    const idlest = idle.toSorted((a, b) => a.lastUsed - b.lastUsed)[0];
    void idlest?.server.close();
    return idlest !== undefined;
  }
}

function problem(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = -32600,
): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status, headers });
}
