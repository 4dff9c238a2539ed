/** Chat completions: OpenAI's older format, spoken by nearly every other host. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createAiSdkModel } from "./ai-sdk/model.ts";
import type { Endpoint } from "./create-model.ts";
import { httpFetch } from "./http-fetch.ts";
import type { Model } from "./model.ts";
import { OPENAI_CHAT } from "./wire.ts";

export function createOpenAiCompatibleModel(endpoint: Endpoint): Model {
  const provider = createOpenAICompatible({
    name: endpoint.host.id,
    baseURL: endpoint.baseUrl,
    includeUsage: true,
    fetch: httpFetch,
    ...(endpoint.apiKey !== "" && { apiKey: endpoint.apiKey }),
    headers: { ...endpoint.headers },
  });
  return createAiSdkModel({
    ...endpoint,
    wire: { ...OPENAI_CHAT, ...endpoint.host.quirks },
    model: provider.chatModel(endpoint.model),
    callOptions: { ...(endpoint.effort !== undefined && { reasoning: endpoint.effort }) },
  });
}
