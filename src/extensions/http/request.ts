/**
 * A `fetch` over node:http for MCP servers. The global one gives up on a silent stream after five minutes, and a
 * stream that waits for news is silent for hours; here only connecting has a time limit, calls bring their own.
 * Redirects are handed back as they are: whether to follow one is decided where the credentials are known.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { Environment } from "../expand.ts";
import { ConnectionCutError, NotConnectedError } from "./network-error.ts";

export interface RequestOptions {
  /** Where proxies are named (HTTPS_PROXY, NO_PROXY). */
  readonly environment: Environment;
  readonly connectTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_TRIES = 3;
const EMPTY_STATUSES = new Set([204, 205, 304]);

export function createRequest({
  environment,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: RequestOptions): FetchLike {
  const agents = createAgents(environment);
  return async (input, init = {}) => {
    const url = new URL(input);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    const message = await send(url, init, signal, MAX_TRIES);
    return toResponse(message, url, signal);
  };

  function send(
    url: URL,
    init: RequestInit,
    signal: AbortSignal | undefined,
    tries: number,
  ): Promise<IncomingMessage> {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const method = init.method ?? "GET";
      const request = agents.open(url, method, new Headers(init.headers));
      const abort = () => request.destroy(abortReason(signal));
      signal?.addEventListener("abort", abort, { once: true });
      request.once("close", () => signal?.removeEventListener("abort", abort));
      const connected = limitConnecting(request, connectTimeoutMs);
      let answered = false;
      request.once("response", (message) => {
        answered = true;
        resolve(message);
      });
      request.once("error", (error) => {
        if (signal?.aborted || answered) return reject(abortReason(signal));
        // A connection kept from before may be closed by the server at any moment; what only reads is sent anew.
        if (request.reusedSocket && method === "GET" && tries > 1)
          return resolve(send(url, init, signal, tries - 1));
        return reject(explain(error, url, connected()));
      });
      request.end(bodyOf(init.body));
    });
  }
}

/** Connections are kept for the next request, unless a request asks for one of its own (`connection: close`). */
function createAgents(environment: Environment) {
  const agents = new Map<string, HttpAgent | HttpsAgent>();
  return {
    open(url: URL, method: string, headers: Headers): ClientRequest {
      if (url.protocol !== "https:" && url.protocol !== "http:")
        throw new TypeError(`${url.protocol} is not a protocol for an MCP server: use https or http.`);
      if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
      const keepAlive = headers.get("connection") !== "close";
      const options = { method, headers: Object.fromEntries(headers), agent: agentFor(url, keepAlive) };
      return url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
    },
  };

  function agentFor(url: URL, keepAlive: boolean): HttpAgent | HttpsAgent {
    const name = `${url.protocol} ${keepAlive}`;
    // `proxyEnv` is known to newer nodes and ignored by older ones.
    const options = { keepAlive, proxyEnv: environment };
    const agent =
      agents.get(name) ?? (url.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options));
    agents.set(name, agent);
    return agent;
  }
}

/** Returns whether the connection was made: what fails before that has certainly not run. */
function limitConnecting(request: ClientRequest, timeoutMs: number): () => boolean {
  let connected = false;
  request.once("socket", (socket: Socket) => {
    if (!socket.connecting) {
      connected = true;
      return;
    }
    const timer = setTimeout(
      () => request.destroy(Object.assign(new Error("connecting took too long"), { code: "ETIMEDOUT" })),
      timeoutMs,
    );
    const event = "encrypted" in socket ? "secureConnect" : "connect";
    socket.once(event, () => {
      connected = true;
      clearTimeout(timer);
    });
    socket.once("close", () => clearTimeout(timer));
  });
  return () => connected;
}

function toResponse(message: IncomingMessage, url: URL, signal: AbortSignal | undefined): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  if (EMPTY_STATUSES.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  if (status < 200 || status > 599)
    throw new ConnectionCutError(`${url.host} answered with HTTP status ${status}`);
  return new Response(toStream(message, url, signal), {
    status,
    statusText: message.statusMessage ?? "",
    headers,
  });
}

function toStream(
  message: IncomingMessage,
  url: URL,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let over = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const abort = () => message.destroy();
      signal?.addEventListener("abort", abort, { once: true });
      const finish = (end: () => void) => {
        if (over) return;
        over = true;
        signal?.removeEventListener("abort", abort);
        end();
      };
      const broken = () =>
        signal?.aborted
          ? abortReason(signal)
          : new ConnectionCutError(`${url.host} cut the connection in the middle of its answer`);
      message.on("data", (chunk: Buffer) => {
        if (over) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 1) <= 0) message.pause();
      });
      message.once("end", () => finish(() => controller.close()));
      message.once("error", () => finish(() => controller.error(broken())));
      // A peer that goes away in mid-answer ends in `close` without `end`.
      message.once("close", () => finish(() => controller.error(broken())));
    },
    pull() {
      message.resume();
    },
    cancel() {
      over = true;
      message.destroy();
    },
  });
}

function bodyOf(body: RequestInit["body"]): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError("A request to an MCP server has a text or bytes as its body.");
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  if (reason instanceof Error && reason.name === "AbortError") return reason;
  const error = new Error(reason instanceof Error ? reason.message : "aborted");
  error.name = "AbortError";
  return error;
}

function explain(error: Error & { readonly code?: string }, url: URL, connected: boolean): Error {
  const words = NETWORK_WORDS[error.code ?? ""];
  if (connected && words === undefined)
    return new ConnectionCutError(`${url.host} cut the connection before it answered`, { cause: error });
  return new NotConnectedError(error.code ?? "UNKNOWN", `${url.host}: ${words ?? error.message}`, {
    cause: error,
  });
}

/** What can go wrong before anything was sent. */
const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there (ECONNREFUSED)",
  ENOTFOUND: "no such host (ENOTFOUND)",
  EAI_AGAIN: "the name could not be looked up (EAI_AGAIN)",
  ETIMEDOUT: "no connection in time (ETIMEDOUT)",
  EHOSTUNREACH: "no way to that host (EHOSTUNREACH)",
  ENETUNREACH: "no way to that network (ENETUNREACH)",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself (DEPTH_ZERO_SELF_SIGNED_CERT)",
  SELF_SIGNED_CERT_IN_CHAIN: "a certificate in its chain is signed by itself (SELF_SIGNED_CERT_IN_CHAIN)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
  CERT_HAS_EXPIRED: "its certificate has expired (CERT_HAS_EXPIRED)",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)",
};
