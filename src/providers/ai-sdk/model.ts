/**
 * The one adapter from an AI SDK provider package (specification level, `doStream`) to our Model port.
 * It never throws: whatever fails becomes the last event. A transient failure is asked again, which is safe at
 * any point before the finish, because no finished block leaves stream.ts earlier.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Model, ModelEvent, ModelLimits, ModelRequest } from "../model.ts";
import { createPreparedPictures } from "../pictures/prepared.ts";
import { ANY_PROPERTY_NAMES, createPropertyNames } from "../property-name.ts";
import { RETRY, type RetryRules, retryDelayMs } from "../retry.ts";
import { createToolNames } from "../tool-name.ts";
import type { Wire } from "../wire.ts";
import { type Judged, judge } from "./error.ts";
import { toPrompt } from "./prompt.ts";
import { readStream } from "./stream.ts";
import { type SchemaCache, toTools } from "./tools.ts";
import type { Translation } from "./translation.ts";

/** What we use of a model of the specification. */
export interface StreamingModel {
  doStream(
    options: LanguageModelV4CallOptions,
  ): PromiseLike<{ readonly stream: AsyncIterable<LanguageModelV4StreamPart> }>;
}

export interface AiSdkModelOptions {
  /** `provider/model`, for people. */
  readonly id: string;
  readonly limits: ModelLimits;
  readonly wire: Wire;
  readonly model: StreamingModel;
  /** Sent with every request. */
  readonly callOptions?: Pick<
    LanguageModelV4CallOptions,
    "providerOptions" | "reasoning" | "maxOutputTokens"
  >;
  /** Never to appear in any message: keys and header values. */
  readonly secrets: readonly string[];
  readonly retry?: RetryRules | undefined;
}

export function createAiSdkModel(options: AiSdkModelOptions): Model {
  const { id, limits, wire, model, secrets, retry = RETRY } = options;
  const pictures = createPreparedPictures(wire.pictures);
  const properties = wire.schema === "anthropic" ? createPropertyNames() : ANY_PROPERTY_NAMES;
  const schemas: SchemaCache = new WeakMap();
  const kept = { warned: new Set<string>(), translated: new WeakMap() };

  async function* ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (limits.images) await pictures.prepare(request.messages);
    const names = createToolNames(namesIn(request));
    const translation: Translation = { id, wire, limits, names, properties, pictures, ...kept };
    // Before the prompt: a parameter's stand-in is known once its tool was compiled.
    const tools = toTools(request.tools, translation, schemas);
    const { stream } = await model.doStream({
      ...options.callOptions,
      ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
      ...(tools.length > 0 && { tools }),
      prompt: toPrompt(request, translation),
      abortSignal: signal,
    });
    yield* readStream(stream, translation);
  }

  async function* stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent> {
    for (let attempt = 1; ; attempt++) {
      let judged: Judged;
      try {
        return yield* ask(request, signal);
      } catch (thrown) {
        judged = judge(thrown, { id, signal, secrets });
      }
      const { error, summary, transient, aboutPictures } = judged;
      if (aboutPictures && pictures.refuse(request.messages)) {
        yield {
          type: "notice",
          level: "warning",
          text: `${summary} Asking again without the pictures.`,
        };
        continue;
      }
      const wait = transient ? retryDelayMs(attempt, error.retryAfterMs, retry) : undefined;
      if (wait === undefined) return yield { type: "error", error };
      const next = `Asking again in ${(wait / 1000).toFixed(1)} s (${attempt + 1} of ${retry.attempts}).`;
      yield { type: "notice", level: "warning", text: `${summary} ${next}` };
      await retry.sleep(wait, signal);
    }
  }
  return { id, limits, stream };
}

/** Also the names that only history knows: a tool may have gone since it was called. */
function namesIn(request: ModelRequest): Set<string> {
  const names = new Set(request.tools.map((tool) => tool.name));
  for (const message of request.messages) {
    if (message.role === "user") continue;
    for (const content of message.content) if ("name" in content) names.add(content.name);
  }
  return names;
}
