/**
 * One connection to a remote MCP server, over streamable HTTP or over HTTP+SSE. The SDK speaks the protocol; this
 * adds what it leaves out: a call whose stream breaks off fails at once, a server that was restarted is noticed, and
 * an answer too long or too deep costs one call.
 */
import {
  type AuthProvider,
  type FetchLike,
  type JSONRPCMessage,
  type OAuthClientProvider,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import {
  CUT_OFF,
  failedAnswer,
  MAX_MESSAGE_BYTES,
  type MessageId,
  PendingRequests,
  tooDeep,
} from "../message-guard.ts";
import { createServerFetch } from "./server-fetch.ts";

export type RemoteKind = "streamable_http" | "sse";

export interface RemoteTransportOptions {
  readonly kind: RemoteKind;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: FetchLike;
  readonly authProvider?: AuthProvider | OAuthClientProvider;
  /** Put around the fetch that goes out, innermost last. */
  wrapFetch?(fetch: FetchLike): FetchLike;
  readonly maxMessageBytes?: number;
}

const STREAM_RETRIES = {
  initialReconnectionDelay: 500,
  reconnectionDelayGrowFactor: 1.5,
  maxReconnectionDelay: 5000,
  maxRetries: 4,
};
const GOODBYE_MS = 500;

export class RemoteTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly kind: RemoteKind;
  readonly hasPerRequestStream: boolean;
  readonly #inner: StreamableHTTPClientTransport | SSEClientTransport;
  readonly #pending = new PendingRequests();
  #state: "new" | "started" | "lost" | "closed" = "new";
  #networkFailure: Error | undefined;

  constructor(options: RemoteTransportOptions) {
    this.kind = options.kind;
    this.hasPerRequestStream = options.kind === "streamable_http";
    const plain = createServerFetch({
      request: options.request,
      server: options.url,
      headers: options.headers,
      pending: this.#pending,
      maxMessageBytes: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
      onSessionLost: () => this.#break(),
      onNetworkFailure: (error) => {
        this.#networkFailure = error;
      },
    });
    const shared = {
      fetch: options.wrapFetch?.(plain) ?? plain,
      ...(options.authProvider && { authProvider: options.authProvider }),
    };
    this.#inner =
      options.kind === "sse"
        ? new SSEClientTransport(options.url, shared)
        : new StreamableHTTPClientTransport(options.url, { ...shared, reconnectionOptions: STREAM_RETRIES });
  }

  get sessionId(): string | undefined {
    return this.#inner instanceof StreamableHTTPClientTransport ? this.#inner.sessionId : undefined;
  }

  /** Why nothing came through, when that was the network's fault. */
  get networkFailure(): Error | undefined {
    return this.#networkFailure;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#receive(message);
    this.#inner.onerror = (error) => this.#noteError(error);
    this.#inner.onclose = () => this.#finish();
    await this.#inner.start();
    if (this.#state === "new") this.#state = "started";
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const id = this.#pending.noteSent(message);
    if (id === undefined) return await this.#post(message, options);
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      this.#failUnanswered(id);
    };
    try {
      await this.#post(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      this.#pending.settle(id);
      throw error;
    }
  }

  async #post(message: JSONRPCMessage, options: TransportSendOptions): Promise<void> {
    if (this.#inner instanceof StreamableHTTPClientTransport)
      await this.#inner.send(message, toInner(options));
    else await this.#inner.send(message);
  }

  async finishAuth(callback: URLSearchParams): Promise<void> {
    await this.#inner.finishAuth(callback);
  }

  async close(): Promise<void> {
    if (this.#state === "started" && this.#inner instanceof StreamableHTTPClientTransport)
      await withinGoodbye(this.#inner.terminateSession());
    if (this.#state !== "lost") this.#state = "closed";
    await this.#inner.close();
    this.#finish();
  }

  #receive(received: JSONRPCMessage): void {
    const message = this.#pending.noteReceived(received);
    const problem = tooDeep(message);
    if (problem === undefined) return this.onmessage?.(message);
    const id = (message as { id?: unknown }).id;
    if (typeof id === "string" || typeof id === "number") this.onmessage?.(failedAnswer(id, problem));
  }

  #noteError(error: Error): void {
    this.onerror?.(error);
    // An event source would connect again by itself, but to a session that knows nothing of ours.
    const streamGone = error instanceof SseError || /Maximum reconnection attempts/.test(error.message);
    if (streamGone && this.#state === "started") this.#break();
  }

  #break(): void {
    if (this.#state !== "started") return;
    this.#state = "lost";
    // Not from within the call that noticed it: its own error says more.
    setImmediate(() => void this.close().catch(() => {}));
  }

  #failUnanswered(id: MessageId): void {
    if (!this.#pending.settle(id) || this.#state === "closed") return;
    this.onmessage?.(failedAnswer(id, CUT_OFF));
  }

  #finish(): void {
    const onclose = this.onclose;
    delete this.onclose;
    onclose?.();
  }
}

/** The SDK's own option types do not take an explicit undefined. */
function toInner(options: TransportSendOptions) {
  const { resumptionToken, onresumptiontoken, requestSignal, onRequestStreamEnd, headers } = options;
  return {
    ...(resumptionToken !== undefined && { resumptionToken }),
    ...(onresumptiontoken && { onresumptiontoken }),
    ...(requestSignal && { requestSignal }),
    ...(onRequestStreamEnd && { onRequestStreamEnd }),
    ...(headers && { headers }),
  };
}

async function withinGoodbye(goodbye: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GOODBYE_MS);
  });
  await Promise.race([goodbye.catch(() => {}), late]);
  clearTimeout(timer);
}
