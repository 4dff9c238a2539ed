/**
 * A ToolBox that gives the model all tools while they are few, and otherwise those that matter with
 * platform__search_tools. What is shown keeps its place; what is found or called comes at the end and stays, so that
 * the prompt's prefix holds. Every tool can be called by its exact name, shown or not: this hides nothing from the
 * policy and allows nothing.
 */
import {
  type Message,
  type ToolDefinition,
  type ToolResponse,
  toolRequestsOf,
} from "../conversation/index.ts";
import {
  type ExtensionManager,
  exposedName,
  extensionKey,
  PLATFORM_KEY,
  type ToolBox,
} from "../extensions/index.ts";
import { estimateTokens } from "../lib/token-estimate.ts";
import { FOUND_TOOLS, SEARCH_TOOL } from "./search-tools.ts";

export interface ShownToolsOptions {
  /** With more tools than this, or more tokens of their definitions, the model searches. */
  readonly maxTools: number;
  readonly maxTokens: number;
  /** Extensions and tools (by exposed name) that are always shown. */
  readonly always?: readonly string[];
  /** A conversation that goes on: what was found and called in it is shown again. */
  readonly history?: readonly Message[];
  /** The model searches from now on. */
  onSearch?(counts: { readonly shown: number; readonly all: number }): void;
}

const SEARCH_NAME = exposedName(PLATFORM_KEY, SEARCH_TOOL);
/** OpenAI takes 128 tools; with the usual 100 that are shown at once, searches may add so many. */
const ROOM_FOR_FOUND = 24;

export class ShownTools implements ToolBox {
  readonly #toolBox: ToolBox;
  readonly #manager: ExtensionManager;
  readonly #options: ShownToolsOptions;
  /** In the order in which the model is given them. */
  readonly #shown = new Set<string>();
  /** Every tool that was there once and for which it was decided. */
  readonly #decided = new Set<string>();
  /** Found by a search or called by name, oldest first; true when it was called. */
  readonly #found = new Map<string, boolean>();
  #searching = false;

  constructor(toolBox: ToolBox, manager: ExtensionManager, options: ShownToolsOptions) {
    this.#toolBox = toolBox;
    this.#manager = manager;
    this.#options = options;
    for (const message of options.history ?? []) this.#remember(message);
  }

  tools(): readonly ToolDefinition[] {
    const all = new Map(this.#toolBox.all().map((tool) => [tool.name, tool]));
    this.#forgetMissing(all);
    this.#decide([...all.values()]);
    return [...this.#shown].flatMap((name) => all.get(name) ?? []);
  }

  all(): readonly ToolDefinition[] {
    return this.#toolBox.all();
  }

  find(name: string): ToolDefinition | undefined {
    const tool = this.#toolBox.find(name);
    if (tool) this.#show(name, true);
    return tool;
  }

  async call(...[request, options]: Parameters<ToolBox["call"]>): Promise<ToolResponse> {
    const response = await this.#toolBox.call(request, options);
    for (const name of foundIn(response)) this.#show(name, false);
    return response;
  }

  /** How many tools of each extension the model is not given. */
  heldBack(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    this.tools();
    for (const { name, extension } of this.#toolBox.all())
      if (extension !== PLATFORM_KEY && !this.#shown.has(name))
        counts.set(extension, (counts.get(extension) ?? 0) + 1);
    return counts;
  }

  #remember(message: Message): void {
    if (message.role === "assistant")
      for (const { name } of toolRequestsOf(message)) this.#found.set(name, true);
    if (message.role === "tool")
      for (const response of message.content)
        for (const name of foundIn(response)) this.#found.set(name, this.#found.get(name) ?? false);
  }

  /** A tool that comes back is a new one. */
  #forgetMissing(all: ReadonlyMap<string, ToolDefinition>): void {
    for (const name of this.#decided)
      if (!all.has(name)) {
        this.#decided.delete(name);
        this.#shown.delete(name);
      }
  }

  #decide(all: readonly ToolDefinition[]): void {
    const isNew = ({ name }: ToolDefinition) => !this.#decided.has(name) && name !== SEARCH_NAME;
    const fresh = all.filter(isNew);
    if (fresh.length === 0) return;
    const shown = all.filter(({ name }) => this.#shown.has(name));
    if (!this.#searching && this.#fits([...shown, ...fresh])) {
      for (const { name } of fresh) this.#shown.add(name);
    } else {
      const starts = !this.#searching;
      this.#searching = true;
      this.#addImportant(all, shown, new Set(fresh));
      if (starts) this.#options.onSearch?.({ shown: this.#shown.size, all: all.length });
    }
    for (const { name } of fresh) this.#decided.add(name);
  }

  #fits(tools: readonly ToolDefinition[]): boolean {
    return tools.length <= this.#options.maxTools && tokensOf(tools) <= this.#options.maxTokens;
  }

  /** Chosen by how much they matter, shown in the order of the table. */
  #addImportant(
    all: readonly ToolDefinition[],
    shown: readonly ToolDefinition[],
    fresh: ReadonlySet<ToolDefinition>,
  ): void {
    const chosen = new Set(shown);
    const ranks = [
      (tool: ToolDefinition) => tool.extension === PLATFORM_KEY || this.#isAlways(tool),
      ({ name }: ToolDefinition) => this.#found.has(name),
      ({ extension, toolName }: ToolDefinition) => Object.hasOwn(this.#manager.pins.of(extension), toolName),
      ({ extension }: ToolDefinition) => this.#manager.get(extension)?.kind === "builtin",
    ];
    for (const [rank, matters] of ranks.entries())
      for (const tool of all) {
        const wanted = fresh.has(tool) || tool.name === SEARCH_NAME;
        if (!wanted || chosen.has(tool) || !matters(tool)) continue;
        if (rank === 0 || this.#fits([...chosen, tool])) chosen.add(tool);
      }
    for (const tool of all) if (chosen.has(tool)) this.#shown.add(tool.name);
  }

  #isAlways({ name, extension }: ToolDefinition): boolean {
    const isMeant = (wanted: string) => wanted === name || extensionKey(wanted) === extension;
    return this.#options.always?.some(isMeant) ?? false;
  }

  #show(name: string, called: boolean): void {
    // A call before the first question: what is shown from the start comes first all the same.
    if (this.#decided.size === 0) this.tools();
    const isFound = this.#found.has(name);
    if (isFound) this.#found.set(name, called || this.#found.get(name) === true);
    if (this.#shown.has(name) || !this.#toolBox.find(name)) return;
    this.#shown.add(name);
    this.#decided.add(name);
    this.#found.set(name, called);
    if (this.#shown.size > this.#options.maxTools + ROOM_FOR_FOUND) this.#letGo(name);
  }

  /** A provider takes so many and no more: the oldest that was found and not called goes, else the oldest. */
  #letGo(newest: string): void {
    const others = [...this.#found].filter(([name]) => name !== newest && this.#shown.has(name));
    const [oldest] = others.find(([, called]) => !called) ?? others[0] ?? [];
    if (oldest === undefined) return;
    this.#shown.delete(oldest);
    this.#found.delete(oldest);
  }
}

function foundIn({ name, isError, meta }: ToolResponse): readonly string[] {
  const names = name === SEARCH_NAME && !isError ? meta?.[FOUND_TOOLS] : undefined;
  return Array.isArray(names) ? names.filter((found) => typeof found === "string") : [];
}

const estimates = new WeakMap<ToolDefinition, number>();

/** What the definitions cost in a request, roughly: their JSON as a provider gets it. */
export function tokensOf(tools: readonly ToolDefinition[]): number {
  let sum = 0;
  for (const tool of tools) {
    let tokens = estimates.get(tool);
    if (tokens === undefined) {
      const { name, description, inputSchema } = tool;
      tokens = estimateTokens(
        JSON.stringify({ type: "function", function: { name, description, parameters: inputSchema } }),
      );
      estimates.set(tool, tokens);
    }
    sum += tokens;
  }
  return sum;
}
