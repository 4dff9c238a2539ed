/** The library: what a program of one's own imports from "kari-agent". */
export { type BuildSessionOptions, buildSession } from "./app/build-session.ts";
export type { ExtensionInput, ExtensionStatus, Session } from "./app/session-port.ts";
export { VERSION } from "./app/version.ts";
export type {
  AgentEvent,
  ApprovalAnswer,
  ApprovalRequest,
  AssistantMessage,
  Message,
  Outcome,
  Resource,
  ShelfEntry,
  ToolContent,
  ToolDefinition,
  ToolMessage,
  ToolRequest,
  ToolResponse,
  Usage,
  UserMessage,
} from "./conversation/index.ts";
export { UsageError } from "./lib/usage-error.ts";
export type { ApprovalMode } from "./policy/index.ts";
export { type Model, ModelError, type ModelEvent, type ModelRequest } from "./providers/model.ts";
