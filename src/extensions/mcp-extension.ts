/**
 * One MCP server as an extension: what it offers, kept up to date, and calls that find it ready. Its connection's
 * life is lifecycle.ts; what connecting means is connect.ts; what a call means is connection.ts.
 */
import type {
  JsonObject,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Tool,
} from "../conversation/index.ts";
import { CallSlots } from "./call-slots.ts";
import { Coalescer } from "./coalescer.ts";
import { DEFAULT_CONCURRENCY, type ExtensionConfig } from "./config.ts";
import type { Connected, Verdict } from "./connect-options.ts";
import type { Connection } from "./connection.ts";
import { ExtensionError } from "./extension-error.ts";
import { Lifecycle, type LifecycleConnect } from "./lifecycle.ts";
import { offeredTools } from "./offered-tools.ts";
import type {
  CallOptions,
  CallResult,
  CompletionRequest,
  ExtensionState,
  Listing,
  Prompt,
  PromptResult,
  ServerChange,
  ServerExtension,
  StrayLines,
} from "./port.ts";

/** What is remembered of a server between starts, and known of a builtin from the build. */
export interface Remembered extends Verdict {
  readonly listing: Listing;
}

export interface McpExtensionOptions {
  readonly connect: LifecycleConnect;
  readonly remembered?: Remembered;
  /** Told whenever the listing is learned or changes. */
  onListing(listing: Listing, verdict: Verdict): void;
  onState(state: ExtensionState): void;
  onNotice(text: string): void;
}

const REFRESH_INTERVAL_MS = 1000;
/** How long a call's result waits for a list that changed during the call, so that the model sees both together. */
const REFRESH_WAIT_MS = 2000;
const HEADER_MISMATCH = -32_020;

export class McpExtension implements ServerExtension {
  readonly key: string;
  readonly kind: ExtensionConfig["type"];
  readonly config: ExtensionConfig;
  readonly #options: McpExtensionOptions;
  readonly #life: Lifecycle;
  readonly #slots: CallSlots;
  readonly #refresh = new Coalescer(REFRESH_INTERVAL_MS, () => this.#relist());
  readonly #listeners = new Set<(change: ServerChange) => void>();
  readonly #subscribed = new Set<string>();
  #listing: Listing | undefined;
  #verdict: Verdict = {};

  constructor(config: ExtensionConfig, options: McpExtensionOptions) {
    this.key = config.key;
    this.kind = config.type;
    this.config = config;
    this.#options = options;
    this.#slots = new CallSlots(config.maxConcurrency ?? DEFAULT_CONCURRENCY);
    this.#listing = options.remembered && this.#offered(options.remembered.listing, () => {});
    this.#life = new Lifecycle(config, {
      connect: { ...options.connect, onNotice: options.onNotice },
      ...(options.remembered && { verdict: options.remembered }),
      onState: options.onState,
      onConnected: (connected, { signal }) => this.#learn(connected, signal),
    });
  }

  get state(): ExtensionState {
    return this.#life.state;
  }

  get listing(): Listing | undefined {
    return this.#listing;
  }

  async start(): Promise<Listing> {
    await this.#life.connection();
    return this.#listing ?? { tools: [], hasResources: false };
  }

  async callTool(name: string, args: JsonObject, options: CallOptions): Promise<CallResult> {
    const { readOnlyHint, idempotentHint } = this.#tool(name)?.annotations ?? {};
    const repeatable = readOnlyHint === true || idempotentHint === true;
    const result = await this.#use(options, repeatable, async (connection) => {
      try {
        return await connection.callTool(this.#tool(name), name, args, options);
      } catch (error) {
        if (!isHeaderMismatch(error)) throw error;
        // The server reads other headers than we know of: its list is newer than ours. It has not run anything.
        await this.#relist();
        return await connection.callTool(this.#tool(name), name, args, options);
      }
    });
    await this.#refresh.settled(REFRESH_WAIT_MS);
    return result;
  }

  listResources(options: CallOptions): Promise<readonly Resource[]> {
    return this.#use(options, true, (connection) => connection.listResources(options));
  }

  listResourceTemplates(options: CallOptions): Promise<readonly ResourceTemplate[]> {
    return this.#use(options, true, (connection) => connection.listResourceTemplates(options));
  }

  readResource(uri: string, options: CallOptions): Promise<readonly ResourceContents[]> {
    return this.#use(options, true, (connection) => connection.readResource(uri, options));
  }

  listPrompts(options: CallOptions): Promise<readonly Prompt[]> {
    return this.#use(options, true, (connection) => connection.listPrompts(options));
  }

  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<PromptResult> {
    return this.#use(options, true, (connection) => connection.getPrompt(name, args, options));
  }

  complete(request: CompletionRequest, options: CallOptions): Promise<readonly string[]> {
    return this.#use(options, true, (connection) => connection.complete(request, options));
  }

  async subscribe(uri: string): Promise<void> {
    this.#subscribed.add(uri);
    await (await this.#life.connection()).subscribe(uri);
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#subscribed.delete(uri);
    await this.#life.current?.unsubscribe(uri);
  }

  onChange(listener: (change: ServerChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  strayLines(): StrayLines {
    return this.#life.current?.peer.stray() ?? { count: 0, samples: [] };
  }

  async stop(): Promise<void> {
    this.#refresh.stop();
    await this.#life.stop();
  }

  /**
   * Runs a request when it is its turn. When a remote server was away, the request is sent once more to the new
   * connection, unless the server may have acted on it already and does not say that acting twice is harmless.
   */
  async #use<T>(
    { signal }: CallOptions,
    repeatable: boolean,
    request: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const waiting = `A request to ${this.key} was cancelled while it waited`;
    const giveBack = await this.#slots.take(signal).catch(() => {
      throw new ExtensionError("cancelled", waiting, { mayHaveRun: false });
    });
    try {
      const connection = await unlessAborted(this.#life.connection(), signal, waiting);
      try {
        return await request(connection);
      } catch (error) {
        if (!(error instanceof ExtensionError)) throw error;
        if (error.code === "auth" && (await connection.authorize(signal))) return await request(connection);
        if (error.code !== "unreachable") throw error;
        this.#life.drop(connection, error.message);
        if (signal.aborted || (error.mayHaveRun && !repeatable)) throw error;
        return await request(await unlessAborted(this.#life.connection(), signal, waiting));
      }
    } finally {
      giveBack();
    }
  }

  async #learn({ connection, verdict }: Connected, signal: AbortSignal): Promise<void> {
    this.#verdict = verdict;
    // A builtin's list is part of this very build: asking the child would only repeat it.
    if (this.kind !== "builtin" || !this.#options.remembered)
      this.#adopt(await connection.listing({ signal }));
    connection.watchChanges({
      onChange: (change) => this.#noteChange(change),
      onStreamLost: () => this.#life.drop(connection, `${this.key} closed the connection`),
    });
    for (const uri of this.#subscribed) void connection.subscribe(uri).catch(() => {});
  }

  #noteChange(change: ServerChange): void {
    if (change.type === "tools") this.#refresh.request();
    for (const listener of this.#listeners) listener(change);
  }

  async #relist(): Promise<void> {
    const connection = this.#life.current;
    if (!connection) return;
    try {
      this.#adopt(await connection.listing({ signal: this.#life.signal }));
    } catch {
      // The old list stays; a call to a tool that is gone gets the server's own answer.
    }
  }

  #adopt(listing: Listing): void {
    this.#listing = this.#offered(listing, this.#options.onNotice);
    this.#options.onListing(this.#listing, this.#verdict);
  }

  #offered(listing: Listing, say: (text: string) => void): Listing {
    const { tools, leftOut } = offeredTools(listing.tools, this.config);
    for (const sentence of leftOut) say(sentence);
    return { ...listing, tools };
  }

  #tool(name: string): Tool | undefined {
    return this.#listing?.tools.find((tool) => tool.name === name);
  }
}

/** The SDK's classes are not loaded here: this file is there from the start, before anybody connects. */
function isHeaderMismatch(error: unknown): boolean {
  return (
    error instanceof ExtensionError &&
    (error.cause as { code?: unknown } | undefined)?.code === HEADER_MISMATCH
  );
}

/** Whoever waits may go; what is waited for goes on for the others. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal, reason: string): Promise<T> {
  const cancelled = Promise.withResolvers<never>();
  const onAbort = () => cancelled.reject(new ExtensionError("cancelled", reason, { mayHaveRun: false }));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, cancelled.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
