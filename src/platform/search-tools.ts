/**
 * `platform__search_tools`: finds tools by what they do among those of all extensions. What it finds stands in the
 * result's `meta`, where shown-tools.ts reads which tools the model is given from then on; this file changes nothing.
 * The index is built at the first search, and its code is loaded then.
 */
import type { JsonObject, ToolDefinition } from "../conversation/index.ts";
import { type CallResult, ExtensionError, type ExtensionManager, PLATFORM_KEY } from "../extensions/index.ts";
import type { PlatformTool } from "./extension.ts";
import { targetsOf } from "./targets.ts";
import type { ToolFinder } from "./tool-finder.ts";

export const SEARCH_TOOL = "search_tools";
/** The names of the tools that were found: for this program, not for the model. */
export const FOUND_TOOLS = "kari/found-tools";

const DEFAULT_FOUND = 5;
const MAX_FOUND = 20;
const MAX_LISTED = 200;
const MAX_DESCRIPTION = 200;

/** One for each set of extensions: it keeps their index. */
export function createSearchTool(): PlatformTool {
  let finder: Promise<ToolFinder> | undefined;
  const open = () => {
    finder ??= import("./tool-finder.ts").then(({ createToolFinder }) => createToolFinder());
    return finder;
  };
  return {
    definition: {
      name: SEARCH_TOOL,
      title: "Search tools",
      description:
        "Find more tools. The extensions have more tools than are listed here; this finds those that can do what " +
        "you need, by the words of their names, descriptions and parameters. What is found is in your list of " +
        "tools from the next step on: call it directly then. Search before you say that something cannot be done. " +
        "With extension_name alone, the names of all tools of that extension.",
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: "What the tool should do, in a few words" },
          extension_name: { type: "string", description: "Optional: only tools of this extension" },
          limit: {
            type: "integer",
            minimum: 1,
            maximum: MAX_FOUND,
            description: `How many at most (${DEFAULT_FOUND})`,
          },
        },
      },
      annotations: { readOnlyHint: true },
    },
    run: async (args, manager) => {
      const query = textOf(args, "query");
      const extension = textOf(args, "extension_name") === "" ? undefined : targetsOf(args, manager)[0]?.key;
      const tools = searchable(manager).filter((tool) => !extension || tool.extension === extension);
      if (query !== "") {
        const found = (await open()).find(query, searchable(manager), {
          limit: limitOf(args),
          ...(extension !== undefined && { extension }),
        });
        return found.length > 0 ? describeFound(found) : describeNothing(query, tools, extension);
      }
      if (extension !== undefined) return describeAll(tools, extension);
      throw new ExtensionError("refused", "Say what the tool should do (query), or name an extension_name.");
    },
  };
}

function searchable(manager: ExtensionManager): readonly ToolDefinition[] {
  return manager.table.all().filter((tool) => tool.extension !== PLATFORM_KEY);
}

function textOf(args: JsonObject, name: string): string {
  const value = args[name] ?? "";
  if (typeof value !== "string")
    throw new ExtensionError("refused", `Invalid parameter '${name}': it must be a string.`);
  return value.trim();
}

function limitOf({ limit }: JsonObject): number {
  if (typeof limit !== "number" || !Number.isFinite(limit)) return DEFAULT_FOUND;
  return Math.min(MAX_FOUND, Math.max(1, Math.floor(limit)));
}

function describeFound(found: readonly ToolDefinition[]): CallResult {
  const lines = found.map((tool) => `- ${tool.name}: ${firstWords(tool)}`);
  const text = `Found, best first; they are in your list of tools now:\n${lines.join("\n")}`;
  return {
    content: [{ type: "text", text }],
    isError: false,
    meta: { [FOUND_TOOLS]: found.map(({ name }) => name) },
  };
}

function describeNothing(
  query: string,
  tools: readonly ToolDefinition[],
  extension: string | undefined,
): CallResult {
  const where = extension ?? "any extension";
  const counts = new Map<string, number>();
  for (const tool of tools) counts.set(tool.extension, (counts.get(tool.extension) ?? 0) + 1);
  const owners = [...counts].slice(0, MAX_LISTED).map(([key, count]) => `${key} (${count})`);
  return text(
    `No tool of ${where} matches "${query.slice(0, 200)}". Try other words, or list one extension's tools with extension_name. ` +
      `Extensions and how many tools they have: ${owners.join(", ") || "none"}.`,
  );
}

/** Names alone: to look around, not to load hundreds of definitions. */
function describeAll(tools: readonly ToolDefinition[], extension: string): CallResult {
  const names = tools.slice(0, MAX_LISTED).map(({ name }) => name);
  const rest = tools.length - names.length;
  const more = rest > 0 ? `\n(${rest} more; find them with query)` : "";
  return text(
    `${extension} has ${tools.length} tools. Any can be called by its name; query gives descriptions.\n${names.join("\n")}${more}`,
  );
}

function firstWords(tool: ToolDefinition): string {
  const words = (tool.description ?? tool.title ?? tool.toolName).replace(/\s+/g, " ").trim();
  return words.length > MAX_DESCRIPTION ? `${words.slice(0, MAX_DESCRIPTION).toWellFormed()}…` : words;
}

function text(value: string): CallResult {
  return { content: [{ type: "text", text: value }], isError: false };
}
