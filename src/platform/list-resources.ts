/** `platform__list_resources`: what extensions share, all fields, all pages, templates too (MISSION B3). */
import type { JsonObject, Resource, ResourceTemplate } from "../conversation/index.ts";
import {
  type CallOptions,
  type CallResult,
  type Extension,
  ExtensionError,
  type ExtensionManager,
} from "../extensions/index.ts";
import { shownName, shownUri, whyUnusable } from "../lib/resource-uri.ts";
import { templateVariables } from "../lib/uri-template.ts";
import type { PlatformTool } from "./extension.ts";
import { targetsOf } from "./targets.ts";

export const listResourcesTool: PlatformTool = {
  definition: {
    name: "list_resources",
    title: "List resources",
    description:
      "List resources from an extension(s).\n\n" +
      "Resources allow extensions to share data that provide context to LLMs, such as\n" +
      "files, database schemas, or application-specific information. This tool lists resources\n" +
      "in the provided extension, and returns a list for the user to browse. If no extension\n" +
      "is provided, the tool will search all extensions for the resource.\n",
    inputSchema: {
      type: "object",
      properties: {
        extension_name: { type: "string", description: "Optional extension name" },
        filter: {
          type: "string",
          description: "Optional: only resources whose URI, name, title or description contains this",
        },
      },
    },
    annotations: { readOnlyHint: true },
  },
  run: listResources,
};

/** What reaches the model is capped, over all extensions together; the rest is counted. */
const MAX_LISTED = 200;
const MAX_TEMPLATE = 1000;

async function listResources(
  args: JsonObject,
  manager: ExtensionManager,
  options: CallOptions,
): Promise<CallResult> {
  const { filter } = args;
  if (filter !== undefined && filter !== null && typeof filter !== "string") {
    throw new ExtensionError("refused", "Invalid parameter 'filter': it must be a string.");
  }
  const targets = targetsOf(args, manager);
  if (targets.length === 0) return text("No extension has resources.");
  const share = Math.max(10, Math.floor(MAX_LISTED / targets.length));
  const sections = await Promise.all(
    targets.map((extension) => section(extension, filter ?? "", share, options)),
  );
  return text(sections.join("\n\n"));
}

async function section(
  extension: Extension,
  filter: string,
  cap: number,
  options: CallOptions,
): Promise<string> {
  const title = `## ${extension.key}`;
  try {
    const [resources, templates] = await Promise.all([
      extension.listResources(options),
      extension.listResourceTemplates(options),
    ]);
    const lines = [
      ...resources.filter(contains(filter)).map(describeResource),
      ...templates.filter(contains(filter)).map(describeTemplate),
    ];
    const shown = lines.slice(0, cap);
    if (lines.length > shown.length) {
      shown.push(
        `(${lines.length - shown.length} more of ${lines.length}; narrow them with filter, or name this extension alone)`,
      );
    }
    return `${title}\n${shown.join("\n") || (filter === "" ? "no resources" : `nothing that contains "${filter}"`)}`;
  } catch (error) {
    return `${title}\nits resources could not be listed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function contains(filter: string): (item: Resource | ResourceTemplate) => boolean {
  const wanted = filter.normalize("NFC").toLowerCase();
  if (wanted === "") return () => true;
  return (item) => {
    const address = "uri" in item ? item.uri : item.uriTemplate;
    const words = [address, safeDecode(address), item.name, item.title, item.description].join("\n");
    return words.normalize("NFC").toLowerCase().includes(wanted);
  };
}

function safeDecode(uri: string): string {
  try {
    return decodeURI(uri);
  } catch {
    return uri;
  }
}

function describeResource(resource: Resource): string {
  const { annotations } = resource;
  const unusable = whyUnusable(resource.uri);
  const facts = [
    unusable && `cannot be read: ${unusable}`,
    resource.mimeType && shownName(resource.mimeType),
    resource.size !== undefined && `${resource.size} bytes`,
    annotations?.priority !== undefined && `priority ${annotations.priority}`,
    annotations?.lastModified && `changed ${shownName(annotations.lastModified)}`,
  ].filter((fact) => typeof fact === "string");
  const uri = unusable === undefined ? resource.uri : shownUri(resource.uri);
  return `- ${uri} — ${label(resource)}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}${describe(resource.description)}`;
}

function describeTemplate(template: ResourceTemplate): string {
  const facts = [
    template.mimeType && shownName(template.mimeType),
    `parameters: ${shownName(templateVariables(template.uriTemplate).join(", ")) || "none"}`,
  ];
  const { uriTemplate } = template;
  return `- template ${uriTemplate.length > MAX_TEMPLATE ? shownName(uriTemplate) : uriTemplate} — ${label(template)} (${facts.filter(Boolean).join("; ")})${describe(template.description)}`;
}

function label({ name, title }: { readonly name: string; readonly title?: string }): string {
  return title !== undefined && title !== name ? `${shownName(name)}: ${shownName(title)}` : shownName(name);
}

function describe(description: string | undefined): string {
  return description ? `: ${description.replace(/\s+/g, " ").slice(0, 300)}` : "";
}

function text(value: string): CallResult {
  return { content: [{ type: "text", text: value }], isError: false };
}
