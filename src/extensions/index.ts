export {
  DEFAULT_TIMEOUT_SECONDS,
  describeConfig,
  type ExtensionConfig,
  type ExtensionKind,
  type OAuthConfig,
  PLATFORM_KEY,
  type ProcessLimits,
  RESERVED_KEYS,
  type RemoteConfig,
  SESSION_KEY,
} from "./config.ts";
export type { ConnectOptions, PriorDiscovery, SelfCommand, Verdict } from "./connect-options.ts";
export { createToolBox } from "./dispatch.ts";
export { expandConfig } from "./expand.ts";
export { ExtensionError, type ExtensionErrorCode } from "./extension-error.ts";
export { extensionKey } from "./key.ts";
export { ExtensionManager, type KeptExtension, type ListingMemory, type ManagerOptions } from "./manager.ts";
export type { Remembered } from "./mcp-extension.ts";
export {
  type CallOptions,
  type CallResult,
  type CompletionRequest,
  type Era,
  type Extension,
  type ExtensionState,
  isServerExtension,
  type Listing,
  type Prompt,
  type PromptMessage,
  type PromptResult,
  type ServerChange,
  type ServerExtension,
  type StrayLines,
  type ToolBox,
} from "./port.ts";
export type { RemoteAuth } from "./remote-auth.ts";
export { type PinnedTools, type ToolChange, ToolPins } from "./tool-pins.ts";
export { exposedName, ToolTable } from "./tool-table.ts";
