/**
 * What each wire format can carry, as data: the converter in ai-sdk/ reads it, so that there is one converter
 * and no subclass for each provider. A quirk of a host is a field here, never a branch on its name.
 */
import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { PictureRules } from "./pictures/picture.ts";
import type { SchemaDialect } from "./schema/compile.ts";

export type WireFormat = "openai-chat" | "openai-responses" | "anthropic" | "google";

export interface Wire {
  readonly format: WireFormat;
  /** Whether pictures may stand inside a tool result, or are hoisted into a user message after the results. */
  readonly toolResultImages: "inline" | "hoist";
  /** Whether the format has a field for a failed tool call, or it must be said in words. */
  readonly toolErrors: "flag" | "words";
  /** Media types of audio that a user message may carry. */
  readonly audioTypes: readonly string[];
  readonly pictures: PictureRules;
  /** Said with every picture: OpenAI's responses want a level of detail. */
  readonly pictureOptions?: SharedV4ProviderOptions;
  readonly schema: SchemaDialect;
  /** Whether thinking goes back to the server. A host that refuses fields it does not know says no. */
  readonly replaysThinking: boolean;
  /** Whether we mark where the provider shall cache; the others find the common prefix themselves. */
  readonly cacheMarks: boolean;
  /** Mistral wants exactly nine letters or digits; the rest take what every name may hold. */
  readonly callIds: "any" | "nine";
  /** Some chat templates refuse a user message straight after a tool result. */
  readonly userAfterTool: boolean;
}

const COMMON_PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export const OPENAI_CHAT: Wire = {
  format: "openai-chat",
  toolResultImages: "hoist",
  toolErrors: "words",
  audioTypes: ["audio/wav", "audio/mpeg", "audio/mp3"],
  pictures: { types: COMMON_PICTURES, maxEdge: 2048, maxBytes: 8_000_000 },
  schema: "plain",
  replaysThinking: true,
  cacheMarks: false,
  callIds: "any",
  userAfterTool: true,
};

export const OPENAI_RESPONSES: Wire = {
  ...OPENAI_CHAT,
  format: "openai-responses",
  toolResultImages: "inline",
  audioTypes: [],
  pictureOptions: { openai: { imageDetail: "auto" } },
  schema: "openai",
};

/** Anthropic counts the base64 form against 5 MB, and scales what is larger than 1568 pixels itself. */
export const ANTHROPIC: Wire = {
  ...OPENAI_CHAT,
  format: "anthropic",
  toolResultImages: "inline",
  toolErrors: "flag",
  audioTypes: [],
  pictures: { types: COMMON_PICTURES, maxEdge: 1568, maxBytes: 3_700_000 },
  schema: "anthropic",
  cacheMarks: true,
};

export const GOOGLE: Wire = {
  ...OPENAI_CHAT,
  format: "google",
  toolResultImages: "inline",
  toolErrors: "flag",
  audioTypes: ["audio/wav", "audio/mpeg", "audio/mp3", "audio/aac", "audio/ogg", "audio/flac", "audio/aiff"],
  pictures: { types: ["image/png", "image/jpeg", "image/webp"], maxEdge: 3072, maxBytes: 6_000_000 },
  schema: "google",
};
