/** OpenAI responses, streamed: one item after another, each added, filled by deltas and done. */
import {
  argumentsOf,
  callId,
  DEFAULT_USAGE,
  eventFrame,
  type FrameContext,
  type MockAnswer,
  pieces,
} from "./answer.ts";

export function responsesFrames(answer: MockAnswer, { model }: FrameContext): string[] {
  const frames: string[] = [];
  const output: object[] = [];
  let sequence = 0;
  const emit = (type: string, fields: object) =>
    frames.push(eventFrame(type, { type, sequence_number: sequence++, ...fields }));
  const response = (fields: object) => ({
    id: "resp_mock",
    object: "response",
    created_at: 1,
    model,
    output: [],
    ...fields,
  });
  const item = (
    started: object,
    finished: object,
    fill: (at: { item_id: string; output_index: number }) => void,
  ) => {
    const output_index = output.length;
    emit("response.output_item.added", { output_index, item: started });
    fill({ item_id: (started as { id: string }).id, output_index });
    emit("response.output_item.done", { output_index, item: finished });
    output.push(finished);
  };

  emit("response.created", { response: response({ status: "in_progress" }) });
  emit("response.in_progress", { response: response({ status: "in_progress" }) });
  if (answer.thinking !== undefined) addReasoning(answer.thinking);
  if (answer.text !== undefined) addMessage(answer.text);
  for (const call of answer.calls ?? []) {
    const id = callId(call, "call_");
    const base = { type: "function_call", id: `fc_${id}`, call_id: id, name: call.name };
    const whole = argumentsOf(call);
    item(
      { ...base, arguments: "", status: "in_progress" },
      { ...base, arguments: whole, status: "completed" },
      (at) => {
        for (const delta of pieces(whole, answer.deltaSize))
          emit("response.function_call_arguments.delta", { ...at, delta });
        emit("response.function_call_arguments.done", { ...at, arguments: whole });
      },
    );
  }
  emit(...ending());
  return frames;

  function addReasoning(text: string): void {
    const summary = text === "" ? [] : [{ type: "summary_text", text }];
    const base = { type: "reasoning", id: "rs_mock" };
    const done = { ...base, summary, encrypted_content: answer.signature ?? null };
    item({ ...base, summary: [], encrypted_content: "" }, done, (at) => {
      if (text === "") return;
      const part = { ...at, summary_index: 0 };
      emit("response.reasoning_summary_part.added", { ...part, part: { type: "summary_text", text: "" } });
      for (const delta of pieces(text, answer.deltaSize))
        emit("response.reasoning_summary_text.delta", { ...part, delta });
      emit("response.reasoning_summary_text.done", { ...part, text });
      emit("response.reasoning_summary_part.done", { ...part, part: { type: "summary_text", text } });
    });
  }

  function addMessage(text: string): void {
    const base = { type: "message", id: "msg_mock", role: "assistant" };
    const part = { type: "output_text", text, annotations: [] };
    const started = { ...base, status: "in_progress", content: [] };
    item(started, { ...base, status: "completed", content: [part] }, (at) => {
      const where = { ...at, content_index: 0 };
      emit("response.content_part.added", { ...where, part: { ...part, text: "" } });
      for (const delta of pieces(text, answer.deltaSize))
        emit("response.output_text.delta", { ...where, delta });
      emit("response.output_text.done", { ...where, text });
      emit("response.content_part.done", { ...where, part });
    });
  }

  function ending(): [string, object] {
    const { input, output: written, cacheRead = 0 } = { ...DEFAULT_USAGE, ...answer.usage };
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + written,
    };
    if (answer.finish === undefined)
      return ["response.completed", { response: response({ status: "completed", output, usage }) }];
    const reason = answer.finish === "length" ? "max_output_tokens" : "content_filter";
    const incomplete_details = { reason };
    return [
      "response.incomplete",
      { response: response({ status: "incomplete", output, usage, incomplete_details }) },
    ];
  }
}
