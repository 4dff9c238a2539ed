export { type ChangeBus, createChangeBus, type ServerChange } from "./changes.ts";
export type { HttpHandle, HttpOptions, HttpRoute } from "./http.ts";
export { ask, type InputAnswers, type InputNeed, InputNeeded, needInput } from "./input.ts";
export type { KitPrompt, PromptArgument, PromptContext } from "./prompt.ts";
export {
  type CompletionRequest,
  type KitResource,
  type KitResourceContents,
  type KitResourceTemplate,
  ResourceError,
  type ResourceErrorCode,
  type ResourcePage,
  type ResourceProvider,
} from "./resource.ts";
export { createServer, type ServerDefinition } from "./server.ts";
export {
  type CallContext,
  type ContentBlock,
  defineTool,
  failure,
  type KitTool,
  structured,
  type ToolContext,
  type ToolProgress,
  type ToolResult,
  text,
} from "./tool.ts";
