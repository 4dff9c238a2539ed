/**
 * The ports of this room. `Extension` is one MCP server, connected or connectable, whatever its kind; the
 * platform is one too. `ToolBox` is all tools of all extensions as the agent sees them.
 */
import type {
  JsonObject,
  JsonValue,
  Progress,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Tool,
  ToolContent,
  ToolDefinition,
  ToolRequest,
  ToolResponse,
} from "../conversation/index.ts";
import type { ExtensionKind } from "./config.ts";

export type Era = "modern" | "legacy";

/** What an extension says about itself. Known from the build, from the last start, or from the server now. */
export interface Listing {
  readonly tools: readonly Tool[];
  readonly instructions?: string;
  readonly hasResources: boolean;
}

export type ExtensionState =
  | { readonly type: "idle" }
  | { readonly type: "starting"; readonly since: number }
  | { readonly type: "ready"; readonly era: Era; readonly pid?: number; readonly startedInMs: number }
  | { readonly type: "failed"; readonly reason: string; readonly at: number }
  | { readonly type: "stopped" };

export interface CallOptions {
  readonly signal: AbortSignal;
  onProgress?(progress: Progress): void;
}

export interface CallResult {
  readonly content: readonly ToolContent[];
  readonly structuredContent?: JsonValue;
  readonly isError: boolean;
  readonly meta?: JsonObject;
}

/** Lines on a server's stdout that were no messages: programs that print where they must not. */
export interface StrayLines {
  readonly count: number;
  readonly samples: readonly string[];
}

/** Every method but `stop` throws ExtensionError, and starts the server first when it is not running. */
export interface Extension {
  readonly key: string;
  readonly kind: ExtensionKind;
  readonly state: ExtensionState;
  /** What is known without waiting. */
  readonly listing: Listing | undefined;
  start(options?: { readonly signal?: AbortSignal }): Promise<Listing>;
  callTool(name: string, args: JsonObject, options: CallOptions): Promise<CallResult>;
  listResources(options: CallOptions): Promise<readonly Resource[]>;
  listResourceTemplates(options: CallOptions): Promise<readonly ResourceTemplate[]>;
  readResource(uri: string, options: CallOptions): Promise<readonly ResourceContents[]>;
  /** Of the connection that is open now; missing where there is no process. */
  strayLines?(): StrayLines;
  stop(): Promise<void>;
}

/** `call` never throws: a failure is a response with `isError`. */
export interface ToolBox {
  /** In stable order; new ones at the end. */
  tools(): readonly ToolDefinition[];
  call(request: ToolRequest, options: CallOptions): Promise<ToolResponse>;
}
