/**
 * The loop: ask the model, run the tools it wants, give it the results, until it stops asking.
 * It sees only ports and yields events; whoever reads them stores messages, draws and answers approvals. The
 * conversation is valid at every `message` event, also after a failure or a cancellation.
 */
import {
  type AgentEvent,
  type Message,
  type Outcome,
  textOf,
  toolRequestsOf,
  type UserMessage,
} from "../conversation/index.ts";
import { ask } from "./ask.ts";
import { History } from "./history.ts";
import type { AgentPorts } from "./ports.ts";
import { RepeatGuard } from "./repeat-guard.ts";
import { runToolCalls } from "./tool-calls.ts";

export interface RunOptions {
  readonly system: string;
  readonly history: readonly Message[];
  readonly maxTurns: number;
  readonly signal: AbortSignal;
}

export async function* run(
  input: UserMessage,
  ports: AgentPorts,
  options: RunOptions,
): AsyncGenerator<AgentEvent, void> {
  const { signal, system } = options;
  const history = new History(options.history);
  const guard = new RepeatGuard();
  const end = (outcome: Outcome): AgentEvent => ({ type: "run-end", outcome });

  yield { type: "run-start", model: ports.model.id };
  yield history.append(input);

  for (let turn = 1; turn <= options.maxTurns; turn++) {
    yield { type: "turn-start", turn };
    for (const news of (await ports.context?.collect({ signal })) ?? []) yield history.append(news);

    const answer = yield* ask(history, ports, { system, signal });
    if (answer.message.content.length > 0) yield history.append(answer.message);
    if (answer.type === "cancelled") return yield end({ type: "cancelled" });
    if (answer.type === "failed") {
      return yield end({
        type: "failed",
        failure: { code: answer.error.code, message: answer.error.message },
      });
    }

    const requests = toolRequestsOf(answer.message);
    if (requests.length === 0) {
      for (const notice of oddEndings(answer.reason, answer.message.content.length)) yield notice;
      yield { type: "turn-end", turn, usage: answer.usage };
      return yield end({ type: "done", text: textOf(answer.message) });
    }

    const responses = yield* runToolCalls(requests, ports, { signal, guard });
    yield history.append({ role: "tool", content: responses });
    yield { type: "turn-end", turn, usage: answer.usage };
    if (signal.aborted) return yield end({ type: "cancelled" });
    if (guard.exhausted) {
      const message = `The model kept calling ${requests.at(-1)?.name} with the same arguments; the run was stopped.`;
      return yield end({ type: "failed", failure: { code: "repeated-call", message } });
    }
  }
  yield end({ type: "max-turns", turns: options.maxTurns });
}

function* oddEndings(reason: string, blocks: number): Generator<AgentEvent> {
  if (reason === "length")
    yield { type: "notice", level: "warning", text: "The answer was cut at the model's output limit." };
  if (reason === "refused")
    yield { type: "notice", level: "warning", text: "The model or its filter declined to answer." };
  if (blocks === 0 && reason === "end")
    yield { type: "notice", level: "warning", text: "The model gave an empty answer." };
}
