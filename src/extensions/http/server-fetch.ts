/**
 * The `fetch` of one remote extension: the server's own origin gets the configured headers and the token, and no
 * other origin ever does (an authorization server is another origin). Bodies are bounded, a lost session is noticed.
 */
import type { FetchLike } from "@modelcontextprotocol/client";
import { failedAnswer, type PendingRequests, tooLong } from "../message-guard.ts";
import { wholeLines } from "./event-lines.ts";
import { ConnectionCutError, NotConnectedError, SessionLostError } from "./network-error.ts";

export interface ServerFetchOptions {
  readonly request: FetchLike;
  readonly server: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly pending: PendingRequests;
  readonly maxMessageBytes: number;
  /** The server does not know our session any more: it was restarted, or it let the session go. */
  onSessionLost(): void;
  /** The last reason why nothing came through; the SDK's event source keeps only its text. */
  onNetworkFailure(error: Error): void;
}

export function createServerFetch(options: ServerFetchOptions): FetchLike {
  return async (input, init = {}) => {
    const url = new URL(input);
    const own = url.origin === options.server.origin;
    const headers = new Headers(init.headers);
    if (own) addMissing(headers, options.headers);
    else refuseToken(headers, url);
    // Asked seldom, often after minutes at the browser, and a code counts once: no connection of before is trusted.
    if (!own || isForm(headers)) headers.set("connection", "close");
    const response = await send(url, { ...init, headers });
    if (!own) return bounded(response);
    return await noticeLostSession(bounded(response), init.method ?? "GET", headers);
  };

  async function send(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await options.request(url, init);
    } catch (error) {
      if (error instanceof NotConnectedError || error instanceof ConnectionCutError)
        options.onNetworkFailure(error);
      throw error;
    }
  }

  function bounded(response: Response): Response {
    if (response.body === null) return response;
    const events = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    const body = response.body.pipeThrough(
      events
        ? wholeLines({ maxLineBytes: options.maxMessageBytes, replace: replaceLine })
        : atMost(options.maxMessageBytes),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  }

  function replaceLine(ends: { readonly head: string; readonly tail: string }, bytes: number): string {
    const owner = options.pending.ownerOf(ends);
    if (owner === undefined) return ": a message too long was dropped";
    return `data: ${JSON.stringify(failedAnswer(owner, tooLong(bytes, options.maxMessageBytes)))}`;
  }

  async function noticeLostSession(response: Response, method: string, headers: Headers): Promise<Response> {
    if (method !== "POST" || !headers.has("mcp-session-id")) return response;
    const { status, statusText } = response;
    if (status !== 404 && status !== 400) return response;
    // The protocol says 404; servers made from the SDK's first examples say 400 and name the session in words.
    const text = await response.text();
    if (status === 400 && !/session/i.test(text))
      return new Response(text, { status, statusText, headers: response.headers });
    options.onSessionLost();
    throw new SessionLostError(`${options.server.host} does not know our session any more (HTTP ${status})`);
  }
}

function addMissing(headers: Headers, configured: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(configured)) if (!headers.has(name)) headers.set(name, value);
}

/** The token endpoint's, also where it is the server's own. */
function isForm(headers: Headers): boolean {
  return headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") ?? false;
}

/** N14: a token is for the server it was made for. */
function refuseToken(headers: Headers, url: URL): void {
  if (/^(bearer|dpop)\b/i.test(headers.get("authorization") ?? ""))
    throw new Error(`A token for this extension was about to be sent to ${url.origin}; it was not sent.`);
}

function atMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > limit) controller.error(new Error(tooLong(bytes, limit).replace("of", "of at least")));
      else controller.enqueue(chunk);
    },
  });
}
