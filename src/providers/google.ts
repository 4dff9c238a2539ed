/** Google's Gemini. */
import { createGoogle } from "@ai-sdk/google";
import { createAiSdkModel } from "./ai-sdk/model.ts";
import type { Endpoint } from "./create-model.ts";
import { httpFetch } from "./http-fetch.ts";
import type { Model } from "./model.ts";
import { GOOGLE } from "./wire.ts";

export function createGoogleModel(endpoint: Endpoint): Model {
  const provider = createGoogle({
    baseURL: endpoint.baseUrl,
    // An empty one would make the package look into the environment.
    apiKey: endpoint.apiKey || "none",
    headers: { ...endpoint.headers },
    fetch: httpFetch,
  });
  const old = /gemini-[12]\b|gemma/.test(endpoint.model);
  const thinks = !/gemini-1|gemini-2\.0|gemma/.test(endpoint.model);
  return createAiSdkModel({
    ...endpoint,
    // Before Gemini 3 a function response holds text alone.
    wire: { ...GOOGLE, ...(old && { toolResultImages: "hoist" }), ...endpoint.host.quirks },
    model: provider.chat(endpoint.model),
    callOptions: {
      ...(thinks && { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }),
      ...(endpoint.effort !== undefined && { reasoning: endpoint.effort }),
    },
  });
}
