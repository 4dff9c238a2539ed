/**
 * A session: one model, a set of extensions and a conversation. This is what the command line, a browser and a
 * program of one's own use; they send words and read AgentEvents.
 */
import { arch, platform } from "node:os";
import { buildSystemPrompt, type ContextSource, run } from "../agent/index.ts";
import type {
  AgentEvent,
  Message,
  ShelfEntry,
  ToolDefinition,
  ToolRequest,
  UserMessage,
} from "../conversation/index.ts";
import { userMessage } from "../conversation/index.ts";
import type { Extension, ExtensionConfig, ExtensionState, ToolBox } from "../extensions/index.ts";
import { createSessionExtension, ShownTools, shortenResults } from "../platform/index.ts";
import { type ApprovalMode, decideSampling } from "../policy/index.ts";
import type { Model } from "../providers/model.ts";
import { KeptResults } from "../sessions/index.ts";
import { ActiveResources } from "./active-resources.ts";
import { Approvals } from "./approvals.ts";
import { hasActiveResources } from "./builtins.ts";
import { extensionConfigs } from "./extension-input.ts";
import { ExtensionNews } from "./extension-news.ts";
import { type OpenExtensions, type OpenExtensionsOptions, openExtensions } from "./open-extensions.ts";
import type { ExtensionInput, Session } from "./session-port.ts";
import { searchNotice, type ToolSearchSettings, toolSearchLimits } from "./tool-search.ts";

export interface SessionOptions extends Omit<OpenExtensionsOptions, "onState"> {
  readonly model: Model;
  /** Why this model, when nobody chose it: said once. */
  readonly reason?: string;
  readonly extensions: readonly ExtensionConfig[];
  readonly approve: ApprovalMode;
  readonly maxTurns: number;
  /** Tokens that resources may take in the context; a tenth of the model's window when not given. */
  readonly contextBudget?: number;
  /** When the model gets a search instead of all tools; see shown-tools.ts of the platform. */
  readonly toolSearch?: ToolSearchSettings;
  readonly history?: readonly Message[];
}

/** Resources may take this part of the model's window by themselves. */
const CONTEXT_SHARE = 10;
/** How long the first question waits for extensions whose tools nobody knows yet. */
const GATHER_GRACE_MS = 2000;
/** After the first question to the model: starting processes must not compete with it. */
const VERIFY_AFTER_MS = 50;

export class LiveSession implements Session {
  readonly #options: SessionOptions;
  readonly #open: OpenExtensions;
  readonly #news: ExtensionNews;
  readonly #resources: ActiveResources;
  readonly #kept = new KeptResults();
  readonly #shown: ShownTools;
  readonly #toolBox: ToolBox;
  #messages: Message[];
  readonly #approvals: Approvals;
  /** Builtins that are known to have no active resources. */
  readonly #quiet = new Set<string>();
  readonly #notices: AgentEvent[] = [];
  #system: string | undefined;
  #busy = false;
  #verified = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#messages = [...(options.history ?? [])];
    if (options.reason !== undefined)
      this.#notices.push({ type: "notice", level: "info", text: options.reason });
    this.#open = openExtensions(options.extensions, {
      ...options,
      onState: (key, state) => this.#noteState(key, state),
      onNotice: (_key, text) => this.#notices.push({ type: "notice", level: "warning", text }),
      onToolChange: ({ name, extension }, { diff }) =>
        this.#notices.push({ type: "tool-changed", name, extension, diff }),
    });
    this.#open.manager.attach(createSessionExtension(this.#kept));
    this.#shown = new ShownTools(this.#open.toolBox, this.#open.manager, {
      ...toolSearchLimits(options.toolSearch, options.model.limits),
      history: this.#messages,
      onSearch: ({ shown, all }) =>
        this.#notices.push({ type: "notice", level: "info", text: searchNotice(shown, all) }),
    });
    this.#toolBox = shortenResults(this.#shown, this.#kept);
    this.#approvals = new Approvals(options.approve, this.#open.manager);
    this.#news = new ExtensionNews(this.#open.manager, () => this.#shown.heldBack());
    this.#noteQuiet(options.extensions);
    this.#resources = new ActiveResources(this.#open.manager, {
      budget: options.contextBudget ?? Math.floor(options.model.limits.context / CONTEXT_SHARE),
      mayBeActive: (key) => !this.#quiet.has(key),
      onShelf: (shelf) => this.#notices.push({ type: "context-change", shelf }),
    });
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get extensions(): readonly Extension[] {
    return this.#open.manager.all();
  }

  get tools(): readonly ToolDefinition[] {
    return this.#open.toolBox.tools();
  }

  addExtension(input: ExtensionInput): void {
    const configs = extensionConfigs([], [input]);
    this.#noteQuiet(configs);
    for (const config of configs) this.#open.manager.add(config);
  }

  async removeExtension(key: string): Promise<void> {
    await this.#open.manager.remove(key);
  }

  get shelf(): readonly ShelfEntry[] {
    return this.#resources.shelf;
  }

  attach(extension: string, uri: string, why: "attached" | "pinned" = "attached"): void {
    this.#resources.attach(extension, uri, why);
  }

  drop(uri: string): boolean {
    return this.#resources.drop(uri);
  }

  warm(): void {
    this.#open.manager.warm();
  }

  async *send(
    input: string | UserMessage,
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<AgentEvent, void> {
    if (this.#busy)
      throw new Error("The session is still answering: read its events to the end, or abort it, first.");
    this.#busy = true;
    try {
      yield* this.#run(
        typeof input === "string" ? userMessage(input) : input,
        options.signal ?? new AbortController().signal,
      );
    } finally {
      this.#busy = false;
    }
  }

  async close(): Promise<void> {
    await this.#open.close();
    this.#kept.close();
  }

  async *#run(input: UserMessage, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
    await this.#open.manager.gather(GATHER_GRACE_MS);
    this.#system ??= this.#buildSystem();
    this.#resources.startRun();
    this.#approvals.startRun();
    const ports = {
      model: this.#options.model,
      toolBox: this.#toolBox,
      decide: (tool: ToolDefinition, request: ToolRequest) => this.#approvals.decide(tool, request),
      remember: (tool: ToolDefinition) => this.#approvals.remember(tool),
      decideSampling: () => decideSampling(this.#options.approve),
      context: contextOf([this.#news, this.#resources]),
    };
    const { maxTurns } = this.#options;
    for await (const event of run(input, ports, {
      system: this.#system,
      history: this.#messages,
      maxTurns,
      signal,
    })) {
      if (event.type === "message") {
        this.#messages.push(event.message);
        const { message } = event;
        if (message.role === "user" && message.origin === "context") this.#approvals.noteContext(message);
      }
      if (event.type === "tool-result") this.#approvals.noteResult(event.response);
      if (event.type === "compaction") this.#messages = [...event.messages];
      yield* this.#notices.splice(0);
      yield event;
      // The first question to the model is on its way: now there is time to see whether what we remember still holds.
      if (event.type === "turn-start") this.#verifySoon();
    }
  }

  #verifySoon(): void {
    if (this.#verified) return;
    this.#verified = true;
    setTimeout(() => this.#open.manager.verify(), VERIFY_AFTER_MS).unref();
  }

  #buildSystem(): string {
    return buildSystemPrompt({
      workingDirectory: this.#options.workingDirectory,
      platform: `${platform()} ${arch()}`,
      date: new Date().toISOString().slice(0, 10),
      extensions: this.#news.introduce(),
    });
  }

  #noteQuiet(configs: readonly ExtensionConfig[]): void {
    for (const config of configs) {
      if (config.type === "builtin" && !hasActiveResources(config.name)) this.#quiet.add(config.key);
    }
  }

  #noteState(_key: string, state: ExtensionState): void {
    if (state.type === "failed") this.#notices.push({ type: "notice", level: "warning", text: state.reason });
  }
}

/** Several sources as one, asked in order. */
function contextOf(sources: readonly ContextSource[]): ContextSource {
  return {
    collect: async (options) => (await Promise.all(sources.map((source) => source.collect(options)))).flat(),
    reset: () => {
      for (const source of sources) source.reset?.();
    },
  };
}
