/** Chat completions: OpenAI's older format, spoken by nearly every other host. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createAiSdkModel } from "./ai-sdk/model.ts";
import type { ProviderChoice } from "./create-model.ts";
import { httpFetch } from "./http-fetch.ts";
import type { Model } from "./model.ts";
import type { Wire } from "./wire.ts";

export function createOpenAiCompatibleModel(choice: ProviderChoice & { readonly baseUrl: string }): Model {
  const provider = createOpenAICompatible({
    name: choice.provider,
    baseURL: choice.baseUrl,
    includeUsage: true,
    fetch: httpFetch,
    ...(choice.apiKey !== undefined && { apiKey: choice.apiKey }),
    ...(choice.headers !== undefined && { headers: { ...choice.headers } }),
  });
  const wire: Wire = {
    format: "openai-chat",
    provider: choice.provider,
    toolResultImages: "hoist",
    toolErrors: "words",
    audioTypes: ["audio/wav", "audio/mpeg", "audio/mp3"],
    replaysThinking: true,
  };
  return createAiSdkModel({
    id: `${choice.provider}/${choice.model}`,
    limits: { context: 128_000, output: 16_384, images: true, ...choice.limits },
    wire,
    model: provider.chatModel(choice.model),
    secrets: [choice.apiKey ?? "", ...Object.values(choice.headers ?? {})],
  });
}
