/**
 * Serves a definition over HTTP, both protocol eras on one endpoint: modern requests each for themselves,
 * legacy clients in sessions, and HTTP+SSE for the oldest where asked for. Bound to loopback unless a token
 * guards it; every request passes the guard first, the extra routes too. Ends all streams when it closes.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpEndpoint } from "./http-endpoint.ts";
import { sendRefusal } from "./http-exchange.ts";
import { createGuard } from "./http-guard.ts";
import type { ServerDefinition } from "./server.ts";

/** An extra handler: answers and returns true, or leaves the request alone and returns false. */
export type HttpRoute = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

export interface HttpOptions {
  /** The address to listen on; 127.0.0.1 unless said otherwise. Any other than loopback needs a token. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The bearer token every request must carry; at least 16 characters. */
  readonly token?: string;
  readonly path?: string;
  /** Also serve HTTP+SSE at `/sse` and `/messages`. */
  readonly sse?: boolean;
  /** Tried in order before the MCP endpoint. The guard has passed; methods, paths and bodies are theirs. */
  readonly routes?: readonly HttpRoute[];
  readonly maxBodyBytes?: number;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** Answer preflights and let allowed origins read the answers. */
  readonly cors?: boolean;
  readonly maxSessions?: number;
  readonly sessionIdleMs?: number;
  /** How long a client may take to send its headers, its whole request, or to read on. */
  readonly timeouts?: { readonly headersMs?: number; readonly requestMs?: number; readonly stallMs?: number };
}

export interface HttpHandle {
  readonly url: string;
  readonly port: number;
  /** Ends every stream, then closes the definition. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_SESSIONS = 64;
const SESSION_IDLE_MS = 30 * 60_000;
const MAX_CONNECTIONS = 1024;
const CLOSE_GRACE_MS = 1000;

export async function serveOnHttp(definition: ServerDefinition, options: HttpOptions): Promise<HttpHandle> {
  const { host = "127.0.0.1", path = "/mcp", timeouts = {} } = options;
  const { headersMs = 10_000, requestMs = 60_000, stallMs = 30_000 } = timeouts;
  const guard = createGuard({ ...options, host });
  const endpoint = new McpEndpoint(definition, {
    path,
    stallMs,
    sse: options.sse ?? false,
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    maxSessions: options.maxSessions ?? MAX_SESSIONS,
    sessionIdleMs: options.sessionIdleMs ?? SESSION_IDLE_MS,
  });
  const server = createHttpServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(headersMs, requestMs, 5000),
    },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        // The client left in the middle of its request: there is nobody to answer and nothing to report.
        if (request.errored || response.destroyed) return;
        process.stderr.write(`${definition.name}: ${String(error)}\n`);
        if (response.headersSent) response.destroy();
        else sendRefusal(response, { status: 500, message: "Internal server error" }, -32603);
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const stranger = guard.checkCaller(request.headers);
    if (stranger) return sendRefusal(response, stranger);
    if (options.cors) allowOrigin(request, response);
    if (options.cors && request.method === "OPTIONS") return void response.writeHead(204).end();
    const unauthorized = guard.checkToken(request.headers);
    if (unauthorized) return sendRefusal(response, unauthorized);
    for (const route of options.routes ?? []) if (await route(request, response)) return;
    await endpoint.handle(request, response);
  }

  await listen(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${name}:${port}${path}`,
    port,
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };

  async function closeAll(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await endpoint.close();
    server.closeIdleConnections();
    const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    await closed;
    clearTimeout(impatient);
    await definition.close?.();
  }
}

function allowOrigin({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin === undefined) return;
  response.setHeader("Access-Control-Allow-Origin", headers.origin);
  response.setHeader("Vary", "Origin");
  response.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE");
  const wanted = headers["access-control-request-headers"];
  if (wanted !== undefined) response.setHeader("Access-Control-Allow-Headers", wanted);
}

function listen(server: ReturnType<typeof createHttpServer>, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error: NodeJS.ErrnoException) => {
    const why =
      error.code === "EADDRINUSE" ? "the port is in use; choose another, or 0 for any" : error.message;
    reject(new Error(`Cannot listen on ${host}:${port}: ${why}`, { cause: error }));
  });
  server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
  return promise;
}
