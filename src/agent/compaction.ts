/**
 * Makes a conversation that is too long for the model strictly shorter: first old tool results become references,
 * then the model is asked for a summary of what came before. What the person asked last always stays.
 * Pure but for the one question to the model; at most two tries are the loop's business.
 */
import {
  type Message,
  type ToolContent,
  type ToolMessage,
  type ToolResponse,
  textOf,
  userMessage,
} from "../conversation/index.ts";
import { readCutMark } from "../lib/cut-mark.ts";
import { estimateTokens } from "../lib/token-estimate.ts";
import type { Model } from "./ports.ts";

/** Messages at the end that are left alone while results are shortened. */
const RECENT_MESSAGES = 6;
/** A result that is shorter than this stays. */
const SHORT_RESULT = 400;
const IMAGE_TOKENS = 1600;
const MAX_TRANSCRIPT = 200_000;

export type Compacted =
  | {
      readonly type: "smaller";
      readonly messages: readonly Message[];
      readonly before: number;
      readonly after: number;
    }
  | { readonly type: "stuck"; readonly reason: string };

export function estimateConversation(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

export async function compact(
  messages: readonly Message[],
  options: { readonly model: Model; readonly target: number; readonly signal: AbortSignal },
): Promise<Compacted> {
  const before = estimateConversation(messages);
  const shortened = shortenOldResults(messages);
  const afterFirst = estimateConversation(shortened);
  if (afterFirst <= options.target && afterFirst < before)
    return { type: "smaller", messages: shortened, before, after: afterFirst };
  const summary = await summarise(shortened, options.model, options.signal);
  if (summary === undefined) {
    if (afterFirst < before) return { type: "smaller", messages: shortened, before, after: afterFirst };
    return { type: "stuck", reason: "the model could not summarise it" };
  }
  const kept = [summary, ...lastExchange(shortened)];
  const after = estimateConversation(kept);
  if (after < before) return { type: "smaller", messages: kept, before, after };
  return { type: "stuck", reason: "the newest message alone is too long" };
}

/** Old results shrink to their first line and the way to read them again. Requests and responses stay paired. */
export function shortenOldResults(messages: readonly Message[]): readonly Message[] {
  const recent = Math.max(0, messages.length - RECENT_MESSAGES);
  return messages.map((message, index) =>
    index < recent && message.role === "tool" ? shortenResults(message) : message,
  );
}

function shortenResults(message: ToolMessage): ToolMessage {
  return { ...message, content: message.content.map(shortenResponse) };
}

function shortenResponse(response: ToolResponse): ToolResponse {
  const text = response.content.map(wordsOf).join("\n");
  const onlyShortText =
    response.content.every((content) => content.type === "text") && text.length <= SHORT_RESULT;
  if (onlyShortText && response.structuredContent === undefined) return response;
  const kept = /session:\/\/result\/[0-9a-f]+/.exec(text)?.[0];
  const elsewhere = response.content
    .map(({ meta }) => readCutMark(meta))
    .find((words) => words !== undefined);
  const again = kept
    ? `the whole is ${kept}`
    : (elsewhere ?? "call the tool again to see it").replace(/\.$/, "");
  const { structuredContent: _structured, ...rest } = response;
  const firstLine = text.split("\n", 1)[0]?.slice(0, 200) ?? "";
  return {
    ...rest,
    content: [{ type: "text", text: `${firstLine}\n[This old result was shortened; ${again}.]` }],
  };
}

function wordsOf(content: ToolContent): string {
  if (content.type === "text") return content.text;
  if (content.type === "resource" && "text" in content.resource) return content.resource.text;
  return `[${content.type}]`;
}

async function summarise(
  messages: readonly Message[],
  model: Model,
  signal: AbortSignal,
): Promise<Message | undefined> {
  const transcript = messages.map(describe).join("\n\n");
  const words =
    transcript.length > MAX_TRANSCRIPT
      ? `[the beginning is left out]\n${transcript.slice(-MAX_TRANSCRIPT)}`
      : transcript;
  const request = {
    system:
      "You summarise a conversation between a person and an agent so that the agent can go on from your summary alone. " +
      "Keep: what the person wants, decisions, facts found with their sources (paths, URIs, names, numbers), what was done, what is left. Write in the person's language.",
    messages: [userMessage(`${words}\n\n---\nSummarise the conversation above.`)],
    tools: [],
  };
  let text = "";
  for await (const event of model.stream(request, { signal })) {
    if (event.type === "content" && event.content.type === "text") text += event.content.text;
    if (event.type === "error") return undefined;
  }
  if (text.trim() === "") return undefined;
  return {
    role: "user",
    origin: "context",
    content: [{ type: "text", text: `[Summary of the conversation so far]\n${text}` }],
  };
}

/** From the person's last words on, as far as tool requests and responses pair up. */
function lastExchange(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex((message) => message.role === "user" && message.origin !== "context");
  return last < 0 ? [] : messages.slice(last);
}

function describe(message: Message): string {
  if (message.role === "user")
    return `${message.origin === "context" ? "CONTEXT" : "PERSON"}: ${textOf(message)}`;
  if (message.role === "assistant") {
    const calls = message.content.flatMap((content) =>
      content.type === "tool-request" ? [`[calls ${content.name} ${JSON.stringify(content.arguments)}]`] : [],
    );
    return `AGENT: ${[textOf(message), ...calls].filter(Boolean).join("\n")}`;
  }
  return message.content
    .map((response) => `RESULT of ${response.name}: ${response.content.map(wordsOf).join("\n")}`)
    .join("\n");
}

function estimateMessage(message: Message): number {
  const pieces =
    message.role === "tool" ? message.content.flatMap((response) => response.content) : message.content;
  return pieces.reduce((sum, content) => sum + estimateContent(content), 4);
}

function estimateContent(content: { readonly type: string }): number {
  const { data, ...rest } = content as { type: string; data?: string };
  if (content.type === "image") return IMAGE_TOKENS;
  const blob =
    "resource" in rest &&
    typeof rest.resource === "object" &&
    rest.resource !== null &&
    "blob" in rest.resource;
  if (blob) return IMAGE_TOKENS;
  return estimateTokens(JSON.stringify(rest)) + (data === undefined ? 0 : IMAGE_TOKENS);
}
