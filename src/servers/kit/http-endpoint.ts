/**
 * The MCP endpoint behind the guard: which era a request belongs to and who serves it. Modern requests stand
 * alone and modern listeners hear of changes through the handler's own bus; legacy clients have sessions, or
 * the HTTP+SSE streams of the oldest. One definition is behind all of them.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createMcpHandler, isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import type { ServerChange } from "./changes.ts";
import {
  disconnectSignal,
  readJsonBody,
  sendRefusal,
  sendWebResponse,
  toWebRequest,
} from "./http-exchange.ts";
import { LegacySessions } from "./http-sessions.ts";
import type { SseClients } from "./http-sse.ts";
import { checkParamHeaders } from "./param-headers.ts";
import { startWatching } from "./resource.ts";
import { findTool } from "./serve-tools.ts";
import { createServer, type ServerDefinition } from "./server.ts";

export interface EndpointOptions {
  readonly path: string;
  readonly sse: boolean;
  readonly maxBodyBytes: number;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  /** How long a client may leave its answer unread. */
  readonly stallMs: number;
}

export class McpEndpoint {
  readonly #definition: ServerDefinition;
  readonly #options: EndpointOptions;
  readonly #modern: ReturnType<typeof createMcpHandler>;
  readonly #sessions: LegacySessions;
  readonly #stopChanges: (() => void) | undefined;
  #sse: SseClients | undefined;

  constructor(definition: ServerDefinition, options: EndpointOptions) {
    this.#definition = definition;
    this.#options = options;
    this.#modern = createMcpHandler(() => createServer(definition, "modern", { pushChanges: false }), {
      legacy: "reject",
    });
    this.#sessions = new LegacySessions(() => createServer(definition, "legacy"), {
      maxSessions: options.maxSessions,
      idleMs: options.sessionIdleMs,
    });
    this.#stopChanges = definition.changes?.subscribe((change) => this.#tell(change));
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "/", query = ""] = (request.url ?? "/").split("?", 2);
    if (path === this.#options.path) return this.#handleMcp(request, response);
    if (this.#options.sse && (await this.#handleSse(path, query, request, response))) return;
    sendRefusal(response, { status: 404, message: `Not found: the MCP endpoint is ${this.#options.path}` });
  }

  async close(): Promise<void> {
    this.#stopChanges?.();
    await Promise.all([this.#modern.close(), this.#sessions.close(), this.#sse?.close()]);
  }

  async #handleMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = await this.#readMessage(request, response);
    if (message === "refused") return;
    const signal = disconnectSignal(response);
    const webRequest = toWebRequest(request, this.#options.path, signal);
    const respond = (answer: Response) =>
      sendWebResponse(answer, response, { stallMs: this.#options.stallMs, signal });
    if (await isLegacyRequest(webRequest, message)) {
      if (request.method === "GET") startWatching(this.#definition.resources);
      return this.#sessions.serve(webRequest, message, respond);
    }
    await respond(
      this.#headerMismatch(webRequest, message) ??
        (await this.#modern.fetch(webRequest, { parsedBody: message })),
    );
  }

  /** The SDK checks the standard headers; those of a tool's own parameters need the tool. */
  #headerMismatch({ headers }: Request, message: object | undefined): Response | undefined {
    const { id, method, params } = (message ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
    if (method !== "tools/call" || typeof params !== "object" || params === null) return undefined;
    const { name, arguments: args } = params as { name?: unknown; arguments?: unknown };
    const tool = findTool(this.#definition, String(name));
    const error = tool && checkParamHeaders(tool, args, headers);
    if (error === undefined) return undefined;
    const { code, message: text, data } = error;
    return Response.json({ jsonrpc: "2.0", id, error: { code, message: text, data } }, { status: 400 });
  }

  async #readMessage(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<object | undefined | "refused"> {
    if (request.method !== "POST") return undefined;
    const { headers } = request;
    const plainJson = isJsonContentType(headers["content-type"]) && headers["content-encoding"] === undefined;
    if (!plainJson) {
      sendRefusal(response, {
        status: 415,
        message: "Unsupported media type: the body must be plain application/json",
      });
      return "refused";
    }
    const body = await readJsonBody(request, this.#options.maxBodyBytes);
    if (!body.ok) {
      sendRefusal(response, body.refusal, body.code);
      return "refused";
    }
    const method = (body.value as { method?: unknown }).method;
    if (method === "resources/subscribe" || method === "subscriptions/listen") {
      startWatching(this.#definition.resources);
    }
    return body.value;
  }

  async #handleSse(
    path: string,
    query: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    const { MESSAGES_PATH, SSE_PATH, SseClients } = await import("./http-sse.ts");
    if (path !== SSE_PATH && path !== MESSAGES_PATH) return false;
    const wanted = path === SSE_PATH ? "GET" : "POST";
    if (request.method !== wanted) {
      sendRefusal(response, { status: 405, message: "Method not allowed", headers: { Allow: wanted } });
      return true;
    }
    this.#sse ??= new SseClients(() => createServer(this.#definition, "legacy"), this.#options.maxSessions);
    const message = await this.#readMessage(request, response);
    if (message === "refused") return true;
    const refusal =
      message === undefined
        ? await this.#sse.open(response)
        : await this.#sse.post(new URLSearchParams(query).get("sessionId"), message);
    if (refusal) sendRefusal(response, refusal);
    else if (message !== undefined) response.writeHead(202).end("Accepted");
    return true;
  }

  #tell(change: ServerChange): void {
    const { notify } = this.#modern;
    switch (change.type) {
      case "tools-changed":
        return notify.toolsChanged();
      case "prompts-changed":
        return notify.promptsChanged();
      case "resources-changed":
        return notify.resourcesChanged();
      case "resource-updated":
        return notify.resourceUpdated(change.uri);
      default:
        return change satisfies never;
    }
  }
}
