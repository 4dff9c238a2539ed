/** A part in the specification's words: the same for user messages and for tool results. */
import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { Wire } from "../wire.ts";
import type { WirePart } from "./content.ts";

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
type ResultPart = Extract<LanguageModelV4ToolResultPart["output"], { type: "content" }>["value"][number];

export function toSpecPart(part: WirePart, { pictureOptions }: Wire): UserPart & ResultPart {
  if (part.type === "text") return { type: "text", text: part.text };
  return {
    type: "file",
    mediaType: part.mimeType,
    data: { type: "data", data: part.data },
    ...(pictureOptions !== undefined && part.kind === "image" && { providerOptions: pictureOptions }),
  };
}
