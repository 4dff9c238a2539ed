/** A server's request to the model, in the conversation's vocabulary and back, with hard limits on both. */
import type { CreateMessageRequest, CreateMessageResult } from "@modelcontextprotocol/client";
import type { Message, SamplingAnswer, SamplingRequest, ToolContent } from "../conversation/index.ts";
import { toContent } from "./content.ts";

const MAX_TOKENS = 8192;
const MAX_INPUT_LENGTH = 1024 * 1024;

export type SamplingCheck =
  | { readonly type: "fine"; readonly request: SamplingRequest }
  | { readonly type: "refused"; readonly reason: string };

export function readSamplingRequest(
  params: CreateMessageRequest["params"],
  extension: string,
): SamplingCheck {
  const refused = (reason: string): SamplingCheck => ({ type: "refused", reason });
  if (JSON.stringify(params).length > MAX_INPUT_LENGTH) return refused("its messages are too long");
  if (params.tools !== undefined && params.tools.length > 0)
    return refused("it wants the model to use tools of its own");
  if (params.messages.length === 0) return refused("it has no messages");
  return {
    type: "fine",
    request: {
      extension,
      messages: params.messages.map((message) => toMessage(message, extension)),
      ...(params.systemPrompt !== undefined && { system: params.systemPrompt }),
      maxTokens: Math.max(1, Math.min(params.maxTokens, MAX_TOKENS)),
    },
  };
}

export function toSamplingResult(answer: Extract<SamplingAnswer, { type: "answered" }>): CreateMessageResult {
  return {
    role: "assistant",
    content: { type: "text", text: answer.text },
    model: answer.model,
    stopReason: answer.stopReason,
  };
}

type McpMessage = CreateMessageRequest["params"]["messages"][number];

function toMessage({ role, content }: McpMessage, extension: string): Message {
  const blocks = (Array.isArray(content) ? content : [content]).map((block) => toBlock(block, extension));
  if (role === "user") return { role: "user", content: blocks };
  return {
    role: "assistant",
    content: blocks.filter((block) => block.type === "text" || block.type === "image"),
  };
}

function toBlock(block: { readonly type: string }, extension: string): ToolContent {
  if (block.type === "text" || block.type === "image" || block.type === "audio")
    return toContent(block as Parameters<typeof toContent>[0], extension);
  return { type: "text", text: JSON.stringify(block), source: { extension } };
}
