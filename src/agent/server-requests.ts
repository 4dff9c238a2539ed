/**
 * Answers what an extension asks in the middle of a call: a question to the person becomes an event and waits for the
 * reply; a question to the model is put to it once the policy, or the person, has agreed. Never throws.
 */
import type {
  AgentEvent,
  ApprovalAnswer,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
  ServerRequestHandler,
} from "../conversation/index.ts";
import type { AgentPorts } from "./ports.ts";

type Emit = (event: AgentEvent) => void;

export function serverRequestHandler(
  ports: AgentPorts,
  run: { readonly signal: AbortSignal },
  emit: Emit,
): ServerRequestHandler {
  return {
    elicit: (elicitation, { signal }) =>
      reply<ElicitationAnswer>(AbortSignal.any([signal, run.signal]), { type: "cancel" }, (answer) =>
        emit({ type: "elicitation-request", elicitation, reply: answer }),
      ),
    async sample(sampling, { signal }) {
      const either = AbortSignal.any([signal, run.signal]);
      const decision = ports.decideSampling?.(sampling) ?? { type: "ask" };
      if (decision.type === "deny") return { type: "decline", reason: decision.reason };
      if (decision.type === "ask") {
        const answer = await reply<ApprovalAnswer>(
          either,
          { type: "deny", reason: "the run was cancelled" },
          (yes) => emit({ type: "sampling-request", sampling, reply: yes }),
        );
        if (answer.type === "deny") return { type: "decline", reason: answer.reason ?? "the person said no" };
      }
      return await askModel(ports.model, sampling, either);
    },
  };
}

/** Only the first reply counts; the end of the run is one too. */
function reply<Answer>(
  signal: AbortSignal,
  ended: Answer,
  ask: (answer: (answer: Answer) => void) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    const onAbort = () => resolve(ended);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    ask((answer) => {
      signal.removeEventListener("abort", onAbort);
      resolve(answer);
    });
  });
}

async function askModel(
  model: AgentPorts["model"],
  { messages, system, maxTokens }: SamplingRequest,
  signal: AbortSignal,
): Promise<SamplingAnswer> {
  const request = {
    system: system ?? "",
    messages,
    tools: [],
    maxOutputTokens: Math.min(maxTokens, model.limits.output),
  };
  let text = "";
  for await (const event of model.stream(request, { signal })) {
    if (event.type === "content" && event.content.type === "text") text += event.content.text;
    if (event.type === "error")
      return { type: "decline", reason: `the model failed: ${event.error.message}` };
    if (event.type === "finish") {
      const stopReason = event.reason === "length" ? "maxTokens" : "endTurn";
      return { type: "answered", text, model: model.id, stopReason };
    }
  }
  return { type: "decline", reason: "the run was cancelled" };
}
