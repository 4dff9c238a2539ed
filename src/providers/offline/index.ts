/**
 * The offline planner: a Model that needs no key and no network. It is not a language model and says so: it
 * ranks the tools by their words, fills arguments from the request, asks for what is missing, and shows results
 * as they are. Deterministic, bounded in time and memory, and without state between turns.
 */
import type { ToolRequest } from "../../conversation/index.ts";
import { type Model, ModelError, type ModelEvent, type ModelRequest } from "../model.ts";
import { type Decision, decide, nextStep, type Situation } from "./decide.ts";
import { type History, readHistory } from "./history.ts";
import { readText } from "./reading/text.ts";
import { renderResponse } from "./render/result.ts";
import {
  createHintTools,
  isResourceTool,
  type ResourceHint,
  readArguments,
  readerOf,
} from "./resource-hints.ts";
import { createToolIndex } from "./tool-index.ts";
import * as say from "./wording.ts";

export type { ResourceHint } from "./resource-hints.ts";

export interface OfflineModelOptions {
  /** Resources that are worth asking for, with a few words about each. */
  readonly hints?: readonly ResourceHint[];
  /** For relative dates ("tomorrow"). */
  readonly now?: () => Date;
}

export function createOfflineModel(options: OfflineModelOptions = {}): Model {
  const { hints = [], now = () => new Date() } = options;
  const index = createToolIndex();
  const hintTools = createHintTools(hints);

  return {
    id: "offline/planner",
    limits: { context: 1_000_000, output: 100_000, images: false, allTools: true },
    async *stream(request, { signal }) {
      try {
        for (const event of answer(request)) {
          if (signal.aborted) {
            yield { type: "error", error: new ModelError("cancelled", "offline planner: cancelled") };
            return;
          }
          yield event;
        }
      } catch (error) {
        const message = `offline planner: ${error instanceof Error ? error.message : String(error)}`;
        yield { type: "error", error: new ModelError("protocol", message, { cause: error }) };
      }
    },
  };

  function* answer(request: ModelRequest): Generator<ModelEvent> {
    const history = readHistory(request.messages);
    const resources = hintTools(request.system, request.tools);
    const situation: Situation = {
      index: index.sync([...request.tools, ...resources]),
      toolCount: request.tools.length,
      system: request.system,
      now: now(),
    };
    const { language, cut } = readText(history.exchanges.at(-1)?.text ?? "");
    if (history.isFirstTurn) yield { type: "notice", level: "info", text: say.notice(language) };
    if (cut > 0 && !history.endsWithResults)
      yield { type: "notice", level: "warning", text: say.cutRequest(language, cut) };
    if (history.endsWithResults) yield* afterResults(history, request, situation);
    else yield* act(decide(history.exchanges, situation), history, request);
  }

  function* afterResults(
    history: History,
    request: ModelRequest,
    situation: Situation,
  ): Generator<ModelEvent> {
    const current = history.exchanges.at(-1);
    const { language } = readText(current?.text ?? "");
    const next = nextStep(history.exchanges, situation);
    if (next.type === "call") {
      yield* act(next.decision, history, request);
      return;
    }
    if (next.type === "say") {
      yield* speak(next.text);
      return;
    }
    const last = request.messages.at(-1);
    const responses = last?.role === "tool" ? last.content : [];
    const question = { language, request: current?.text ?? "" };
    const blocks = responses.map((response) => renderResponse(response, question));
    if (next.type === "stopped") blocks.push(say.stepNotDone(language, next.step));
    yield* speak(blocks.join("\n\n"));
  }

  function* act(decision: Decision, history: History, request: ModelRequest): Generator<ModelEvent> {
    if (decision.type === "say") {
      yield* speak(decision.text);
      return;
    }
    yield { type: "content", content: toolRequest(decision, history, request) };
    yield { type: "finish", reason: "tool-calls", usage: {} };
  }
}

function* speak(text: string): Generator<ModelEvent> {
  yield { type: "text-delta", text };
  yield { type: "content", content: { type: "text", text } };
  yield { type: "finish", reason: "end", usage: {} };
}

function toolRequest(
  decision: Extract<Decision, { type: "call" }>,
  history: History,
  request: ModelRequest,
): ToolRequest {
  const { tool, filled } = decision;
  const reader = isResourceTool(tool) ? readerOf(request.tools) : undefined;
  const provenance = Object.fromEntries(
    filled.map((argument) => [argument.parameter.path.join("."), { ...argument.provenance }]),
  );
  return {
    type: "tool-request",
    id: `offline-${history.callCount + 1}`,
    name: reader?.name ?? tool.name,
    arguments: isResourceTool(tool) ? readArguments(tool.hint, decision.arguments) : decision.arguments,
    providerData: { offline: { provenance: JSON.parse(JSON.stringify(provenance)) } },
  };
}
