/**
 * Messages of a conversation. History is append-only: a message is never rewritten once the model saw it,
 * so that the bytes before the newest turn stay the same and the provider's prompt cache holds.
 */
import type { AssistantContent, ToolRequest, ToolResponse, UserContent } from "./content.ts";

/** `person` typed it; `context` was put there by the program (active and attached resources). */
export type UserOrigin = "person" | "context";

export interface UserMessage {
  readonly role: "user";
  readonly content: readonly UserContent[];
  readonly origin?: UserOrigin;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantContent[];
}

/** The responses to all tool requests of the assistant message before it, in the order of the requests. */
export interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResponse[];
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

export function userMessage(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }], origin: "person" };
}

export function toolRequestsOf(message: AssistantMessage): readonly ToolRequest[] {
  return message.content.filter((content) => content.type === "tool-request");
}

/** The text of an assistant message, as a person reads it. */
export function textOf(message: Message): string {
  return message.content.map((content) => (content.type === "text" ? content.text : "")).join("");
}
