/** Chat completions: OpenAI's older format, spoken by nearly every other host. */
import { createAiSdkModel } from "./ai-sdk/model.ts";
import { createChatModel } from "./chat-completions/model.ts";
import type { Endpoint } from "./create-model.ts";
import type { Model } from "./model.ts";
import { OPENAI_CHAT } from "./wire.ts";

export function createOpenAiCompatibleModel(endpoint: Endpoint): Model {
  const { host, model, baseUrl, apiKey, headers = {} } = endpoint;
  return createAiSdkModel({
    ...endpoint,
    wire: { ...OPENAI_CHAT, ...host.quirks },
    model: createChatModel({ host: host.id, model, baseUrl, apiKey, headers }),
    callOptions: { ...(endpoint.effort !== undefined && { reasoning: endpoint.effort }) },
  });
}
