/**
 * Owns the lifecycle of all extensions: adds them, starts them in the background, ends them.
 * Nothing else: names live in tool-table.ts, calls in dispatch.ts, connecting in connect.ts.
 */
import { type ExtensionConfig, RESERVED_KEYS } from "./config.ts";
import { ExtensionError } from "./extension-error.ts";
import type { LifecycleConnect } from "./lifecycle.ts";
import { McpExtension, type Remembered } from "./mcp-extension.ts";
import type { Extension, ExtensionState, Listing } from "./port.ts";
import { ToolTable } from "./tool-table.ts";

/** Remembers what servers said at their last start. Failures to remember are not failures. */
export interface ListingMemory {
  recall(config: ExtensionConfig): Remembered | undefined;
  remember(config: ExtensionConfig, remembered: Remembered): void;
}

export interface ManagerOptions {
  readonly connect: LifecycleConnect;
  readonly memory?: ListingMemory;
  onState?(key: string, state: ExtensionState): void;
  /** Something the person should know although nothing failed. */
  onNotice?(key: string, text: string): void;
}

export class ExtensionManager {
  readonly table = new ToolTable();
  readonly #options: ManagerOptions;
  readonly #extensions = new Map<string, Extension>();

  constructor(options: ManagerOptions) {
    this.#options = options;
  }

  all(): readonly Extension[] {
    return [...this.#extensions.values()];
  }

  get(key: string): Extension | undefined {
    return this.#extensions.get(key);
  }

  /** Adds an MCP server; it starts when `start` is called or when it is first needed. */
  add(config: ExtensionConfig): Extension {
    const memory = this.#options.memory;
    const remembered = memory?.recall(config);
    const extension = new McpExtension(config, {
      connect: this.#options.connect,
      ...(remembered && { remembered }),
      onListing: (listing, verdict) => {
        this.#list(config.key, listing);
        memory?.remember(config, { listing, ...verdict });
      },
      onState: (state) => this.#options.onState?.(config.key, state),
      onNotice: (text) => this.#options.onNotice?.(config.key, text),
    });
    return this.attach(extension);
  }

  /** Adds an extension that is already there: the platform, or one of a test. */
  attach(extension: Extension): Extension {
    if (RESERVED_KEYS.includes(extension.key) && extension.kind !== "platform") {
      throw new ExtensionError(
        "config",
        `An extension may not be called "${extension.key}": that is Kari's own. Choose another name.`,
      );
    }
    if (this.#extensions.has(extension.key)) {
      throw new ExtensionError(
        "config",
        `Two extensions have the key "${extension.key}". Give one of them another name.`,
      );
    }
    this.#extensions.set(extension.key, extension);
    if (extension.listing) this.#list(extension.key, extension.listing);
    return extension;
  }

  async remove(key: string): Promise<void> {
    const extension = this.#extensions.get(key);
    this.#extensions.delete(key);
    this.table.remove(key);
    await extension?.stop();
  }

  /**
   * Starts every extension whose tools are not known yet, all at once, and waits for them at most `graceMs`
   * (for those marked required, until they are there or failed). Failures are states, not exceptions.
   */
  async gather(graceMs: number): Promise<void> {
    const unknown = this.all().filter((extension) => extension.listing === undefined);
    if (unknown.length === 0) return;
    const starts = unknown.map((extension) => ({ extension, done: extension.start().then(noop, noop) }));
    const required = starts.filter(
      ({ extension }) => extension instanceof McpExtension && extension.config.required,
    );
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(starts.map(({ done }) => done)), grace]);
    clearTimeout(timer);
    await Promise.all(required.map(({ done }) => done));
  }

  /** Starts whatever is idle, in the background: known tools are listed already, a first call finds it ready. */
  warm(): void {
    for (const extension of this.all()) {
      if (extension.state.type === "idle") void extension.start().then(noop, noop);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.all().map((extension) => extension.stop()));
  }

  #list(key: string, listing: Listing): void {
    this.table.assign(key, listing.tools);
  }
}

function noop(): void {}
