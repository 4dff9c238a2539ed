/**
 * The Model port: one LLM behind one wire format. Everything that knows an LLM's wire lives in this room;
 * the agent sees only these types.
 */
import type { AssistantContent, Message, ToolDefinition, Usage } from "../conversation/index.ts";

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  /** In stable order; new ones at the end, so that the prefix stays byte-identical. */
  readonly tools: readonly ToolDefinition[];
  readonly maxOutputTokens?: number;
}

export type StopReason = "end" | "tool-calls" | "length" | "refused" | "other";

/**
 * A stream ends with exactly one `finish` or one `error`. `content` carries finished blocks in order
 * (text, thinking, tool requests); the deltas before them are for whoever watches.
 */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "thinking-delta"; readonly text: string }
  | { readonly type: "content"; readonly content: AssistantContent }
  | { readonly type: "notice"; readonly level: "info" | "warning"; readonly text: string }
  | { readonly type: "finish"; readonly reason: StopReason; readonly usage: Usage }
  | { readonly type: "error"; readonly error: ModelError };

export interface ModelLimits {
  /** Tokens of the whole window. */
  readonly context: number;
  readonly output: number;
  readonly images: boolean;
  /** It chooses among any number of tools by itself: it is given all, and no search. */
  readonly allTools?: boolean;
}

export interface Model {
  /** `provider/model`, for people. */
  readonly id: string;
  readonly limits: ModelLimits;
  /** Must not throw: a failure is the last event. */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>;
}

/**
 * - `auth`: the key is missing, wrong or not allowed. Not retried.
 * - `rate-limit`, `overload`: retried with the server's own delay where it gave one.
 * - `context-overflow`: the conversation is too long for the model; compaction may help.
 * - `credits`: the account cannot pay. Not retried.
 * - `refused`: the model or its filter declined. Not retried.
 * - `network`: no answer, or an answer cut off. Retried while nothing was acted on.
 * - `protocol`: an answer that is not what the wire format promises.
 * - `cancelled`: our own AbortSignal. Never shown as a failure.
 */
export type ModelErrorCode =
  | "auth"
  | "rate-limit"
  | "overload"
  | "context-overflow"
  | "credits"
  | "refused"
  | "network"
  | "protocol"
  | "cancelled";

/** Raised by providers. `retryAfterMs` is set only when the provider said so. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  readonly retryAfterMs: number | undefined;
  constructor(
    code: ModelErrorCode,
    message: string,
    options: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
