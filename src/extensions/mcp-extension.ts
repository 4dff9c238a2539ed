/**
 * One extension through its life: idle → starting → ready, failed or crashed and started again on the next call.
 * At most one start runs at a time, and whoever needs the server waits for the same one.
 * What connecting means lives in connect.ts; what a call means in connection.ts.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject, Resource, ResourceContents, ResourceTemplate } from "../conversation/index.ts";
import type { ExtensionConfig } from "./config.ts";
import type { ConnectOptions, PriorDiscovery } from "./connect.ts";
import type { Connection } from "./connection.ts";
import { ExtensionError } from "./extension-error.ts";
import type { CallOptions, CallResult, Extension, ExtensionState, Listing, StrayLines } from "./port.ts";
import { RestartPolicy } from "./restart-policy.ts";

/** What is remembered of a server between starts, and known of a builtin from the build. */
export interface Remembered {
  readonly listing: Listing;
  readonly prior?: PriorDiscovery;
}

export interface McpExtensionOptions {
  readonly connect: Omit<ConnectOptions, "signal" | "onClose" | "onToolsChanged" | "prior">;
  readonly remembered?: Remembered;
  /** Told whenever the listing is learned or changes. */
  onListing(listing: Listing): void;
  onState(state: ExtensionState): void;
}

export class McpExtension implements Extension {
  readonly key: string;
  readonly kind: ExtensionConfig["type"];
  readonly config: ExtensionConfig;
  readonly #options: McpExtensionOptions;
  readonly #restarts = new RestartPolicy();
  readonly #life = new AbortController();
  #state: ExtensionState = { type: "idle" };
  #listing: Listing | undefined;
  #connection: Connection | undefined;
  #starting: Promise<Connection> | undefined;

  constructor(config: ExtensionConfig, options: McpExtensionOptions) {
    this.key = config.key;
    this.kind = config.type;
    this.config = config;
    this.#options = options;
    this.#listing = options.remembered && this.#offered(options.remembered.listing);
  }

  get state(): ExtensionState {
    return this.#state;
  }

  get listing(): Listing | undefined {
    return this.#listing;
  }

  async start(): Promise<Listing> {
    await this.#connected();
    return this.#listing ?? { tools: [], hasResources: false };
  }

  async callTool(name: string, args: JsonObject, options: CallOptions): Promise<CallResult> {
    const connection = await this.#connected();
    const tool = this.#listing?.tools.find((candidate) => candidate.name === name);
    return await connection.callTool(tool, name, args, options);
  }

  async listResources(options: CallOptions): Promise<readonly Resource[]> {
    return await (await this.#connected()).listResources(options);
  }

  async listResourceTemplates(options: CallOptions): Promise<readonly ResourceTemplate[]> {
    return await (await this.#connected()).listResourceTemplates(options);
  }

  async readResource(uri: string, options: CallOptions): Promise<readonly ResourceContents[]> {
    return await (await this.#connected()).readResource(uri, options);
  }

  strayLines(): StrayLines {
    return this.#connection?.peer.stray() ?? { count: 0, samples: [] };
  }

  async stop(): Promise<void> {
    if (this.#state.type === "stopped") return;
    this.#setState({ type: "stopped" });
    this.#life.abort();
    await this.#starting?.catch(() => {});
    await this.#connection?.close();
  }

  async #connected(): Promise<Connection> {
    if (this.#connection) return this.#connection;
    this.#starting ??= this.#open().finally(() => {
      this.#starting = undefined;
    });
    return await this.#starting;
  }

  async #open(): Promise<Connection> {
    if (this.#state.type === "stopped")
      throw new ExtensionError("start-failed", `Extension ${this.key} was stopped.`);
    await this.#waitForTurn();
    const since = Date.now();
    this.#setState({ type: "starting", since });
    try {
      const { connect } = await import("./connect.ts");
      const connection = await connect(this.config, {
        ...this.#options.connect,
        ...(this.#options.remembered?.prior && { prior: this.#options.remembered.prior }),
        signal: this.#life.signal,
        onClose: () => this.#lost(connection),
        onToolsChanged: () => void this.#relist(connection),
      });
      this.#connection = connection;
      await this.#learn(connection);
      const { pid } = connection.peer;
      this.#setState({
        type: "ready",
        era: connection.era,
        ...(pid !== undefined && { pid }),
        startedInMs: Date.now() - since,
      });
      return connection;
    } catch (error) {
      this.#connection = undefined;
      this.#restarts.noteCrash(Date.now());
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#life.signal.aborted) throw error;
      this.#setState({ type: "failed", reason, at: Date.now() });
      throw error;
    }
  }

  async #waitForTurn(): Promise<void> {
    const next = this.#restarts.next(Date.now());
    if (next.type === "start") {
      if (next.waitMs > 0) await delay(next.waitMs, undefined, { signal: this.#life.signal });
      return;
    }
    const seconds = Math.ceil(next.retryInMs / 1000);
    const last = this.#state.type === "failed" ? `\nThe last failure: ${this.#state.reason}` : "";
    throw new ExtensionError(
      "start-failed",
      `Extension ${this.key} failed 5 times within a minute and is not started again for ${seconds} s.${last}`,
    );
  }

  async #learn(connection: Connection): Promise<void> {
    const known = this.#options.remembered;
    // A builtin's list is part of this very build: asking the child would only repeat it.
    if (this.kind === "builtin" && known) return;
    const listing = this.#offered(await connection.listing({ signal: this.#life.signal }));
    this.#listing = listing;
    this.#options.onListing(listing);
  }

  async #relist(connection: Connection): Promise<void> {
    if (this.#connection !== connection) return;
    try {
      const listing = this.#offered(await connection.listing({ signal: this.#life.signal }));
      this.#listing = listing;
      this.#options.onListing(listing);
    } catch {
      // The old list stays; a call to a tool that is gone gets the server's own answer.
    }
  }

  #lost(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (this.#state.type === "stopped") return;
    this.#restarts.noteCrash(Date.now());
    const reason = `${this.key} ${connection.peer.ended() ?? "closed the connection"}${connection.stderrTail()}`;
    this.#setState({ type: "failed", reason, at: Date.now() });
  }

  #offered(listing: Listing): Listing {
    const available = this.config.availableTools;
    if (!available || available.length === 0) return listing;
    return { ...listing, tools: listing.tools.filter((tool) => available.includes(tool.name)) };
  }

  #setState(state: ExtensionState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}
