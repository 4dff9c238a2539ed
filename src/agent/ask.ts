/**
 * Asks the model one question with the whole conversation. One that is too long, by our estimate or by the
 * provider's word, is compacted first: strictly smaller each time, at most twice, then a clear stop.
 */
import type { AgentEvent, AssistantMessage } from "../conversation/index.ts";
import { type Answer, streamAnswer } from "./answer.ts";
import { compact } from "./compaction.ts";
import { forModel } from "./context/for-model.ts";
import type { History } from "./history.ts";
import type { AgentPorts } from "./ports.ts";

/** Of the model's window; the rest is for tools, the answer, and the error of an estimate. */
const NEARLY_FULL = 0.8;
const AFTER_COMPACTION = 0.5;
const MAX_COMPACTIONS = 2;
const NOTHING: AssistantMessage = { role: "assistant", content: [] };

export async function* ask(
  history: History,
  ports: AgentPorts,
  { system, signal }: { readonly system: string; readonly signal: AbortSignal },
): AsyncGenerator<AgentEvent, Answer> {
  const window = ports.model.limits.context;
  for (let compactions = 0; ; compactions++) {
    const nearlyFull = history.tokens > window * NEARLY_FULL;
    if (!nearlyFull || compactions >= MAX_COMPACTIONS) {
      const request = { system, messages: forModel(history.messages), tools: ports.toolBox.tools() };
      const answer = yield* streamAnswer(ports.model, request, signal);
      const overflow = answer.type === "failed" && answer.error.code === "context-overflow";
      if (!overflow || compactions >= MAX_COMPACTIONS) return answer;
    }
    const target = Math.min(window * AFTER_COMPACTION, history.tokens * 0.7);
    const result = await compact(history.messages, { model: ports.model, target, signal });
    if (signal.aborted) return { type: "cancelled", message: NOTHING };
    if (result.type === "stuck") {
      const message = `The conversation is too long for ${ports.model.id} and could not be made shorter: ${result.reason}. Start a new session, or use a model with a larger window.`;
      return { type: "failed", message: NOTHING, error: { code: "context-overflow", message } };
    }
    yield history.replace(result.messages);
    // What was on the shelf may have gone with the old messages: it is put there anew.
    ports.context?.reset?.();
    for (const news of (await ports.context?.collect({ signal })) ?? []) yield history.append(news);
  }
}
