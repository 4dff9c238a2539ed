/**
 * Resources as things one can ask for. A hint (a URI or a URI template with a few words about it) stands among
 * the tools as if it were one; when it wins, the call that is made is the platform's `read_resource`. Hints come
 * from the options, from the system prompt, and from a small table of the builtin extensions' own resources.
 */
import type { JsonObject, ToolDefinition } from "../../conversation/index.ts";
import { BUILTIN_HINTS } from "./builtin-hints.ts";

export interface ResourceHint {
  readonly extension: string;
  /** A URI, or a template with `{variables}`. */
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
}

/** A tool that is really a resource. */
export interface ResourceTool extends ToolDefinition {
  readonly hint: ResourceHint;
}

const MAX_HINTS = 500;
const MAX_SYSTEM = 200_000;
const IN_TEXT =
  /([a-z][a-z0-9+.-]{1,30}:\/\/[^\s"'`<>|,;()（）「」、。]+)["'`]?[ \t]*(?:[-–—:：|(（]+[ \t]*)?([^\n]{0,300})/gi;
const VARIABLE = /\{([A-Za-z_]\w{0,60})\*?\}/g;

export function createHintTools(options: readonly ResourceHint[]) {
  // The index knows a tool by its identity: the same hint must be the same object on every turn.
  const made = new Map<string, ResourceTool>();
  return (system: string, tools: readonly ToolDefinition[]): readonly ResourceTool[] => {
    if (readerOf(tools) === undefined) return [];
    const extensions = new Set(tools.map((tool) => tool.extension));
    const known = BUILTIN_HINTS.filter(
      ({ extension, uri }) => extensions.has(extension) || system.includes(schemeOf(uri)),
    );
    const hints = new Map<string, ResourceHint>();
    for (const hint of [...options, ...known, ...hintsIn(system, extensions)])
      if (!hints.has(hint.uri) && hints.size < MAX_HINTS) hints.set(hint.uri, hint);
    return [...hints.values()].map((hint) => {
      const key = JSON.stringify(hint);
      const tool = made.get(key) ?? toTool(hint);
      made.set(key, tool);
      return tool;
    });
  };
}

/** The tool that reads a resource by its URI, whoever offers it. */
export function readerOf(tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  return tools.find((tool) => tool.toolName === "read_resource" && tool.extension === "platform");
}

export function isResourceTool(tool: ToolDefinition): tool is ResourceTool {
  return "hint" in tool;
}

/** The call that reads it, with the template's variables filled in. */
export function readArguments(hint: ResourceHint, values: JsonObject): JsonObject {
  const uri = hint.uri.replace(VARIABLE, (_, name: string) =>
    String(values[name] ?? "")
      .split("/")
      .map(encodeURIComponent)
      .join("/"),
  );
  return { uri, extension_name: hint.extension };
}

function toTool(hint: ResourceHint): ResourceTool {
  const variables = Array.from(hint.uri.matchAll(VARIABLE), (match) => match[1] ?? "");
  return {
    name: hint.uri,
    extension: hint.extension,
    toolName: hint.name,
    description: `${hint.description ?? ""} ${hint.uri.replace(VARIABLE, "")}`.trim(),
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        variables.map((name) => [name, { type: "string", description: name.replaceAll("_", " ") }]),
      ),
      required: variables,
    },
    annotations: { readOnlyHint: true },
    hint,
  };
}

/** URIs that the system prompt speaks of, each with the rest of its line as description. */
function hintsIn(system: string, extensions: ReadonlySet<string>): readonly ResourceHint[] {
  const found: ResourceHint[] = [];
  for (const match of system.slice(0, MAX_SYSTEM).matchAll(IN_TEXT)) {
    const uri = (match[1] ?? "").replace(/[.:*]+$/, "");
    if (/^https?:/i.test(uri) || found.length >= MAX_HINTS) continue;
    const scheme = uri.slice(0, uri.indexOf(":"));
    const extension = extensions.has(scheme) ? scheme : ownerOf(system, match.index, extensions);
    if (extension === undefined) continue;
    found.push({
      extension,
      uri,
      name: uri.replace(/^[^:]+:\/\//, "").replace(/[/_{}]+/g, " "),
      description: match[2] ?? "",
    });
  }
  return found;
}

/** The extension in whose section of the prompt the URI stands: the last heading before it that names one. */
function ownerOf(system: string, at: number, extensions: ReadonlySet<string>): string | undefined {
  const headings = Array.from(
    system.slice(0, at).matchAll(/^#{1,6}\s+(.+)$/gm),
    (match) => match[1]?.trim() ?? "",
  );
  for (const heading of headings.reverse())
    for (const extension of extensions)
      if (heading.toLowerCase().includes(extension.toLowerCase())) return extension;
  return undefined;
}

function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf("://") + 3);
}
