/**
 * The one adapter from an AI SDK provider package (specification level, `doStream`) to our Model port.
 * It never throws: whatever fails becomes the last event. Retrying lives in retry.ts.
 */
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Model, ModelEvent, ModelLimits, ModelRequest } from "../model.ts";
import { createToolNames } from "../tool-name.ts";
import type { Wire } from "../wire.ts";
import { toModelError } from "./error.ts";
import { toPrompt } from "./prompt.ts";
import { readStream } from "./stream.ts";
import { toTools } from "./tools.ts";

export interface AiSdkModelOptions {
  /** `provider/model`, for people. */
  readonly id: string;
  readonly limits: ModelLimits;
  readonly wire: Wire;
  readonly model: LanguageModelV4;
  /** Never to appear in any message: keys and header values. */
  readonly secrets: readonly string[];
}

export function createAiSdkModel({ id, limits, wire, model, secrets }: AiSdkModelOptions): Model {
  async function* stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent> {
    try {
      const names = createToolNames(namesIn(request));
      const options: LanguageModelV4CallOptions = {
        prompt: toPrompt(request, { wire, limits, names }),
        abortSignal: signal,
      };
      if (request.tools.length > 0) options.tools = toTools(request.tools, names);
      if (request.maxOutputTokens !== undefined) options.maxOutputTokens = request.maxOutputTokens;
      const { stream: parts } = await model.doStream(options);
      yield* readStream(parts, { wire, names });
    } catch (error) {
      yield { type: "error", error: toModelError(error, { id, signal, secrets }) };
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
