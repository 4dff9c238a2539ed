/**
 * Between node:http and the web-standard shapes that the MCP handlers take. A body is read once, within a limit;
 * an answer is written with back-pressure, and a reader who takes nothing for too long is cut off rather than
 * buffered for. No routing and no protocol here.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refusal } from "./http-guard.ts";

export type JsonBody =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly refusal: Refusal; readonly code: number };

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<JsonBody> {
  const tooLarge = () =>
    refused(413, `Payload too large: a request may have at most ${maxBytes} bytes`, INVALID_REQUEST);
  if (Number(request.headers["content-length"]) > maxBytes) return tooLarge();
  const bytes = await readBody(request, maxBytes);
  if (bytes === undefined) return tooLarge();
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return refused(400, "Parse error: the body is not JSON", PARSE_ERROR);
  }
  if (typeof value !== "object" || value === null) {
    return refused(400, "Invalid request: a message is one JSON object", INVALID_REQUEST);
  }
  return { ok: true, value };
}

/** The request without its body, which travels parsed beside it. The signal aborts when the client goes away. */
export function toWebRequest(request: IncomingMessage, path: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string") headers.set(name, value);
    else for (const item of value ?? []) headers.append(name, item);
  }
  return new Request(`http://localhost${path}`, { method: request.method ?? "GET", headers, signal });
}

/** Aborts when the client is gone before its answer was complete. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

export async function sendWebResponse(
  answer: Response,
  response: ServerResponse,
  options: { readonly stallMs: number; readonly signal: AbortSignal },
): Promise<void> {
  if (options.signal.aborted) return answer.body?.cancel();
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  // A stream may have nothing to say for long; the client must know at once that it is open.
  response.flushHeaders();
  const reader = answer.body.getReader();
  options.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!response.write(value)) await drained(response, options.stallMs);
  }
  response.end();
}

/** Answers before any protocol handler is involved. Node reads past what is left of the body. */
export function sendRefusal(response: ServerResponse, refusal: Refusal, code = INVALID_REQUEST): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message: refusal.message } });
  response.writeHead(refusal.status, {
    "Content-Type": "application/json",
    ...refusal.headers,
  });
  response.end(body);
}

/**
 * Nothing when there is more than the limit. The rest is then read and thrown away, because a client that is
 * still writing when the connection closes would never see the answer.
 */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const parts: Buffer[] = [];
  let length = 0;
  request.on("data", (part: Buffer) => {
    length += part.length;
    if (length <= maxBytes) return void parts.push(part);
    parts.length = 0;
    resolve(undefined);
  });
  request.on("end", () => resolve(Buffer.concat(parts, Math.min(length, maxBytes))));
  request.on("error", reject);
  return promise;
}

function drained(response: ServerResponse, stallMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stalled = setTimeout(() => response.destroy(), stallMs);
  const settle = () => {
    clearTimeout(stalled);
    response.off("drain", settle).off("close", settle);
    resolve();
  };
  response.on("drain", settle).on("close", settle);
  return promise;
}

function refused(status: Refusal["status"], message: string, code: number): JsonBody {
  return { ok: false, refusal: { status, message }, code };
}
