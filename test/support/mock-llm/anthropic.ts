/** Anthropic messages, streamed: blocks with an index, each started, filled by deltas and stopped. */
import {
  argumentsOf,
  callId,
  DEFAULT_USAGE,
  eventFrame,
  type FrameContext,
  type MockAnswer,
  pieces,
} from "./answer.ts";

export function anthropicFrames(answer: MockAnswer, { model }: FrameContext): string[] {
  const frames: string[] = [];
  const emit = (type: string, fields: object = {}) => frames.push(eventFrame(type, { type, ...fields }));
  let index = 0;
  const block = (content_block: object, deltas: readonly object[]) => {
    emit("content_block_start", { index, content_block });
    for (const delta of deltas) emit("content_block_delta", { index, delta });
    emit("content_block_stop", { index });
    index += 1;
  };
  const { input, output, cacheRead = 0, cacheWrite = 0 } = { ...DEFAULT_USAGE, ...answer.usage };

  emit("message_start", {
    message: {
      id: "msg_mock",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        // Anthropic counts what came from the cache apart.
        input_tokens: input - cacheRead - cacheWrite,
        cache_read_input_tokens: cacheRead,
        cache_creation_input_tokens: cacheWrite,
        output_tokens: 1,
      },
    },
  });
  emit("ping");
  if (answer.thinking !== undefined)
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...pieces(answer.thinking, answer.deltaSize).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: answer.signature ?? "sig" },
    ]);
  if (answer.text !== undefined)
    block(
      { type: "text", text: "" },
      pieces(answer.text, answer.deltaSize).map((text) => ({ type: "text_delta", text })),
    );
  for (const call of answer.calls ?? [])
    block(
      { type: "tool_use", id: callId(call, "toolu_"), name: call.name, input: {} },
      pieces(argumentsOf(call), answer.deltaSize).map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      })),
    );
  emit("message_delta", {
    delta: { stop_reason: stopReason(answer), stop_sequence: null },
    usage: { output_tokens: output },
  });
  emit("message_stop");
  return frames;
}

function stopReason({ finish, calls = [] }: MockAnswer): string {
  if (finish === "length") return "max_tokens";
  if (finish === "refused") return "refusal";
  return calls.length > 0 ? "tool_use" : "end_turn";
}
