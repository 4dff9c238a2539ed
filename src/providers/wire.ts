/**
 * What one wire format can carry, as data: the converter in ai-sdk/ reads it, so that there is one converter
 * and no subclass for each provider. A quirk of a host is a field here, never a branch on its name.
 */
export type WireFormat = "openai-chat" | "openai-responses" | "anthropic" | "google";

export interface Wire {
  readonly format: WireFormat;
  /** Who may be given back its own thinking: signatures of one provider mean nothing to another. */
  readonly provider: string;
  /** Whether pictures may stand inside a tool result, or are hoisted into a user message after the results. */
  readonly toolResultImages: "inline" | "hoist";
  /** Whether the format has a field for a failed tool call, or it must be said in words. */
  readonly toolErrors: "flag" | "words";
  /** Media types of audio that a user message may carry. */
  readonly audioTypes: readonly string[];
  /** Whether thinking goes back to the server at all. */
  readonly replaysThinking: boolean;
}
