/**
 * One extension's connection through its life: idle → starting → ready, lost and opened again when it is needed.
 * At most one start runs at a time, and whoever needs the server waits for the same one. A process that keeps
 * crashing is left alone for a while; a remote server that went away is looked for again in the background.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ExtensionConfig } from "./config.ts";
import type { Connected, ConnectOptions, Verdict } from "./connect-options.ts";
import type { Connection } from "./connection.ts";
import { ExtensionError } from "./extension-error.ts";
import { ConnectionCutError } from "./http/network-error.ts";
import type { ExtensionState } from "./port.ts";
import { RestartPolicy } from "./restart-policy.ts";

export type LifecycleConnect = Omit<ConnectOptions, "signal" | "onClose" | "verdict">;

export interface LifecycleOptions {
  readonly connect: LifecycleConnect;
  readonly verdict?: Verdict;
  onState(state: ExtensionState): void;
  /** Learns what the server offers; the start has succeeded when this has. */
  onConnected(connected: Connected, options: { readonly signal: AbortSignal }): Promise<void>;
}

/** How long somebody waits for a remote server that was there before and is being restarted. */
const RECONNECT_PATIENCE_MS = 5000;
const RECONNECT_EVERY_MS = 300;
/** When it is looked for in the background, so that its tools are right before somebody calls one. */
const BACKGROUND_RECONNECT_MS = [500, 1000, 2000, 4000, 8000, 16_000, 30_000] as const;

export class Lifecycle {
  readonly #config: ExtensionConfig;
  readonly #options: LifecycleOptions;
  readonly #restarts = new RestartPolicy();
  readonly #life = new AbortController();
  readonly #remote: boolean;
  #verdict: Verdict | undefined;
  #state: ExtensionState = { type: "idle" };
  #connection: Connection | undefined;
  #starting: Promise<Connection> | undefined;
  #wasReady = false;
  #searching = false;

  constructor(config: ExtensionConfig, options: LifecycleOptions) {
    this.#config = config;
    this.#options = options;
    this.#verdict = options.verdict;
    this.#remote = config.type === "sse" || config.type === "streamable_http";
  }

  get state(): ExtensionState {
    return this.#state;
  }

  /** The connection, if there is one now. */
  get current(): Connection | undefined {
    return this.#connection;
  }

  /** Ends with the extension. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** Opens one if there is none. */
  async connection(): Promise<Connection> {
    if (this.#connection) return this.#connection;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return await this.#starting;
  }

  /** This connection is of no use any more. */
  drop(connection: Connection, reason: string): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    void connection.close().catch(() => {});
    this.#noteLoss(reason);
  }

  async stop(): Promise<void> {
    if (this.#state.type === "stopped") return;
    this.#setState({ type: "stopped" });
    this.#life.abort();
    await this.#starting?.catch(() => {});
    await this.#connection?.close();
  }

  async #start(): Promise<Connection> {
    if (this.#state.type === "stopped")
      throw new ExtensionError("start-failed", `Extension ${this.#config.key} was stopped.`);
    const until = performance.now() + (this.#remote && this.#wasReady ? RECONNECT_PATIENCE_MS : 0);
    for (let tries = 1; ; tries++) {
      await this.#waitForTurn();
      try {
        return await this.#open();
      } catch (error) {
        const away = error instanceof ExtensionError && error.code === "unreachable";
        const patient = performance.now() < until || (tries === 1 && wasCut(error));
        if (!away || this.#life.signal.aborted || !patient) throw error;
        await delay(RECONNECT_EVERY_MS, undefined, { signal: this.#life.signal });
      }
    }
  }

  async #open(): Promise<Connection> {
    const since = Date.now();
    this.#setState({ type: "starting", since });
    let connected: Connected | undefined;
    try {
      const { connect } = await import("./connect.ts");
      connected = await connect(this.#config, {
        ...this.#options.connect,
        startupTimeoutMs: this.#startupTimeoutMs,
        ...(this.#verdict && { verdict: this.#verdict }),
        signal: this.#life.signal,
        onClose: () => connected && this.#closed(connected.connection),
      });
      const { connection, verdict } = connected;
      this.#connection = connection;
      await this.#learn(connected);
      this.#verdict = verdict;
      this.#wasReady = true;
      const { pid } = connection.peer;
      this.#setState({
        type: "ready",
        era: connection.era,
        ...(pid !== undefined && { pid }),
        ...(verdict.transport && { transport: verdict.transport }),
        startedInMs: Date.now() - since,
      });
      return connection;
    } catch (error) {
      this.#connection = undefined;
      await connected?.connection.close().catch(() => {});
      if (this.#life.signal.aborted) throw error;
      this.#restarts.noteCrash(performance.now());
      this.#setState({ type: "failed", reason: messageOf(error), at: Date.now() });
      throw error;
    }
  }

  async #learn(connected: Connected): Promise<void> {
    const startupTimeoutMs = this.#startupTimeoutMs;
    const limit = AbortSignal.timeout(startupTimeoutMs);
    try {
      await this.#options.onConnected(connected, { signal: AbortSignal.any([this.#life.signal, limit]) });
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new ExtensionError(
        "start-failed",
        `Extension ${this.#config.key} did not start: it did not list what it offers within ${startupTimeoutMs / 1000} s` +
          connected.connection.stderrTail(),
        { cause: error, mayHaveRun: false },
      );
    }
  }

  get #startupTimeoutMs(): number {
    const { startupSeconds } = this.#config;
    return startupSeconds === undefined ? this.#options.connect.startupTimeoutMs : startupSeconds * 1000;
  }

  async #waitForTurn(): Promise<void> {
    // Asking a remote address again harms nobody, and it may be there any moment.
    if (this.#remote) return;
    const next = this.#restarts.next(performance.now());
    if (next.type === "start") {
      if (next.waitMs > 0) await delay(next.waitMs, undefined, { signal: this.#life.signal });
      return;
    }
    const seconds = Math.ceil(next.retryInMs / 1000);
    const last = this.#state.type === "failed" ? `\nThe last failure: ${this.#state.reason}` : "";
    throw new ExtensionError(
      "start-failed",
      `Extension ${this.#config.key} failed 5 times within a minute and is not started again for ${seconds} s.${last}`,
      { mayHaveRun: false },
    );
  }

  #closed(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#noteLoss(
      `${this.#config.key} ${connection.peer.ended() ?? "closed the connection"}${connection.stderrTail()}`,
    );
  }

  #noteLoss(reason: string): void {
    if (this.#state.type === "stopped") return;
    this.#restarts.noteCrash(performance.now());
    // A start that is under way tells its own story.
    if (this.#starting) return;
    this.#setState({ type: "failed", reason, at: Date.now() });
    if (this.#remote) void this.#search();
  }

  async #search(): Promise<void> {
    if (this.#searching) return;
    this.#searching = true;
    try {
      for (const wait of BACKGROUND_RECONNECT_MS) {
        await delay(wait, undefined, { signal: this.#life.signal, ref: false });
        const over = await this.connection().then(
          () => true,
          // Only a server that is away may come back by itself; the rest needs somebody who calls.
          (error: unknown) => !(error instanceof ExtensionError && error.code === "unreachable"),
        );
        if (over) return;
      }
    } catch {
      // The extension was stopped.
    } finally {
      this.#searching = false;
    }
  }

  /** While a server that went away is looked for, nobody is told again and again that it is not there. */
  #setState(state: ExtensionState): void {
    const known = this.#searching && (state.type === "starting" || state.type === "failed");
    this.#state = state;
    if (!known) this.#options.onState(state);
  }
}

/** Somebody is there: a greeting and a list that were cut off do nothing twice. */
function wasCut(error: unknown): boolean {
  return error instanceof Error && (error instanceof ConnectionCutError || wasCut(error.cause));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
