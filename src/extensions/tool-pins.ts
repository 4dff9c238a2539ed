/**
 * Pins the definition of a tool when it is used: what the person let run is what is on the board. When a server later
 * describes the same tool otherwise, that is a change with a difference to look at, and it stays one until the tool
 * is used as it is now. Builtins are part of this program and are not pinned.
 */
import type { JsonObject, Tool, ToolDefinition } from "../conversation/index.ts";
import { unifiedDiff } from "../lib/line-diff.ts";

export interface ToolChange {
  readonly diff: string;
  /** It now says that it only reads, and did not before: it asks for more trust. */
  readonly claimsMore: boolean;
}

export type PinnedTools = Readonly<Record<string, Tool>>;

const MAX_DIFF_LENGTH = 4000;

export class ToolPins {
  readonly #boards = new Map<string, Map<string, Tool>>();
  readonly #announced = new Set<string>();

  /** Hangs up what was pinned in earlier runs. */
  open(extension: string, pinned: PinnedTools = {}): void {
    this.#boards.set(extension, new Map(Object.entries(pinned)));
  }

  /** The board of one extension as plain data, to be kept. */
  of(extension: string): PinnedTools {
    return Object.fromEntries(this.#boards.get(extension) ?? []);
  }

  /** True when the board has changed: the tool is new on it, or is pinned as it is now. */
  noteUse({ extension, toolName, name: _exposed, ...definition }: ToolDefinition): boolean {
    const board = this.#boards.get(extension);
    if (!board) return false;
    const known = board.get(toolName);
    if (known && textOf(known) === textOf(definition)) return false;
    board.set(toolName, { name: toolName, ...definition });
    return true;
  }

  changeOf({ extension, toolName, ...definition }: ToolDefinition): ToolChange | undefined {
    const pinned = this.#boards.get(extension)?.get(toolName);
    if (!pinned) return undefined;
    const [before, after] = [textOf(pinned), textOf(definition)];
    if (before === after) return undefined;
    return {
      diff: cut(unifiedDiff(before, after) ?? `- ${before}\n+ ${after}`),
      claimsMore: definition.annotations?.readOnlyHint === true && pinned.annotations?.readOnlyHint !== true,
    };
  }

  /** The changes among these tools that nobody has been told of yet. */
  news(
    tools: readonly ToolDefinition[],
  ): readonly { readonly tool: ToolDefinition; readonly change: ToolChange }[] {
    return tools.flatMap((tool) => {
      const change = this.changeOf(tool);
      if (!change || this.#announced.has(`${tool.name}\0${change.diff}`)) return [];
      this.#announced.add(`${tool.name}\0${change.diff}`);
      return [{ tool, change }];
    });
  }
}

/** By schema, which is one object for as long as a definition stays: the same text is wanted at every call. */
const texts = new WeakMap<JsonObject, { readonly rest: string; readonly text: string }>();

/** What a model and a policy go by, in a form that does not depend on the order of keys. */
function textOf({ title, description, inputSchema, annotations }: Omit<Tool, "name">): string {
  const rest = JSON.stringify([title, description, annotations]);
  const known = texts.get(inputSchema);
  if (known?.rest === rest) return known.text;
  const parts = { title, annotations, inputSchema };
  const text = `${description ?? ""}\n${JSON.stringify(sorted(parts), null, 1)}`;
  texts.set(inputSchema, { rest, text });
  return text;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]),
  );
}

function cut(diff: string): string {
  if (diff.length <= MAX_DIFF_LENGTH) return diff;
  return `${diff.slice(0, MAX_DIFF_LENGTH)}\n[${diff.length - MAX_DIFF_LENGTH} more characters of the difference are not shown]`;
}
