/**
 * One tool response as a tool result, and what must follow it in a user message: pictures and sound that the
 * format cannot carry inside a result, or not together with its mark of failure.
 */
import type { LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { ToolResponse } from "../../conversation/index.ts";
import { toWireCallId } from "../call-id.ts";
import type { Wire } from "../wire.ts";
import { toWireParts, type WirePart } from "./content.ts";
import { toSpecPart } from "./spec-part.ts";
import { structuredParts } from "./structured.ts";
import type { Translation } from "./translation.ts";

export interface ToolResult {
  readonly part: LanguageModelV4ToolResultPart;
  readonly hoisted: readonly WirePart[];
}

export function toToolResult(response: ToolResponse, translation: Translation): ToolResult {
  const { wire, names } = translation;
  const parts = resultParts(response, translation);
  const flagged = response.isError && wire.toolErrors === "flag";
  // The specification marks a failure on text alone, so the pictures of a failed call are hoisted, too.
  const stays = (part: WirePart) =>
    part.type === "text" || (part.kind === "image" && wire.toolResultImages === "inline" && !flagged);
  const inline = parts.map((part): WirePart => {
    if (part.type === "text" || stays(part)) return part;
    return { type: "text", text: `[${part.kind} (${part.mimeType}): in the message after this]` };
  });
  const hoisted = parts.filter((part) => !stays(part));
  const label: WirePart = {
    type: "text",
    text: `[from the result of ${response.name}, call ${response.id}]`,
  };
  return {
    part: {
      type: "tool-result",
      toolCallId: toWireCallId(response.id, wire.callIds),
      toolName: names.toWire(response.name),
      output: toOutput(inline, flagged, wire),
    },
    hoisted: hoisted.length === 0 ? [] : [label, ...hoisted],
  };
}

function resultParts(response: ToolResponse, translation: Translation): WirePart[] {
  const parts = [...toWireParts(response.content, translation), ...structuredParts(response)];
  if (parts.length === 0) {
    const shown = response.content.length > 0;
    parts.push({
      type: "text",
      text: shown ? "[the result is shown to the user only]" : "[the tool returned nothing]",
    });
  }
  if (!response.isError || translation.wire.toolErrors === "flag") return parts;
  return [{ type: "text", text: "[the tool call failed]" }, ...parts];
}

function toOutput(
  parts: readonly WirePart[],
  failed: boolean,
  wire: Wire,
): LanguageModelV4ToolResultPart["output"] {
  const texts = parts.filter((part) => part.type === "text");
  if (texts.length < parts.length)
    return { type: "content", value: parts.map((part) => toSpecPart(part, wire)) };
  const value = texts.map((part) => part.text).join("\n");
  return { type: failed ? "error-text" : "text", value };
}
