/**
 * Owns the lifecycle of all extensions: adds them, starts them in the background, ends them.
 * Nothing else: names live in tool-table.ts, calls in dispatch.ts, connecting in connect.ts.
 */
import type { ToolDefinition } from "../conversation/index.ts";
import { CallSlots } from "./call-slots.ts";
import { type ExtensionConfig, RESERVED_KEYS } from "./config.ts";
import { ExtensionError } from "./extension-error.ts";
import type { LifecycleConnect } from "./lifecycle.ts";
import { McpExtension, type Remembered } from "./mcp-extension.ts";
import type { Extension, ExtensionState, Listing } from "./port.ts";
import { type PinnedTools, type ToolChange, ToolPins } from "./tool-pins.ts";
import { ToolTable } from "./tool-table.ts";

/** What is kept of an extension between runs: what it said at its last start, and its tools as they were used. */
export interface KeptExtension extends Remembered {
  readonly pins?: PinnedTools;
}

/** Failures to remember are not failures. */
export interface ListingMemory {
  recall(config: ExtensionConfig): KeptExtension | undefined;
  remember(config: ExtensionConfig, kept: KeptExtension): void;
  /** It was waited for in vain once: nobody should wait for it again before it has been there. */
  wasLate?(config: ExtensionConfig): boolean;
  noteLate?(config: ExtensionConfig): void;
}

export interface ManagerOptions {
  readonly connect: LifecycleConnect;
  readonly memory?: ListingMemory;
  onState?(key: string, state: ExtensionState): void;
  /** Something the person should know although nothing failed. */
  onNotice?(key: string, text: string): void;
  /** A tool that was used before is described otherwise now. */
  onToolChange?(tool: ToolDefinition, change: ToolChange): void;
}

/** So many servers start at once in the background: each is a process that wants the processor to itself. */
const MAX_STARTS = 4;

export class ExtensionManager {
  readonly table = new ToolTable();
  readonly pins = new ToolPins();
  readonly #options: ManagerOptions;
  readonly #extensions = new Map<string, Extension>();
  readonly #kept = new Map<string, { readonly config: ExtensionConfig; last: Remembered | undefined }>();

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
    const remembered = this.#options.memory?.recall(config);
    this.#kept.set(config.key, { config, last: remembered });
    if (config.type !== "builtin") this.pins.open(config.key, remembered?.pins);
    const extension = new McpExtension(config, {
      connect: this.#options.connect,
      ...(remembered && { remembered }),
      onListing: (listing, verdict) => {
        this.#list(config.key, listing);
        this.#keep(config.key, { listing, ...verdict });
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

  /** A call was allowed to run: the tool is known as it is now. */
  noteUse(tool: ToolDefinition): void {
    if (this.pins.noteUse(tool)) this.#keep(tool.extension, this.#kept.get(tool.extension)?.last);
  }

  async remove(key: string): Promise<void> {
    const extension = this.#extensions.get(key);
    this.#extensions.delete(key);
    this.#kept.delete(key);
    this.table.remove(key);
    await extension?.stop();
  }

  /**
   * Starts every extension whose tools are not known yet and waits for them at most `graceMs` (for those marked
   * required, until they are there or failed; for those that were late before, not at all). Failures are states, not
   * exceptions.
   */
  async gather(graceMs: number): Promise<void> {
    const unknown = this.all().filter((extension) => extension.listing === undefined);
    if (unknown.length === 0) return;
    const required = unknown.filter(isRequired);
    const late = unknown.filter((extension) => !isRequired(extension) && this.#wasLate(extension));
    const awaited = unknown.filter((extension) => !isRequired(extension) && !late.includes(extension));
    const starts = startAll([...required, ...awaited, ...late]);
    await within(graceMs, Promise.all([...required, ...awaited].map((extension) => starts.get(extension))));
    for (const { key, state } of awaited) {
      const config = this.#kept.get(key)?.config;
      if (config && state.type !== "ready") this.#options.memory?.noteLate?.(config);
    }
    await Promise.all(required.map((extension) => starts.get(extension)));
  }

  /**
   * Starts in the background those whose tools are only remembered, so that what has changed since is known soon.
   * Builtins are not among them: what they offer is certain, and a process that nobody calls is a waste.
   */
  verify(): void {
    startAll(this.all().filter(({ state, kind }) => state.type === "idle" && kind !== "builtin"));
  }

  /** Starts whatever is idle, in the background: known tools are listed already, a first call finds it ready. */
  warm(): void {
    startAll(this.all().filter(({ state }) => state.type === "idle"));
  }

  async stop(): Promise<void> {
    await Promise.all(this.all().map((extension) => extension.stop()));
  }

  #wasLate({ key }: Extension): boolean {
    const config = this.#kept.get(key)?.config;
    return config !== undefined && this.#options.memory?.wasLate?.(config) === true;
  }

  #list(key: string, listing: Listing): void {
    this.table.assign(key, listing.tools);
    const tools = this.table.all().filter(({ extension }) => extension === key);
    for (const { tool, change } of this.pins.news(tools)) this.#options.onToolChange?.(tool, change);
  }

  #keep(key: string, remembered: Remembered | undefined): void {
    const kept = this.#kept.get(key);
    if (!kept || !remembered) return;
    kept.last = remembered;
    this.#options.memory?.remember(kept.config, { ...remembered, pins: this.pins.of(key) });
  }
}

function isRequired(extension: Extension): boolean {
  return extension instanceof McpExtension && extension.config.required === true;
}

/** A few at a time, in order. A start that fails is a state of that extension and no concern of the others. */
function startAll(extensions: readonly Extension[]): ReadonlyMap<Extension, Promise<void>> {
  const slots = new CallSlots(MAX_STARTS);
  const forever = new AbortController().signal;
  return new Map(
    extensions.map((extension) => {
      const start = slots.take(forever).then(async (giveBack) => {
        await extension.start().then(noop, noop);
        giveBack();
      });
      return [extension, start] as const;
    }),
  );
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

function noop(): void {}
