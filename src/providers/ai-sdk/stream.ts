/**
 * Reads the parts of an answer into our events. Blocks come out in the order in which they ended.
 * A tool request is held back until the answer is complete: a call out of an answer that was cut off is never
 * seen, so it can never run. An answer without a finish is a cut one.
 */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import {
  type AssistantContent,
  isJsonObject,
  type JsonObject,
  type ToolRequest,
  type Usage,
} from "../../conversation/index.ts";
import { ModelError, type ModelEvent, type StopReason } from "../model.ts";
import { parseToolArguments } from "../tool-arguments.ts";
import type { ToolNames } from "../tool-name.ts";
import type { Wire } from "../wire.ts";

interface OpenBlock {
  text: string;
  metadata: JsonObject | undefined;
}

export async function* readStream(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
  { wire, names }: { readonly wire: Wire; readonly names: ToolNames },
): AsyncGenerator<ModelEvent> {
  const texts = new Map<string, OpenBlock>();
  const thoughts = new Map<string, OpenBlock>();
  const held: AssistantContent[] = [];
  const finished = function* (content: AssistantContent | undefined): Generator<ModelEvent> {
    if (content === undefined) return;
    if (held.length > 0 || content.type === "tool-request") held.push(content);
    else yield { type: "content", content };
  };

  for await (const part of parts) {
    switch (part.type) {
      case "text-start":
        open(texts, part);
        break;
      case "text-delta":
        if (part.delta === "") break;
        open(texts, part).text += part.delta;
        yield { type: "text-delta", text: part.delta };
        break;
      case "text-end":
        yield* finished(closeText(texts, part.id));
        break;
      case "reasoning-start":
        open(thoughts, part);
        break;
      case "reasoning-delta":
        open(thoughts, part).text += part.delta;
        if (part.delta !== "") yield { type: "thinking-delta", text: part.delta };
        break;
      case "reasoning-end":
        open(thoughts, part);
        yield* finished(closeThinking(thoughts, part.id, wire));
        break;
      case "tool-call":
        if (part.providerExecuted) break;
        yield* finished(toToolRequest(part, wire, names));
        break;
      case "file":
        if (part.data.type === "data" && part.mediaType.startsWith("image/"))
          yield* finished({ type: "image", mimeType: part.mediaType, data: toBase64(part.data.data) });
        break;
      case "error":
        throw part.error;
      case "finish": {
        for (const id of [...thoughts.keys()]) yield* finished(closeThinking(thoughts, id, wire));
        for (const id of [...texts.keys()]) yield* finished(closeText(texts, id));
        const reason = stopReason(part.finishReason, held);
        for (const content of held) yield { type: "content", content: withCutReason(content, reason) };
        yield { type: "finish", reason, usage: toUsage(part.usage) };
        return;
      }
      default:
        break;
    }
  }
  throw new ModelError("network", "The answer broke off before it was complete: try again.");
}

type Part = { readonly id: string; readonly providerMetadata?: Readonly<Record<string, unknown>> };

/** Signatures may come with any part of a block, most often the last: what is newer wins, key by key. */
function open(blocks: Map<string, OpenBlock>, part: Part): OpenBlock {
  const block = blocks.get(part.id) ?? { text: "", metadata: undefined };
  blocks.set(part.id, block);
  if (part.providerMetadata !== undefined) block.metadata = merge(block.metadata, part.providerMetadata);
  return block;
}

function merge(older: JsonObject | undefined, newer: Readonly<Record<string, unknown>>): JsonObject {
  const merged: Record<string, JsonObject> = {};
  for (const [key, value] of [...Object.entries(older ?? {}), ...Object.entries(newer)])
    if (isJsonObject(value)) merged[key] = { ...merged[key], ...value };
  return merged;
}

function closeText(blocks: Map<string, OpenBlock>, id: string): AssistantContent | undefined {
  const block = blocks.get(id);
  blocks.delete(id);
  return block === undefined || block.text === "" ? undefined : { type: "text", text: block.text };
}

function closeThinking(blocks: Map<string, OpenBlock>, id: string, wire: Wire): AssistantContent | undefined {
  const block = blocks.get(id);
  blocks.delete(id);
  if (block === undefined || (block.text === "" && block.metadata === undefined)) return undefined;
  return { type: "thinking", text: block.text, providerData: providerData(wire, block.metadata) };
}

function providerData(wire: Wire, metadata: JsonObject | undefined): JsonObject {
  return metadata === undefined ? { provider: wire.provider } : { provider: wire.provider, metadata };
}

type ToolCallPart = Extract<LanguageModelV4StreamPart, { type: "tool-call" }>;

function toToolRequest(part: ToolCallPart, wire: Wire, names: ToolNames): ToolRequest {
  const request = {
    type: "tool-request",
    id: part.toolCallId,
    name: names.fromWire(part.toolName),
    ...parseToolArguments(part.input),
  } as const;
  if (part.providerMetadata === undefined) return request;
  return { ...request, providerData: providerData(wire, merge(undefined, part.providerMetadata)) };
}

function withCutReason(content: AssistantContent, reason: StopReason): AssistantContent {
  if (reason !== "length" || content.type !== "tool-request" || content.invalid === undefined) return content;
  const why = "The answer reached its token limit in the middle of these arguments.";
  return { ...content, invalid: { raw: content.invalid.raw, reason: `${why} ${content.invalid.reason}` } };
}

/** Some servers say `stop` although they ask for tools. */
function stopReason(reason: LanguageModelV4FinishReason, held: readonly AssistantContent[]): StopReason {
  switch (reason.unified) {
    case "stop":
    case "tool-calls":
    case "other":
      if (held.length > 0) return "tool-calls";
      return reason.unified === "other" ? "other" : "end";
    case "length":
      return "length";
    case "content-filter":
      return "refused";
    case "interrupted":
      throw new ModelError("network", "The answer broke off before it was complete: try again.");
    case "error":
      throw new ModelError(
        "protocol",
        "The provider ended the answer with an error that it did not explain.",
      );
    default:
      return reason.unified satisfies never;
  }
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    ...(inputTokens.total !== undefined && { inputTokens: inputTokens.total }),
    ...(outputTokens.total !== undefined && { outputTokens: outputTokens.total }),
    ...(inputTokens.cacheRead !== undefined && { cacheReadTokens: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite !== undefined && { cacheWriteTokens: inputTokens.cacheWrite }),
  };
}

function toBase64(data: string | Uint8Array): string {
  return typeof data === "string" ? data : Buffer.from(data).toString("base64");
}
