/**
 * A small `fetch` over node:http for the provider packages. The global one loads all of undici, which costs
 * about 30 ms and 14 MiB before the first request, and so does `import "node:http"` (its ES facade reads
 * every export, WebSocket among them): hence getBuiltinModule.
 * It sends a string and gives a streamed body. No redirects (a key must not travel), no compression.
 */
import type { Agent, ClientRequest, IncomingMessage } from "node:http";

/** No provider is silent for this long while it works: it sends pings or deltas. */
const IDLE_TIMEOUT_MS = 300_000;
/** Of an error's body: more is no explanation. */
const MAX_ERROR_BYTES = 1_000_000;

const agents = new Map<string, Agent>();

export const httpFetch = createHttpFetch();

export function createHttpFetch({ idleTimeoutMs = IDLE_TIMEOUT_MS } = {}): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(typeof input === "object" && "url" in input ? input.url : input);
    return toResponse(await httpSend(url, init, idleTimeoutMs), url, init.signal);
  };
}

/** The same without the web's clothes: the answer as Node gives it, whatever its status but a redirection. */
export async function httpSend(
  url: URL,
  init: RequestInit,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
): Promise<IncomingMessage> {
  init.signal?.throwIfAborted();
  try {
    return refuseRedirect(await send(url, init, idleTimeoutMs), url);
  } catch (error) {
    // The server closed an idle connection just when it was used again: nothing was read, so send it anew.
    if (!(error instanceof StaleConnection)) throw error;
    return refuseRedirect(await send(url, init, idleTimeoutMs), url);
  }
}

function refuseRedirect(message: IncomingMessage, url: URL): IncomingMessage {
  const status = message.statusCode ?? 0;
  if (status < 300 || status >= 400) return message;
  message.destroy();
  const target = message.headers.location ?? "nowhere";
  throw new TypeError(
    `${url.origin} redirects to ${target}: set that address as the base URL if you trust it.`,
  );
}

class StaleConnection extends Error {}

function send(url: URL, init: RequestInit, idleTimeoutMs: number): Promise<IncomingMessage> {
  const { signal } = init;
  return new Promise((resolve, reject) => {
    const request = open(url, init.method ?? "GET", plainHeaders(init.headers));
    const abort = () => request.destroy(abortError(signal));
    signal?.addEventListener("abort", abort, { once: true });
    request.on("close", () => signal?.removeEventListener("abort", abort));
    let received: IncomingMessage | undefined;
    request.setTimeout(idleTimeoutMs, () => (received ?? request).destroy(idleError(idleTimeoutMs)));
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (signal?.aborted) return reject(abortError(signal));
      if (request.reusedSocket && error.code === "ECONNRESET") return reject(new StaleConnection());
      reject(explain(error, url));
    });
    request.on("response", (message) => {
      received = message;
      resolve(message);
    });
    request.end(bodyOf(init.body));
  });
}

function open(url: URL, method: string, headers: Record<string, string>): ClientRequest {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError(`${url.protocol} is not a protocol for an API: use https.`);
  const { Agent, request } = process.getBuiltinModule(url.protocol === "http:" ? "node:http" : "node:https");
  const agent = agents.get(url.protocol) ?? new Agent({ keepAlive: true });
  agents.set(url.protocol, agent);
  return request(url, {
    method,
    headers: { ...headers, "accept-encoding": "identity" },
    agent,
  });
}

/** The part of a Response that the provider packages read. */
function toResponse(message: IncomingMessage, url: URL, signal: AbortSignal | null | undefined): Response {
  const status = message.statusCode ?? 0;
  const ok = status >= 200 && status < 300;
  const body = toStream(message, signal, ok ? Number.POSITIVE_INFINITY : MAX_ERROR_BYTES);
  const text = async () => {
    const decoder = new TextDecoder();
    let whole = "";
    for await (const chunk of body) whole += decoder.decode(chunk, { stream: true });
    return whole + decoder.decode();
  };
  const response = {
    ok,
    status,
    statusText: message.statusMessage ?? "",
    url: url.href,
    redirected: false,
    headers: new Map(Object.entries(message.headers).map(([name, value]) => [name, String(value)])),
    body,
    text,
    json: async () => JSON.parse(await text()) as unknown,
  };
  return response as unknown as Response;
}

function toStream(
  message: IncomingMessage,
  signal: AbortSignal | null | undefined,
  maxBytes: number,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let over = false;
      let bytes = 0;
      const finish = (end: () => void) => {
        if (over) return;
        over = true;
        end();
      };
      const fail = (error: Error) =>
        finish(() => controller.error(signal?.aborted ? abortError(signal) : error));
      message.on("data", (chunk: Buffer) => {
        if (over) return;
        controller.enqueue(chunk);
        bytes += chunk.length;
        if (bytes > maxBytes) {
          finish(() => controller.close());
          return void message.destroy();
        }
        if ((controller.desiredSize ?? 1) <= 0) message.pause();
      });
      message.on("end", () => finish(() => controller.close()));
      message.on("error", fail);
    },
    pull() {
      message.resume();
    },
    cancel() {
      message.destroy();
    },
  });
}

function plainHeaders(headers: RequestInit["headers"]): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [String(name), String(value)]));
}

function bodyOf(body: RequestInit["body"]): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  throw new TypeError("httpFetch sends a string or bytes only.");
}

function abortError(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  const error = new Error(reason instanceof Error ? reason.message : "aborted");
  error.name = "AbortError";
  return error;
}

function idleError(milliseconds: number): Error {
  return Object.assign(new Error(`no data for ${milliseconds / 1000} s`), { code: "EIDLE" });
}

function explain(error: NodeJS.ErrnoException, url: URL): Error {
  const message = NETWORK_WORDS[error.code ?? ""] ?? error.message;
  return Object.assign(new Error(`${url.host}: ${message}`), { code: error.code });
}

const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there (ECONNREFUSED)",
  ENOTFOUND: "no such host (ENOTFOUND)",
  EAI_AGAIN: "the name could not be looked up (EAI_AGAIN)",
  ETIMEDOUT: "no answer (ETIMEDOUT)",
  ECONNRESET: "the connection was cut (ECONNRESET)",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself (DEPTH_ZERO_SELF_SIGNED_CERT)",
  SELF_SIGNED_CERT_IN_CHAIN: "a certificate in its chain is signed by itself (SELF_SIGNED_CERT_IN_CHAIN)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
  CERT_HAS_EXPIRED: "its certificate has expired (CERT_HAS_EXPIRED)",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)",
};
