/** OpenAI chat completions, streamed: one `chat.completion.chunk` for each delta, then usage, then [DONE]. */
import {
  argumentsOf,
  callId,
  DEFAULT_USAGE,
  dataFrame,
  type FrameContext,
  type MockAnswer,
  pieces,
} from "./answer.ts";

export function chatFrames(answer: MockAnswer, { model }: FrameContext): string[] {
  const base = { id: "chatcmpl-mock", object: "chat.completion.chunk", created: 1, model };
  const chunk = (delta: object, finish: string | null = null) =>
    dataFrame({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  const calls = answer.calls ?? [];

  const frames = [chunk({ role: "assistant", content: "" })];
  for (const piece of pieces(answer.thinking ?? "", answer.deltaSize))
    frames.push(chunk({ reasoning_content: piece }));
  for (const piece of pieces(answer.text ?? "", answer.deltaSize)) frames.push(chunk({ content: piece }));
  calls.forEach((call, index) => {
    const head = {
      index,
      id: callId(call, "call_"),
      type: "function",
      function: { name: call.name, arguments: "" },
    };
    frames.push(chunk({ tool_calls: [head] }));
    for (const piece of pieces(argumentsOf(call), answer.deltaSize))
      frames.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  });
  frames.push(chunk({}, finishReason(answer)));

  const { input, output, cacheRead } = { cacheRead: undefined, ...(answer.usage ?? DEFAULT_USAGE) };
  const details = cacheRead === undefined ? {} : { prompt_tokens_details: { cached_tokens: cacheRead } };
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, ...details };
  return [...frames, dataFrame({ ...base, choices: [], usage }), "data: [DONE]\n\n"];
}

function finishReason({ finish, calls = [] }: MockAnswer): string {
  if (finish === "length") return "length";
  if (finish === "refused") return "content_filter";
  return calls.length > 0 ? "tool_calls" : "stop";
}
