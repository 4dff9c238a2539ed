/**
 * Turns MCP content into the conversation's vocabulary. Nothing is dropped: links, blobs, audio, structured
 * content, audience. A block of a kind we do not know is kept as its JSON.
 */
import type {
  CallToolResult,
  ContentBlock,
  Prompt as McpPrompt,
  PromptMessage as McpPromptMessage,
  Resource as McpResource,
  Tool as McpTool,
  ReadResourceResult,
  ResourceTemplateType,
} from "@modelcontextprotocol/client";
import type {
  Annotations,
  Audience,
  JsonObject,
  JsonValue,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Tool,
  ToolContent,
} from "../conversation/index.ts";
import type { CallResult, Prompt, PromptMessage } from "./port.ts";

export function toCallResult(result: CallToolResult, extension: string): CallResult {
  return {
    content: (result.content ?? []).map((block) => toContent(block, extension)),
    ...(result.structuredContent !== undefined && {
      structuredContent: result.structuredContent as JsonValue,
    }),
    isError: result.isError === true,
    ...(result._meta && Object.keys(result._meta).length > 0 && { meta: result._meta as JsonObject }),
  };
}

export function toContent(block: ContentBlock, extension: string): ToolContent {
  const source = { extension };
  const annotations = "annotations" in block ? toAnnotations(block.annotations) : undefined;
  const meta = block._meta && Object.keys(block._meta).length > 0 ? (block._meta as JsonObject) : undefined;
  const common = { ...(annotations && { annotations }), source, ...(meta && { meta }) };
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, ...common };
    case "image":
      return { type: "image", data: block.data, mimeType: block.mimeType, ...common };
    case "audio":
      return { type: "audio", data: block.data, mimeType: block.mimeType, ...common };
    case "resource": {
      const resource = toResourceContents(block.resource);
      const name = (block.resource as { name?: unknown }).name;
      return {
        type: "resource",
        resource: { ...resource, ...(typeof name === "string" && { name }) },
        ...common,
        source: { extension, uri: resource.uri },
      };
    }
    case "resource_link":
      return {
        type: "resource-link",
        link: toResource(block),
        source: { extension, uri: block.uri },
        ...(meta && { meta }),
      };
    default:
      // A kind of a later revision: its JSON is better than nothing.
      return { type: "text", text: JSON.stringify(block satisfies never), source };
  }
}

export function toTool(tool: McpTool): Tool {
  const annotations = tool.annotations;
  const title = tool.title ?? annotations?.title;
  return {
    name: tool.name,
    ...(title !== undefined && { title }),
    ...(tool.description !== undefined && { description: tool.description }),
    inputSchema: tool.inputSchema as JsonObject,
    ...(tool.outputSchema && { outputSchema: tool.outputSchema as JsonObject }),
    ...(annotations && { annotations: annotations as NonNullable<Tool["annotations"]> }),
  };
}

export function toResource(resource: McpResource): Resource {
  const annotations = toAnnotations(resource.annotations);
  return {
    uri: resource.uri,
    name: resource.name,
    ...(resource.title !== undefined && { title: resource.title }),
    ...(resource.description !== undefined && { description: resource.description }),
    ...(resource.mimeType !== undefined && { mimeType: resource.mimeType }),
    ...(resource.size !== undefined && { size: resource.size }),
    ...(annotations && { annotations }),
  };
}

export function toResourceTemplate(template: ResourceTemplateType): ResourceTemplate {
  const annotations = toAnnotations(template.annotations);
  return {
    uriTemplate: template.uriTemplate,
    name: template.name,
    ...(template.title !== undefined && { title: template.title }),
    ...(template.description !== undefined && { description: template.description }),
    ...(template.mimeType !== undefined && { mimeType: template.mimeType }),
    ...(annotations && { annotations }),
  };
}

export function toResourceContents(contents: ReadResourceResult["contents"][number]): ResourceContents {
  const { uri, mimeType } = contents;
  const common = { uri, ...(mimeType !== undefined && { mimeType }) };
  return "text" in contents ? { ...common, text: contents.text } : { ...common, blob: contents.blob };
}

export function toPrompt(prompt: McpPrompt): Prompt {
  return {
    name: prompt.name,
    ...(prompt.title !== undefined && { title: prompt.title }),
    ...(prompt.description !== undefined && { description: prompt.description }),
    arguments: (prompt.arguments ?? []).map(({ name, description, required }) => ({
      name,
      ...(description !== undefined && { description }),
      required: required === true,
    })),
  };
}

export function toPromptMessage(message: McpPromptMessage, extension: string): PromptMessage {
  return { role: message.role, content: toContent(message.content, extension) };
}

/** Servers of the first revisions write `timestamp` where the protocol now says `lastModified`. */
function toAnnotations(raw: unknown): Annotations | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const { audience, priority, lastModified, timestamp } = raw as Record<string, unknown>;
  const readers = Array.isArray(audience)
    ? audience.filter((reader): reader is Audience => reader === "user" || reader === "assistant")
    : undefined;
  const modified = typeof lastModified === "string" ? lastModified : timestamp;
  return {
    ...(readers && readers.length > 0 && { audience: readers }),
    ...(typeof priority === "number" && { priority }),
    ...(typeof modified === "string" && { lastModified: modified }),
  };
}
