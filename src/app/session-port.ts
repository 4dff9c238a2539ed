/**
 * What a program of one's own sees of a session. Only our own plain types: whoever uses the package has none of
 * the libraries that are bundled into it.
 */
import type { AgentEvent, Message, ShelfEntry, ToolDefinition, UserMessage } from "../conversation/index.ts";
import type { ExtensionKind } from "../extensions/config.ts";
import type { ExtensionState } from "../extensions/port.ts";

/** Shows the person a page where they allow an extension something. */
export type BrowserOpener = (request: {
  readonly extension: string;
  readonly url: string;
  /** What the person must see before it is opened. */
  readonly host: string;
}) => Promise<void>;

/** An extension as a program writes it. `name` is what its tools are prefixed with. */
export type ExtensionInput =
  | { readonly type: "builtin"; readonly name: string }
  | {
      readonly type: "stdio";
      readonly name: string;
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly timeoutSeconds?: number;
      /** The first question waits until it is there or failed. */
      readonly required?: boolean;
    }
  | {
      readonly type: "sse" | "streamable_http";
      readonly name: string;
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly timeoutSeconds?: number;
      /** The first question waits until it is there or failed. */
      readonly required?: boolean;
    };

export interface ExtensionStatus {
  readonly key: string;
  readonly kind: ExtensionKind;
  readonly state: ExtensionState;
}

/** One model, a set of extensions and a conversation. Send words, read events, answer approvals. */
export interface Session {
  readonly messages: readonly Message[];
  readonly extensions: readonly ExtensionStatus[];
  readonly tools: readonly ToolDefinition[];
  /** Adds an extension; it starts when it is first needed. Throws when its name is taken or it cannot work. */
  addExtension(input: ExtensionInput): void;
  removeExtension(key: string): Promise<void>;
  /** The resources in the context and why: they matter to their server, or the person wants them. */
  readonly shelf: readonly ShelfEntry[];
  /** Puts a resource into the context with the next question; pinned ones go before attached ones. */
  attach(extension: string, uri: string, why?: "attached" | "pinned"): void;
  /** Takes a resource out of the context, also an active one, until it is attached again; false when it was not there. */
  drop(uri: string): boolean;
  /** Starts what is idle, so that a first call finds it ready. For sessions where a person thinks meanwhile. */
  warm(): void;
  /** One run: from the person's words to the model's last word. One at a time. */
  send(input: string | UserMessage, options?: { readonly signal?: AbortSignal }): AsyncIterable<AgentEvent>;
  /** Ends every extension. */
  close(): Promise<void>;
}
