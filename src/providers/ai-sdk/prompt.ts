/**
 * Our messages as the specification's prompt. The same messages always give the same bytes, and a longer
 * conversation begins with the bytes of the shorter one, so that the provider's cache holds.
 */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AssistantContent, Message } from "../../conversation/index.ts";
import { toWireCallId } from "../call-id.ts";
import type { ModelRequest } from "../model.ts";
import type { ToolNames } from "../tool-name.ts";
import type { Wire } from "../wire.ts";
import { markForCaching } from "./cache-marks.ts";
import { toWireParts, type WirePart } from "./content.ts";
import { isOwn, toProviderOptions } from "./provider-data.ts";
import { toSpecPart } from "./spec-part.ts";
import { toToolResult } from "./tool-result.ts";
import type { Translation } from "./translation.ts";

/** Of arguments that were no JSON: enough for the model to see what it wrote. */
const MAX_INVALID = 2_000;

export function toPrompt(request: ModelRequest, translation: Translation): LanguageModelV4Prompt {
  const { wire } = translation;
  const system: LanguageModelV4Prompt =
    request.system === "" ? [] : [{ role: "system", content: request.system }];
  const messages = request.messages.flatMap((message) => translate(message, translation));
  const prompt = [...system, ...(wire.userAfterTool ? messages : bridgeToolAndUser(messages))];
  return wire.cacheMarks ? markForCaching(prompt) : prompt;
}

function translate(message: Message, translation: Translation): readonly LanguageModelV4Message[] {
  const known = translation.translated.get(message);
  if (known) return known;
  const messages = toMessages(message, translation);
  if (isFinal(message, messages, translation.names)) translation.translated.set(message, messages);
  return messages;
}

/** A picture may be refused later, and a name that had to be encoded depends on the names beside it. */
function isFinal(message: Message, messages: readonly LanguageModelV4Message[], names: ToolNames): boolean {
  const own =
    message.role === "user" ? [] : message.content.flatMap((block) => ("name" in block ? [block.name] : []));
  return (
    own.every((name) => names.toWire(name) === name) &&
    messages.every(({ content }) => typeof content === "string" || !content.some(holdsMedia))
  );
}

type Part = Exclude<LanguageModelV4Message["content"], string>[number];

function holdsMedia(part: Part): boolean {
  return part.type === "file" || (part.type === "tool-result" && part.output.type === "content");
}

function toMessages(message: Message, translation: Translation): LanguageModelV4Message[] {
  switch (message.role) {
    case "user":
      return userMessages(toWireParts(message.content, translation), translation.wire);
    case "assistant": {
      const content = message.content.flatMap((block) => assistantParts(block, translation));
      return content.length === 0 ? [] : [{ role: "assistant", content }];
    }
    case "tool": {
      const results = message.content.map((response) => toToolResult(response, translation));
      const hoisted = results.flatMap((result) => result.hoisted);
      return [
        { role: "tool", content: results.map((result) => result.part) },
        ...userMessages(hoisted, translation.wire),
      ];
    }
    default:
      return message satisfies never;
  }
}

function userMessages(parts: readonly WirePart[], wire: Wire): LanguageModelV4Message[] {
  return parts.length === 0 ? [] : [{ role: "user", content: parts.map((part) => toSpecPart(part, wire)) }];
}

type AssistantParts = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];

function assistantParts(block: AssistantContent, translation: Translation): AssistantParts {
  const { id, wire, names, properties } = translation;
  switch (block.type) {
    case "text": {
      const options = toProviderOptions(id, block.providerData);
      const isEmpty = block.text === "" && options.providerOptions === undefined;
      return isEmpty ? [] : [{ type: "text", text: block.text, ...options }];
    }
    case "thinking":
      if (!wire.replaysThinking || !isOwn(id, block.providerData)) return [];
      return [{ type: "reasoning", text: block.text, ...toProviderOptions(id, block.providerData) }];
    case "image":
      return [{ type: "text", text: `[image (${block.mimeType}) made by the model]` }];
    case "tool-request": {
      // Every format wants an object here, also for a call whose arguments were none.
      const input =
        block.invalid === undefined
          ? block.arguments
          : { invalid_arguments: block.invalid.raw.slice(0, MAX_INVALID) };
      return [
        {
          type: "tool-call",
          toolCallId: toWireCallId(block.id, wire.callIds),
          toolName: names.toWire(block.name),
          input: properties.renameToWire(input),
          ...toProviderOptions(id, block.providerData),
        },
      ];
    }
    default:
      return block satisfies never;
  }
}

function bridgeToolAndUser(messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  return messages.flatMap((message, index) => {
    if (message.role !== "user" || messages[index - 1]?.role !== "tool") return [message];
    return [{ role: "assistant", content: [{ type: "text", text: "I have the result." }] }, message];
  });
}
