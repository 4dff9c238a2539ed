/** `platform__read_resource`: reads a resource of one extension, or of whichever has it (MISSION B2). */
import type { JsonObject, ResourceContents, ToolContent } from "../conversation/index.ts";
import {
  type CallOptions,
  type CallResult,
  type Extension,
  ExtensionError,
  type ExtensionManager,
} from "../extensions/index.ts";
import type { PlatformTool } from "./extension.ts";
import { targetsOf } from "./targets.ts";

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
      },
    },
    annotations: { readOnlyHint: true },
  },
  run: readResource,
};

async function readResource(
  args: JsonObject,
  manager: ExtensionManager,
  options: CallOptions,
): Promise<CallResult> {
  const uri = args["uri"];
  if (typeof uri !== "string" || uri === "") {
    throw new ExtensionError(
      "refused",
      "Invalid parameters: missing 'uri' parameter. Give the URI of a resource, as platform__list_resources shows it.",
    );
  }
  const targets = targetsOf(args, manager);
  const attempts = await Promise.all(targets.map((extension) => attempt(extension, uri, options)));
  const found = attempts.filter((result) => result.type === "found");
  const [first, ...others] = found;
  if (!first) throw new ExtensionError("not-found", describeFailures(uri, attempts));
  const content = first.contents.map((contents) => toContent(contents, first.key));
  if (others.length === 0) return { content, isError: false };
  const also = others.map(({ key }) => key).join(", ");
  const note = `This is ${uri} of ${first.key}. The same URI exists in: ${also} (name one as extension_name to read it).`;
  return { content: [...content, { type: "text", text: note }], isError: false };
}

type Attempt =
  | { readonly type: "found"; readonly key: string; readonly contents: readonly ResourceContents[] }
  | { readonly type: "failed"; readonly key: string; readonly reason: string };

async function attempt(extension: Extension, uri: string, options: CallOptions): Promise<Attempt> {
  const { key } = extension;
  try {
    const contents = await extension.readResource(uri, options);
    return contents.length > 0
      ? { type: "found", key, contents }
      : { type: "failed", key, reason: `${key} gave nothing for it` };
  } catch (error) {
    return { type: "failed", key, reason: error instanceof Error ? error.message : String(error) };
  }
}

function toContent(contents: ResourceContents, extension: string): ToolContent {
  return { type: "resource", resource: contents, source: { extension, uri: contents.uri } };
}

function describeFailures(uri: string, attempts: readonly Attempt[]): string {
  const reasons = attempts.map((result) =>
    result.type === "failed" ? `- ${result.key}: ${result.reason}` : "",
  );
  if (reasons.length === 0) return `Resource ${uri} was not found: no extension has resources.`;
  return `Resource ${uri} was not found in ${attempts.map((result) => result.key).join(", ")}:\n${reasons.join("\n")}`;
}
