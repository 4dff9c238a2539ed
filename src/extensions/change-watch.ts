/**
 * Hears what a server says has changed: pushed in the legacy eras, over a `subscriptions/listen` stream in the
 * modern one. The stream is opened in the background and again when it ends; a server that does not know it is
 * simply not listened to. What a server never declared is not believed.
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  type Client,
  type McpSubscription,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type SubscriptionFilter,
} from "@modelcontextprotocol/client";
import { ConnectionCutError, NotConnectedError } from "./http/network-error.ts";
import type { Era, ServerChange } from "./port.ts";

export interface ChangeWatchOptions {
  onChange(change: ServerChange): void;
  /** A listening stream broke and could not be opened again: the server is probably gone. */
  onStreamLost(): void;
}

const LISTEN_TIMEOUT_MS = 10_000;
const RETRY_MS = [200, 1000, 3000] as const;

export class ChangeWatch {
  readonly #client: Client;
  readonly #era: Era;
  readonly #options: ChangeWatchOptions;
  readonly #life = new AbortController();
  readonly #uris = new Set<string>();
  #stream: McpSubscription | undefined;
  #opening: Promise<void> = Promise.resolve();

  constructor(client: Client, era: Era, options: ChangeWatchOptions) {
    this.#client = client;
    this.#era = era;
    this.#options = options;
    this.#hear();
    if (era === "modern") this.#reopen();
  }

  async subscribe(uri: string): Promise<void> {
    if (this.#uris.has(uri) || !this.#client.getServerCapabilities()?.resources?.subscribe) return;
    this.#uris.add(uri);
    if (this.#era === "legacy")
      await this.#client.request({ method: "resources/subscribe", params: { uri } });
    else await this.#reopen();
  }

  async unsubscribe(uri: string): Promise<void> {
    if (!this.#uris.delete(uri)) return;
    if (this.#era === "legacy")
      await this.#client.request({ method: "resources/unsubscribe", params: { uri } });
    else await this.#reopen();
  }

  stop(): void {
    this.#life.abort();
    void this.#stream?.close().catch(() => {});
  }

  #hear(): void {
    const client = this.#client;
    const declared = client.getServerCapabilities();
    const tell = (change: ServerChange) => {
      if (!this.#life.signal.aborted) this.#options.onChange(change);
    };
    if (declared?.tools)
      client.setNotificationHandler("notifications/tools/list_changed", () => tell({ type: "tools" }));
    if (declared?.prompts)
      client.setNotificationHandler("notifications/prompts/list_changed", () => tell({ type: "prompts" }));
    if (!declared?.resources) return;
    client.setNotificationHandler("notifications/resources/list_changed", () => tell({ type: "resources" }));
    client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
      tell({ type: "resource", uri: params.uri }),
    );
  }

  /** One after the other: the new stream is there before the old one goes, so that nothing is missed. */
  #reopen(): Promise<void> {
    this.#opening = this.#opening
      .then(() => this.#open())
      .catch((error: unknown) => (isHopeless(error) ? undefined : void this.#openAgain()));
    return this.#opening;
  }

  async #open(): Promise<void> {
    const filter = this.#filter();
    const old = this.#stream;
    this.#stream = undefined;
    if (!this.#life.signal.aborted && Object.keys(filter).length > 0) {
      const stream = await this.#client.listen(filter, { timeout: LISTEN_TIMEOUT_MS });
      this.#stream = stream;
      void stream.closed.then((cause) => this.#ended(stream, cause));
    }
    await old?.close().catch(() => {});
  }

  async #ended(stream: McpSubscription, cause: "local" | "graceful" | "remote"): Promise<void> {
    if (cause === "local" || this.#stream !== stream) return;
    await this.#openAgain();
  }

  async #openAgain(): Promise<void> {
    if (this.#life.signal.aborted) return;
    let failure: unknown;
    for (const wait of RETRY_MS) {
      try {
        await delay(wait, undefined, { signal: this.#life.signal, ref: false });
        await this.#open();
      } catch (error) {
        if (this.#life.signal.aborted || isHopeless(error)) return;
        failure = error;
        continue;
      }
      // What changed while nobody listened is not told again.
      for (const type of ["tools", "prompts", "resources"] as const) this.#options.onChange({ type });
      for (const uri of this.#uris) this.#options.onChange({ type: "resource", uri });
      return;
    }
    if (failure instanceof NotConnectedError || failure instanceof ConnectionCutError)
      this.#options.onStreamLost();
  }

  #filter(): SubscriptionFilter {
    const declared = this.#client.getServerCapabilities();
    return {
      ...(declared?.tools?.listChanged && { toolsListChanged: true }),
      ...(declared?.prompts?.listChanged && { promptsListChanged: true }),
      ...(declared?.resources?.listChanged && { resourcesListChanged: true }),
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris] }),
    };
  }
}

/** The server does not have such a stream, in JSON-RPC's words, in HTTP's, or by saying nothing. */
function isHopeless(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status >= 400 && error.status < 500;
  return (
    (error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound) ||
    (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
  );
}
