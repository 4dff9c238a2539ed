export {
  type AssistantContent,
  type AudioContent,
  errorResponse,
  type ImageContent,
  type ResourceContent,
  type ResourceLinkContent,
  type Source,
  type TextContent,
  type ThinkingContent,
  type ToolContent,
  type ToolRequest,
  type ToolResponse,
  type UserContent,
} from "./content.ts";
export type {
  AgentEvent,
  ApprovalAnswer,
  ApprovalRequest,
  Failure,
  Outcome,
  Progress,
  ShelfEntry,
  ShelfReason,
  Usage,
} from "./event.ts";
export { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
export {
  type AssistantMessage,
  type Message,
  type ToolMessage,
  textOf,
  toolRequestsOf,
  type UserMessage,
  type UserOrigin,
  userMessage,
} from "./message.ts";
export {
  type Annotations,
  type Audience,
  isActive,
  isFor,
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
} from "./resource.ts";
export type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
  ServerRequestHandler,
} from "./server-request.ts";
export { describeUnknownTool, type Tool, type ToolAnnotations, type ToolDefinition } from "./tool.ts";
