/**
 * Our messages as the specification's prompt. The same messages always give the same bytes, and a longer
 * conversation begins with the bytes of the shorter one, so that the provider's cache holds.
 */
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import {
  type AssistantContent,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolResponse,
} from "../../conversation/index.ts";
import type { ModelRequest } from "../model.ts";
import type { ToolNames } from "../tool-name.ts";
import { type ContentRules, toWireParts, type WirePart } from "./content.ts";

export interface PromptRules extends ContentRules {
  readonly names: ToolNames;
}

export function toPrompt(request: ModelRequest, rules: PromptRules): LanguageModelV4Prompt {
  const system: LanguageModelV4Prompt =
    request.system === "" ? [] : [{ role: "system", content: request.system }];
  return [...system, ...request.messages.flatMap((message) => toMessages(message, rules))];
}

function toMessages(message: Message, rules: PromptRules): LanguageModelV4Message[] {
  switch (message.role) {
    case "user":
      return userMessages(toWireParts(message.content, rules));
    case "assistant": {
      const content = message.content.flatMap((block) => assistantParts(block, rules));
      return content.length === 0 ? [] : [{ role: "assistant", content }];
    }
    case "tool": {
      const results = message.content.map((response) => toolResult(response, rules));
      const hoisted = results.flatMap((result) => result.hoisted);
      return [{ role: "tool", content: results.map((result) => result.part) }, ...userMessages(hoisted)];
    }
    default:
      return message satisfies never;
  }
}

type UserParts = Extract<LanguageModelV4Message, { role: "user" }>["content"];
type AssistantParts = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type ResultParts = Extract<LanguageModelV4ToolResultPart["output"], { type: "content" }>["value"];

function userMessages(parts: readonly WirePart[]): LanguageModelV4Message[] {
  return parts.length === 0 ? [] : [{ role: "user", content: parts.map(toPart) satisfies UserParts }];
}

function toPart(part: WirePart): UserParts[number] & ResultParts[number] {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: "file", mediaType: part.mimeType, data: { type: "data", data: part.data } };
}

function assistantParts(block: AssistantContent, { wire, names }: PromptRules): AssistantParts {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      // Another provider's thinking has a signature that this one cannot check.
      if (!wire.replaysThinking || block.providerData?.["provider"] !== wire.provider) return [];
      return [{ type: "reasoning", text: block.text, ...providerOptions(block.providerData) }];
    case "image":
      return [{ type: "text", text: `[image (${block.mimeType}) made by the model]` }];
    case "tool-request":
      return [
        {
          type: "tool-call",
          toolCallId: block.id,
          toolName: names.toWire(block.name),
          // Every format wants an object here, also for a call whose arguments were none.
          input: block.invalid === undefined ? block.arguments : { invalid_arguments: block.invalid.raw },
          ...(block.providerData?.["provider"] === wire.provider && providerOptions(block.providerData)),
        },
      ];
    default:
      return block satisfies never;
  }
}

function providerOptions(providerData: JsonObject): { providerOptions?: SharedV4ProviderOptions } {
  const metadata = providerData["metadata"];
  return isJsonObject(metadata) ? { providerOptions: metadata as SharedV4ProviderOptions } : {};
}

interface ToolResult {
  readonly part: LanguageModelV4ToolResultPart;
  /** What the format cannot carry in a result and goes into a user message after all results. */
  readonly hoisted: readonly WirePart[];
}

function toolResult(response: ToolResponse, rules: PromptRules): ToolResult {
  const parts = [...toWireParts(response.content, rules), ...structured(response)];
  if (parts.length === 0) parts.push({ type: "text", text: emptyResult(response) });
  const inWords = response.isError && rules.wire.toolErrors === "words";
  if (inWords) parts.unshift({ type: "text", text: "[the tool call failed]" });
  const carried = rules.wire.toolResultImages === "inline" ? isImageOrText : isText;
  const hoisted = parts.filter((part) => !carried(part));
  const inline = parts.map((part): WirePart => {
    if (carried(part) || part.type === "text") return part;
    return { type: "text", text: `[${part.kind} (${part.mimeType}): in the message after this]` };
  });
  const part: LanguageModelV4ToolResultPart = {
    type: "tool-result",
    toolCallId: response.id,
    toolName: rules.names.toWire(response.name),
    output: output(inline, response.isError && !inWords),
  };
  if (hoisted.length === 0) return { part, hoisted };
  const label = `[from the result of ${response.name}, call ${response.id}]`;
  return { part, hoisted: [{ type: "text", text: label }, ...hoisted] };
}

function output(parts: readonly WirePart[], isError: boolean): LanguageModelV4ToolResultPart["output"] {
  const texts = parts.filter(isText);
  if (texts.length < parts.length) return { type: "content", value: parts.map(toPart) };
  const value = texts.map((part) => part.text).join("\n");
  return { type: isError ? "error-text" : "text", value };
}

function isText(part: WirePart): part is WirePart & { type: "text" } {
  return part.type === "text";
}

function isImageOrText(part: WirePart): boolean {
  return part.type === "text" || part.kind === "image";
}

function emptyResult(response: ToolResponse): string {
  return response.content.length === 0
    ? "[the tool returned nothing]"
    : "[the result is shown to the user only]";
}

/** structuredContent is sent beside the content, unless a text block is the same JSON already. */
function structured({ content, structuredContent }: ToolResponse): WirePart[] {
  if (structuredContent === undefined) return [];
  const pictures = new Set(content.flatMap((block) => ("data" in block ? [block.data] : [])));
  const json = JSON.stringify(structuredContent, (_key, value: unknown) =>
    typeof value === "string" && pictures.has(value) ? "[the same bytes as above]" : value,
  );
  const same = canonical(structuredContent);
  const repeated = content.some((block) => block.type === "text" && canonical(parse(block.text)) === same);
  return repeated ? [] : [{ type: "text", text: json }];
}

function parse(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The same value gives the same text, whatever the order of its keys. */
function canonical(value: JsonValue | undefined): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
