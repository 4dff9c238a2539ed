/**
 * What messages are made of. Plain data that survives JSON, so that a message can be stored, streamed to a
 * browser and read back unchanged. Bytes are base64.
 */
import type { JsonObject, JsonValue } from "./json.ts";
import type { Annotations, Resource, ResourceContents } from "./resource.ts";

/** Where a block came from: which extension, under which URI. Every block that an extension made has one. */
export interface Source {
  readonly extension: string;
  readonly uri?: string;
}

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  /** On a model's own text: what its provider wants back with it (signature, phase). */
  readonly providerData?: JsonObject;
  readonly annotations?: Annotations;
  readonly source?: Source;
  /** What the server says about it to programs, as it came. */
  readonly meta?: JsonObject;
}

/** The model's own reasoning. `providerData` is replayed byte for byte: signatures live there. */
export interface ThinkingContent {
  readonly type: "thinking";
  readonly text: string;
  readonly providerData?: JsonObject;
}

export interface ImageContent {
  readonly type: "image";
  readonly mimeType: string;
  /** base64 */
  readonly data: string;
  readonly annotations?: Annotations;
  readonly source?: Source;
  /** What the server says about it to programs, as it came. */
  readonly meta?: JsonObject;
}

export interface AudioContent {
  readonly type: "audio";
  readonly mimeType: string;
  /** base64 */
  readonly data: string;
  readonly annotations?: Annotations;
  readonly source?: Source;
  /** What the server says about it to programs, as it came. */
  readonly meta?: JsonObject;
}

/** A resource with its contents inside. */
export interface ResourceContent {
  readonly type: "resource";
  readonly resource: ResourceContents & { readonly name?: string };
  readonly annotations?: Annotations;
  readonly source?: Source;
  /** What the server says about it to programs, as it came. */
  readonly meta?: JsonObject;
}

/** A pointer to a resource; its contents are read when somebody wants them. */
export interface ResourceLinkContent {
  readonly type: "resource-link";
  readonly link: Resource;
  readonly source?: Source;
  readonly meta?: JsonObject;
}

/** What the model asked for. `name` is the exposed name (`extension__tool`), never split to route. */
export interface ToolRequest {
  readonly type: "tool-request";
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** Set when the model's arguments were not a JSON object: the call fails with this, and the model reads it. */
  readonly invalid?: { readonly raw: string; readonly reason: string };
  readonly providerData?: JsonObject;
}

/** What came back. A failure is a response too: `isError`, and a text that says what to do next. */
export interface ToolResponse {
  readonly type: "tool-response";
  readonly id: string;
  readonly name: string;
  readonly content: readonly ToolContent[];
  readonly structuredContent?: JsonValue;
  readonly isError: boolean;
  readonly meta?: JsonObject;
}

export type ToolContent = TextContent | ImageContent | AudioContent | ResourceContent | ResourceLinkContent;
export type UserContent = ToolContent;
export type AssistantContent = TextContent | ThinkingContent | ImageContent | ToolRequest;

/** An error result that the model can read and act on. */
export function errorResponse(
  request: { readonly id: string; readonly name: string },
  text: string,
): ToolResponse {
  return {
    type: "tool-response",
    id: request.id,
    name: request.name,
    content: [{ type: "text", text }],
    isError: true,
  };
}
