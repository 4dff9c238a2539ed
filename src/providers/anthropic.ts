/** Anthropic's messages. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createAiSdkModel } from "./ai-sdk/model.ts";
import type { Endpoint } from "./create-model.ts";
import { httpFetch } from "./http-fetch.ts";
import type { Model } from "./model.ts";
import { ANTHROPIC } from "./wire.ts";

export function createAnthropicModel(endpoint: Endpoint): Model {
  const provider = createAnthropic({
    baseURL: endpoint.baseUrl,
    // An empty one would make the package look into the environment.
    apiKey: endpoint.apiKey || "none",
    headers: { ...endpoint.headers },
    fetch: httpFetch,
  });
  return createAiSdkModel({
    ...endpoint,
    wire: { ...ANTHROPIC, ...endpoint.host.quirks },
    model: provider.messages(endpoint.model),
    callOptions: {
      // The format has no default for it.
      maxOutputTokens: endpoint.limits.output,
      // Streaming arguments early buys us nothing and lets half-valid JSON through.
      providerOptions: { anthropic: { toolStreaming: false } },
      ...(endpoint.effort !== undefined && { reasoning: endpoint.effort }),
    },
  });
}
