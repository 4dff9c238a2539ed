/**
 * Gemini's streamGenerateContent: each chunk is a whole response with the new parts. A function call is never
 * split, and its arguments are an object: broken ones end in MALFORMED_FUNCTION_CALL instead.
 */
import { callId, DEFAULT_USAGE, dataFrame, type FrameContext, type MockAnswer, pieces } from "./answer.ts";

export function googleFrames(answer: MockAnswer, { model }: FrameContext): string[] {
  const { input, output, cacheRead } = { cacheRead: undefined, ...DEFAULT_USAGE, ...answer.usage };
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
  };
  const chunk = (parts: readonly object[], last: object = {}) =>
    dataFrame({
      candidates: [{ index: 0, content: { role: "model", parts }, ...last }],
      usageMetadata,
      modelVersion: model,
      responseId: "gemini-mock",
    });
  const signature = answer.signature === undefined ? {} : { thoughtSignature: answer.signature };
  const calls = answer.calls ?? [];
  const broken = calls.find((call) => call.raw !== undefined);

  const frames: string[] = [];
  for (const text of pieces(answer.thinking ?? "", answer.deltaSize))
    frames.push(chunk([{ text, thought: true }]));
  for (const text of pieces(answer.text ?? "", answer.deltaSize)) frames.push(chunk([{ text }]));
  if (broken !== undefined)
    return [...frames, chunk([], { finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: broken.raw })];
  // The signature of the thinking stands on the first call, as Gemini 3 does.
  calls.forEach((call, index) => {
    const functionCall = { id: callId(call, "gemini-"), name: call.name, args: call.arguments ?? {} };
    frames.push(chunk([{ functionCall, ...(index === 0 && signature) }]));
  });
  return [...frames, chunk([{ text: "" }], { finishReason: finishReason(answer) })];
}

function finishReason({ finish }: MockAnswer): string {
  if (finish === "length") return "MAX_TOKENS";
  return finish === "refused" ? "SAFETY" : "STOP";
}
