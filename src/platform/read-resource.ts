/**
 * `platform__read_resource`: reads a resource of one extension, or of whichever has it (MISSION B2): the one that
 * lists it, then one with a template that fits, then any that answers (owners.ts). Long texts are read by parts.
 */
import type { JsonObject, ResourceContents, ToolContent } from "../conversation/index.ts";
import {
  type CallOptions,
  type CallResult,
  type Extension,
  ExtensionError,
  type ExtensionManager,
} from "../extensions/index.ts";
import { nearest } from "../lib/nearest.ts";
import { shownUri, whyUnusable } from "../lib/resource-uri.ts";
import { isTextType } from "../lib/text-type.ts";
import type { PlatformTool } from "./extension.ts";
import { likelyOwners } from "./owners.ts";
import { targetsOf } from "./targets.ts";
import { DEFAULT_WINDOW, MAX_WINDOW, type WindowOptions, windowOf } from "./text-window.ts";

export const readResourceTool: PlatformTool = {
  definition: {
    name: "read_resource",
    title: "Read a resource",
    description:
      "Read a resource from an extension.\n\n" +
      "Resources allow extensions to share data that provide context to LLMs, such as\n" +
      "files, database schemas, or application-specific information. This tool searches for the\n" +
      "resource URI in the provided extension, and reads in the resource content. If no extension\n" +
      "is provided, the tool will search all extensions for the resource.\n",
    inputSchema: {
      type: "object",
      required: ["uri"],
      properties: {
        uri: { type: "string", description: "Resource URI" },
        extension_name: { type: "string", description: "Optional extension name" },
        offset: { type: "integer", description: "For long texts: the first character to read (0)" },
        limit: {
          type: "integer",
          description: `For long texts: how many characters (${DEFAULT_WINDOW}, at most ${MAX_WINDOW})`,
        },
        search: { type: "string", description: "Instead of the text: where this term occurs in it" },
      },
    },
    annotations: { readOnlyHint: true },
  },
  run: readResource,
};

const MAX_NEAR = 5;

async function readResource(
  args: JsonObject,
  manager: ExtensionManager,
  options: CallOptions,
): Promise<CallResult> {
  const uri = uriOf(args);
  const window = windowOptions(args);
  const targets = targetsOf(args, manager);
  const { found, failed } = await search(uri, targets, options);
  const [first, ...others] = found;
  if (!first) throw new ExtensionError("not-found", await describeFailures(uri, failed, targets, options));
  const content = await Promise.all(
    first.contents.map((contents) => toContent(contents, first.extension.key, window)),
  );
  if (others.length === 0) return { content, isError: false };
  const also = others.map(({ extension }) => extension.key).join(", ");
  const note = `This is ${uri} of ${first.extension.key}. The same URI exists in: ${also} (name one as extension_name to read it).`;
  return { content: [...content, { type: "text", text: note }], isError: false };
}

function uriOf(args: JsonObject): string {
  const uri = args["uri"];
  if (typeof uri !== "string" || uri === "") {
    throw new ExtensionError(
      "refused",
      "Invalid parameters: missing 'uri' parameter. Give the URI of a resource, as platform__list_resources shows it.",
    );
  }
  const unusable = whyUnusable(uri);
  if (unusable !== undefined) {
    const shown = JSON.stringify(shownUri(uri));
    throw new ExtensionError("refused", `Invalid parameters: ${shown} is not a usable URI: ${unusable}.`);
  }
  return uri;
}

/** Models write null for what they leave out. */
function windowOptions(args: JsonObject): WindowOptions {
  const offset = wholeNumber(args, "offset", 0);
  const limit = wholeNumber(args, "limit", 1);
  const search = args["search"] ?? undefined;
  if (search !== undefined && typeof search !== "string")
    throw new ExtensionError("refused", "Invalid parameter 'search': it must be a string.");
  return {
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
    ...(search !== undefined && { search }),
  };
}

function wholeNumber(args: JsonObject, name: string, least: number): number | undefined {
  const value = args[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return value;
  throw new ExtensionError(
    "refused",
    `Invalid parameter '${name}': it must be a whole number from ${least} on, not ${JSON.stringify(value).slice(0, 100)}.`,
  );
}

type Found = {
  readonly type: "found";
  readonly extension: Extension;
  readonly contents: readonly ResourceContents[];
};
type Failed = { readonly type: "failed"; readonly extension: Extension; readonly reason: string };

/** The likely owners first; the others only when none of those has it. */
async function search(
  uri: string,
  targets: readonly Extension[],
  options: CallOptions,
): Promise<{ readonly found: readonly Found[]; readonly failed: readonly Failed[] }> {
  const failed: Failed[] = [];
  const groups = targets.length > 1 ? await likelyOwners(uri, targets, options) : [targets];
  for (const group of groups) {
    const attempts = await Promise.all(group.map((extension) => attempt(extension, uri, options)));
    const found = attempts.filter((result) => result.type === "found");
    if (found.length > 0) return { found, failed };
    failed.push(...attempts.filter((result) => result.type === "failed"));
  }
  return { found: [], failed };
}

async function attempt(extension: Extension, uri: string, options: CallOptions): Promise<Found | Failed> {
  try {
    const contents = await extension.readResource(uri, options);
    if (contents.length > 0) return { type: "found", extension, contents };
    return { type: "failed", extension, reason: `${extension.key} gave nothing for it` };
  } catch (error) {
    return { type: "failed", extension, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function toContent(
  contents: ResourceContents,
  extension: string,
  window: WindowOptions,
): Promise<ToolContent> {
  const source = { extension, uri: contents.uri };
  const text = "text" in contents ? contents.text : await textIn(contents);
  if (text === undefined) return { type: "resource", resource: contents, source };
  const { uri, mimeType } = contents;
  const resource = { uri, ...(mimeType !== undefined && { mimeType }), text: windowOf(text, window) };
  return { type: "resource", resource, source };
}

/** A text that came as bytes is read by parts like any other. */
async function textIn(contents: ResourceContents & { readonly blob: string }): Promise<string | undefined> {
  if (!isTextType(contents.mimeType)) return undefined;
  const { textOfBlob } = await import("../lib/blob-text.ts");
  return textOfBlob(contents);
}

async function describeFailures(
  uri: string,
  failed: readonly Failed[],
  targets: readonly Extension[],
  options: CallOptions,
): Promise<string> {
  if (failed.length === 0) return `Resource ${uri} was not found: no extension has resources.`;
  const reasons = failed.map(({ extension, reason }) => `- ${extension.key}: ${reason}`);
  const lists = await Promise.all(
    targets.map((extension) => extension.listResources(options).catch(() => [])),
  );
  const near = nearest(
    uri,
    lists.flat().flatMap(({ uri: known }) => (whyUnusable(known) === undefined ? [known] : [])),
    MAX_NEAR,
  );
  const hint =
    near.length > 0 ? `\nNear it: ${near.join(", ")}` : "\nplatform__list_resources shows what there is.";
  return `Resource ${uri} was not found:\n${reasons.join("\n")}${hint}`;
}
