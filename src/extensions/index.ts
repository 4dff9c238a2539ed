export {
  DEFAULT_TIMEOUT_SECONDS,
  describeConfig,
  type ExtensionConfig,
  type ExtensionKind,
  PLATFORM_KEY,
  RESERVED_KEYS,
  SESSION_KEY,
} from "./config.ts";
export type { ConnectOptions, PriorDiscovery, SelfCommand } from "./connect.ts";
export { createToolBox } from "./dispatch.ts";
export { ExtensionError, type ExtensionErrorCode } from "./extension-error.ts";
export { extensionKey } from "./key.ts";
export { ExtensionManager, type ListingMemory, type ManagerOptions } from "./manager.ts";
export type { Remembered } from "./mcp-extension.ts";
export type {
  CallOptions,
  CallResult,
  Era,
  Extension,
  ExtensionState,
  Listing,
  StrayLines,
  ToolBox,
} from "./port.ts";
export { exposedName, ToolTable } from "./tool-table.ts";
