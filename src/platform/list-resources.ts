/** `platform__list_resources`: what extensions share, all fields, all pages, templates too (MISSION B3). */
import type { JsonObject, Resource, ResourceTemplate } from "../conversation/index.ts";
import type { CallOptions, CallResult, Extension, ExtensionManager } from "../extensions/index.ts";
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
      properties: { extension_name: { type: "string", description: "Optional extension name" } },
    },
    annotations: { readOnlyHint: true },
  },
  run: listResources,
};

/** What reaches the model is capped; the rest is counted. */
const MAX_LISTED = 200;

async function listResources(
  args: JsonObject,
  manager: ExtensionManager,
  options: CallOptions,
): Promise<CallResult> {
  const targets = targetsOf(args, manager);
  const sections = await Promise.all(targets.map((extension) => section(extension, options)));
  if (sections.length === 0) return text("No extension has resources.");
  return text(sections.join("\n\n"));
}

async function section(extension: Extension, options: CallOptions): Promise<string> {
  const title = `## ${extension.key}`;
  try {
    const [resources, templates] = await Promise.all([
      extension.listResources(options),
      extension.listResourceTemplates(options),
    ]);
    const lines = [
      ...resources.slice(0, MAX_LISTED).map(describeResource),
      ...templates.map(describeTemplate),
    ];
    if (resources.length > MAX_LISTED)
      lines.push(`(${resources.length - MAX_LISTED} more of ${resources.length} resources are not shown)`);
    return `${title}\n${lines.join("\n") || "no resources"}`;
  } catch (error) {
    return `${title}\nits resources could not be listed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function describeResource(resource: Resource): string {
  const { annotations } = resource;
  const facts = [
    resource.mimeType,
    resource.size !== undefined && `${resource.size} bytes`,
    annotations?.priority !== undefined && `priority ${annotations.priority}`,
    annotations?.lastModified && `changed ${annotations.lastModified}`,
  ].filter((fact) => typeof fact === "string");
  return `- ${resource.uri} — ${label(resource)}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}${describe(resource.description)}`;
}

function describeTemplate(template: ResourceTemplate): string {
  const type = template.mimeType ? ` (${template.mimeType})` : "";
  return `- template ${template.uriTemplate} — ${label(template)}${type}${describe(template.description)}`;
}

function label({ name, title }: { readonly name: string; readonly title?: string }): string {
  return title !== undefined && title !== name ? `${name}: ${title}` : name;
}

function describe(description: string | undefined): string {
  return description ? `: ${description.replace(/\s+/g, " ").slice(0, 300)}` : "";
}

function text(value: string): CallResult {
  return { content: [{ type: "text", text: value }], isError: false };
}
