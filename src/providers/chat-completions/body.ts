/** The body of a request: the specification's prompt and tools as chat completions want them. Pure. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";

export interface ChatTarget {
  readonly host: string;
  readonly model: string;
}

type ChatMessage = Readonly<Record<string, unknown>>;
type Parts<Role extends LanguageModelV4Message["role"]> = Extract<
  LanguageModelV4Message,
  { role: Role }
>["content"];
type UserPart = Parts<"user">[number];

export function toChatBody(call: LanguageModelV4CallOptions, { host, model }: ChatTarget): object {
  const { reasoning, maxOutputTokens, tools, prompt } = call;
  return {
    model,
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    ...(reasoning !== undefined && reasoning !== "provider-default" && { reasoning_effort: reasoning }),
    messages: prompt.flatMap((message) => toMessages(message, host)),
    ...(tools !== undefined && tools.length > 0 && { tools: tools.flatMap(toTool) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toMessages(message: LanguageModelV4Message, host: string): ChatMessage[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }];
    case "user":
      return [{ role: "user", content: userContent(message.content) }];
    case "assistant":
      return [assistantMessage(message.content, host)];
    case "tool":
      return message.content.flatMap((part) =>
        part.type === "tool-result"
          ? [{ role: "tool", tool_call_id: part.toolCallId, content: resultText(part.output) }]
          : [],
      );
    default:
      return message satisfies never;
  }
}

function userContent(parts: readonly UserPart[]): string | object[] {
  const [first] = parts;
  if (parts.length === 1 && first?.type === "text") return first.text;
  return parts.map(userPart);
}

function userPart(part: UserPart): object {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.data.type !== "data" || typeof part.data.data !== "string")
    throw new TypeError(`A ${part.mediaType} is sent as base64 here, not as ${part.data.type}.`);
  const { data } = part.data;
  if (!part.mediaType.startsWith("audio/"))
    return { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${data}` } };
  return {
    type: "input_audio",
    input_audio: { data, format: part.mediaType === "audio/wav" ? "wav" : "mp3" },
  };
}

function assistantMessage(parts: Parts<"assistant">, host: string): ChatMessage {
  let text = "";
  let thinking = "";
  const calls: object[] = [];
  for (const part of parts) {
    if (part.type === "text") text += part.text;
    if (part.type === "reasoning") thinking += part.text;
    if (part.type !== "tool-call") continue;
    // Gemini behind this format wants its signature back with the call.
    const signature = part.providerOptions?.[host]?.["thoughtSignature"];
    calls.push({
      id: part.toolCallId,
      type: "function",
      function: { name: part.toolName, arguments: JSON.stringify(part.input) },
      ...(signature !== undefined && { extra_content: { google: { thought_signature: String(signature) } } }),
    });
  }
  return {
    role: "assistant",
    content: calls.length > 0 ? text || null : text,
    ...(thinking !== "" && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

type ResultOutput = Extract<Parts<"tool">[number], { type: "tool-result" }>["output"];

/** Pictures never come here: this format carries them in a message of the user (wire.ts). */
function resultText(output: ResultOutput): string {
  return output.type === "text" || output.type === "error-text" ? output.value : JSON.stringify(output);
}

function toTool(tool: NonNullable<LanguageModelV4CallOptions["tools"]>[number]): object[] {
  if (tool.type !== "function") return [];
  const { name, description, inputSchema, strict } = tool;
  return [
    {
      type: "function",
      function: { name, description, parameters: inputSchema, ...(strict !== undefined && { strict }) },
    },
  ];
}
