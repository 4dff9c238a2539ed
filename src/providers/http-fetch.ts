/**
 * A small `fetch` over node:http for the provider packages. The global one loads all of undici, which costs
 * about 30 ms and 14 MiB before the first request, and so does `import "node:http"` (its ES facade reads
 * every export, WebSocket among them): hence getBuiltinModule.
 * It posts a string and gives a streamed body. No redirects (a key must not travel), no compression.
 */
import type { ClientRequest, IncomingMessage } from "node:http";

const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule("node:http");
/** No provider is silent for this long while it works: it sends pings or deltas. */
const IDLE_TIMEOUT_MS = 300_000;

let httpAgent: InstanceType<typeof HttpAgent> | undefined;
let httpsAgent: import("node:https").Agent | undefined;

export const httpFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(typeof input === "object" && "url" in input ? input.url : input);
  const { signal } = init;
  signal?.throwIfAborted();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = open(url, init.method ?? "GET", plainHeaders(init.headers));
    const abort = () => request.destroy(abortError(signal));
    signal?.addEventListener("abort", abort, { once: true });
    request.on("close", () => signal?.removeEventListener("abort", abort));
    request.on("timeout", () =>
      request.destroy(new Error(`no data for ${IDLE_TIMEOUT_MS / 1000} s: timed out`)),
    );
    request.on("error", (error) => reject(signal?.aborted ? abortError(signal) : explain(error, url)));
    request.on("response", resolve);
    request.end(bodyOf(init.body));
  });
  return toResponse(response, url, signal ?? undefined);
};

function open(url: URL, method: string, headers: Record<string, string>): ClientRequest {
  const options = {
    method,
    headers: { ...headers, "accept-encoding": "identity" },
    timeout: IDLE_TIMEOUT_MS,
  };
  if (url.protocol === "http:") {
    httpAgent ??= new HttpAgent({ keepAlive: true });
    return httpRequest(url, { ...options, agent: httpAgent });
  }
  if (url.protocol !== "https:")
    throw new TypeError(`${url.protocol} is not a protocol for an API: use https.`);
  const https = process.getBuiltinModule("node:https");
  httpsAgent ??= new https.Agent({ keepAlive: true });
  return https.request(url, { ...options, agent: httpsAgent });
}

/** The part of a Response that the provider packages read. */
function toResponse(message: IncomingMessage, url: URL, signal: AbortSignal | undefined): Response {
  const status = message.statusCode ?? 0;
  const body = toStream(message, signal);
  if (status >= 300 && status < 400) {
    message.destroy();
    const target = message.headers.location ?? "nowhere";
    throw new TypeError(
      `${url.origin} redirects to ${target}: set that address as the base URL if you trust it.`,
    );
  }
  const text = async () => {
    const decoder = new TextDecoder();
    let whole = "";
    for await (const chunk of body) whole += decoder.decode(chunk, { stream: true });
    return whole + decoder.decode();
  };
  const response = {
    ok: status >= 200 && status < 300,
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

function toStream(message: IncomingMessage, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let over = false;
      const finish = (end: () => void) => {
        if (over) return;
        over = true;
        end();
      };
      message.on("data", (chunk: Buffer) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 1) <= 0) message.pause();
      });
      message.on("end", () => finish(() => controller.close()));
      message.on("error", (error) =>
        finish(() => controller.error(signal?.aborted ? abortError(signal) : error)),
      );
      // A peer that goes away in mid-answer ends in `close` without `end`.
      message.on("close", () =>
        finish(() =>
          controller.error(signal?.aborted ? abortError(signal) : new Error("the answer broke off")),
        ),
      );
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

function explain(error: Error & { code?: string }, url: URL): Error {
  const where = url.host;
  const message = NETWORK_WORDS[error.code ?? ""] ?? error.message;
  return Object.assign(new Error(`${where}: ${message}`), { code: error.code });
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
