/**
 * OpenAI's responses. Nothing is stored at the provider: thinking comes back to us encrypted and goes out again
 * with the conversation, so that a session can be resumed anywhere.
 */
import { createOpenAI } from "@ai-sdk/openai";
import { createAiSdkModel } from "./ai-sdk/model.ts";
import type { Endpoint } from "./create-model.ts";
import { httpFetch } from "./http-fetch.ts";
import type { Model } from "./model.ts";
import { OPENAI_RESPONSES } from "./wire.ts";

export function createOpenAiModel(endpoint: Endpoint): Model {
  const provider = createOpenAI({
    baseURL: endpoint.baseUrl,
    // An empty one would make the package look into the environment.
    apiKey: endpoint.apiKey || "none",
    headers: { ...endpoint.headers },
    fetch: httpFetch,
  });
  return createAiSdkModel({
    ...endpoint,
    wire: { ...OPENAI_RESPONSES, ...endpoint.host.quirks },
    model: provider.responses(endpoint.model),
    callOptions: {
      providerOptions: { openai: { store: false } },
      ...(endpoint.effort !== undefined && { reasoning: endpoint.effort }),
    },
  });
}
