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
  ServerRequestHandler,
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
  /** Whether it says when its list of resources, or one of them, changes. */
  readonly tellsChanges?: boolean;
  readonly hasPrompts?: boolean;
}

export type ExtensionState =
  | { readonly type: "idle" }
  | { readonly type: "starting"; readonly since: number }
  | {
      readonly type: "ready";
      readonly era: Era;
      readonly pid?: number;
      /** Which kind of HTTP a remote server turned out to speak. */
      readonly transport?: "streamable_http" | "sse";
      readonly startedInMs: number;
    }
  | { readonly type: "failed"; readonly reason: string; readonly at: number }
  | { readonly type: "stopped" };

export interface CallOptions {
  readonly signal: AbortSignal;
  onProgress?(progress: Progress): void;
  /** Answers what the server asks meanwhile; without one, everything it asks for is declined. */
  readonly requests?: ServerRequestHandler;
}

export interface CallResult {
  readonly content: readonly ToolContent[];
  readonly structuredContent?: JsonValue;
  readonly isError: boolean;
  readonly meta?: JsonObject;
}

/** What a server says is not as it was. The lists are refreshed by whoever cares for them. */
export type ServerChange =
  | { readonly type: "tools" | "prompts" | "resources" }
  | { readonly type: "resource"; readonly uri: string };

export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ToolContent;
}

export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** What could stand for an argument of a prompt or of a resource template. */
export interface CompletionRequest {
  readonly ref:
    | { readonly type: "prompt"; readonly name: string }
    | { readonly type: "template"; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** Arguments that have their values already. */
  readonly context?: Readonly<Record<string, string>>;
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

/** What MCP servers have besides; the platform does without. */
export interface ServerExtension extends Extension {
  listPrompts(options: CallOptions): Promise<readonly Prompt[]>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<PromptResult>;
  complete(request: CompletionRequest, options: CallOptions): Promise<readonly string[]>;
  /** Wants to hear of changes of one resource, over reconnections too. Nothing happens where the server cannot tell. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  /** Returns the function that ends it. After a reconnection everything counts as changed. */
  onChange(listener: (change: ServerChange) => void): () => void;
}

export function isServerExtension(extension: Extension): extension is ServerExtension {
  return extension.kind !== "platform";
}

/** `call` never throws: a failure is a response with `isError`. */
export interface ToolBox {
  /** What the model is given. In stable order; new ones at the end. */
  tools(): readonly ToolDefinition[];
  /** Everything there is, whether the model is given it or not. */
  all(): readonly ToolDefinition[];
  /** By its exact name among all. Whoever asks means to call it: from now on the model is given it. */
  find(name: string): ToolDefinition | undefined;
  call(request: ToolRequest, options: CallOptions): Promise<ToolResponse>;
}
