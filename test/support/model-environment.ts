/** What a person would set so that Kari asks the mock: its address, a key and a model, for each wire format. */
import type { WireCase } from "../wire/wire-case.ts";
import type { MockLlm } from "./mock-llm.ts";

const NAMES: Readonly<Record<string, { readonly url: string; readonly key: string }>> = {
  anthropic: { url: "ANTHROPIC_BASE_URL", key: "ANTHROPIC_API_KEY" },
  google: { url: "GOOGLE_GEMINI_BASE_URL", key: "GEMINI_API_KEY" },
};
const OPENAI = { url: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" };

/** The older OpenAI format unless a case says another. */
export function modelEnvironment(
  llm: Pick<MockLlm, "url">,
  {
    provider = "openai-compatible",
    model = "some-model",
    path = "/v1",
  }: Partial<Pick<WireCase, "provider" | "model" | "path">> = {},
): Record<string, string> {
  const { url, key } = NAMES[provider] ?? OPENAI;
  return { KARI_PROVIDER: provider, KARI_MODEL: model, [url]: `${llm.url}${path}`, [key]: "x" };
}
