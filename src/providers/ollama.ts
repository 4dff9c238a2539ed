/** Ollama through its chat completions, with what only its own API tells. */
import type { Endpoint } from "./create-model.ts";
import type { Model } from "./model.ts";
import { createOpenAiCompatibleModel } from "./openai-compatible.ts";

export async function createOllamaModel(endpoint: Endpoint): Promise<Model> {
  return createOpenAiCompatibleModel(endpoint);
}
