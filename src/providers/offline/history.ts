/**
 * What the planner needs to know of a conversation: what the person said, in order, and which calls with which
 * results came after each. Context messages, which the program puts there, are not the person's words.
 */
import type { Message, ToolRequest, ToolResponse } from "../../conversation/index.ts";

export interface Call {
  readonly request: ToolRequest;
  /** Undefined while it has not come back. */
  readonly response: ToolResponse | undefined;
}

export interface Exchange {
  readonly text: string;
  readonly calls: readonly Call[];
  /** The assistant wrote something after it. */
  readonly answered: boolean;
}

export interface History {
  /** Oldest first; the last is what the person wants now. */
  readonly exchanges: readonly Exchange[];
  /** The conversation ends with tool results. */
  readonly endsWithResults: boolean;
  /** Tool requests so far: new ones get a number of their own. */
  readonly callCount: number;
  readonly isFirstTurn: boolean;
}

export function readHistory(messages: readonly Message[]): History {
  const exchanges: { text: string; calls: Call[]; answered: boolean }[] = [];
  let callCount = 0;
  for (const message of messages) {
    const current = exchanges.at(-1);
    if (message.role === "user") {
      if (message.origin === "context") continue;
      const text = message.content
        .map((content) => (content.type === "text" ? content.text : ""))
        .join("\n")
        .trim();
      // Two messages in a row are one request.
      if (current !== undefined && !current.answered && current.calls.length === 0)
        current.text += `\n${text}`;
      else exchanges.push({ text, calls: [], answered: false });
    } else if (message.role === "assistant") {
      for (const content of message.content) {
        if (content.type !== "tool-request") continue;
        callCount += 1;
        current?.calls.push({ request: content, response: undefined });
      }
      if (current !== undefined) current.answered = true;
    } else {
      for (const response of message.content) {
        const index = current?.calls.findIndex(({ request }) => request.id === response.id) ?? -1;
        const call = current?.calls[index];
        if (current !== undefined && call !== undefined) current.calls[index] = { ...call, response };
      }
    }
  }
  return {
    exchanges,
    endsWithResults: messages.at(-1)?.role === "tool",
    callCount,
    isFirstTurn: !messages.some(({ role }) => role === "assistant"),
  };
}

/** Calls that came back, newest first: what "it", "that file" and "the second one" speak of. */
export function callsOf(exchanges: readonly Exchange[]): readonly Call[] {
  return exchanges
    .flatMap(({ calls }) => calls)
    .filter(({ response }) => response !== undefined)
    .reverse();
}

/** The newest call that came back, with its result: what "the next page" and "again" speak of. */
export function lastCall(
  exchanges: readonly Exchange[],
): (Call & { readonly response: ToolResponse }) | undefined {
  for (const { request, response } of callsOf(exchanges))
    if (response !== undefined) return { request, response };
  return undefined;
}
