/**
 * Asks the model once and turns its stream into events and one assistant message. Whatever arrived before a
 * failure or a cancellation is kept as text; tool requests are kept only when the answer is whole, because a
 * request without its response would make the conversation invalid.
 */
import type {
  AgentEvent,
  AssistantContent,
  AssistantMessage,
  Failure,
  Usage,
} from "../conversation/index.ts";
import type { ModelRequest, StopReason } from "../providers/model.ts";
import type { Model } from "./ports.ts";

export type Answer =
  | {
      readonly type: "whole";
      readonly message: AssistantMessage;
      readonly reason: StopReason;
      readonly usage: Usage;
    }
  | { readonly type: "failed"; readonly message: AssistantMessage; readonly error: Failure }
  | { readonly type: "cancelled"; readonly message: AssistantMessage };

export async function* streamAnswer(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Answer> {
  const content: AssistantContent[] = [];
  let unfinished = "";
  for await (const event of model.stream(request, { signal })) {
    if (signal.aborted) break;
    switch (event.type) {
      case "text-delta":
        unfinished += event.text;
        yield event;
        break;
      case "thinking-delta":
      case "notice":
        yield event;
        break;
      case "content":
        if (event.content.type === "text") unfinished = "";
        content.push(event.content);
        break;
      case "finish":
        return { type: "whole", message: assistant(content), reason: event.reason, usage: event.usage };
      case "error":
        if (event.error.code === "cancelled")
          return { type: "cancelled", message: readable(content, unfinished) };
        return { type: "failed", message: readable(content, unfinished), error: event.error };
      default:
        return event satisfies never;
    }
  }
  return { type: "cancelled", message: readable(content, unfinished) };
}

function assistant(content: readonly AssistantContent[]): AssistantMessage {
  return { role: "assistant", content };
}

function readable(content: readonly AssistantContent[], unfinished: string): AssistantMessage {
  const texts = content.filter((block) => block.type === "text" || block.type === "image");
  return assistant(unfinished === "" ? texts : [...texts, { type: "text", text: unfinished }]);
}
