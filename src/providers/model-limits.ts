/**
 * What we believe of a model by its name: window, longest answer, pictures. Only a beginning; the user's own
 * word goes before, and a server that can be asked (Ollama) is asked. First match wins.
 */
import type { ModelLimits } from "./model.ts";

const RULES: readonly (readonly [RegExp, Partial<ModelLimits>])[] = [
  [/claude-3-haiku/, { context: 200_000, output: 4_096 }],
  [/claude/, { context: 200_000, output: 32_000 }],
  [/gpt-oss/, { context: 131_072, output: 32_000, images: false }],
  [/gpt-4\.1/, { context: 1_047_576, output: 32_768 }],
  [/gpt-4o|chatgpt-4o/, { context: 128_000, output: 16_384 }],
  [/gpt-[5-9]|^o[1-9]/, { context: 400_000, output: 64_000 }],
  [/gemini/, { context: 1_048_576, output: 65_536 }],
  [/gemma-3n|gemma-?2/, { context: 8_192, output: 8_192, images: false }],
  [/deepseek/, { context: 128_000, output: 8_192, images: false }],
  [/codestral|devstral|magistral|ministral|open-mistral|mixtral/, { context: 128_000, images: false }],
  [/grok-code/, { context: 256_000, images: false }],
  [/grok/, { context: 256_000, output: 32_000 }],
  [/kimi-k2|glm-4\.[5-9](?!v)|glm-5(?!v)|minimax-m/, { context: 128_000, images: false }],
  [/qwen.*(coder|next)|qwen-?[23](?!.*vl)|qwq/, { context: 128_000, images: false }],
  [
    /llama-?3\.[123](?!.*vision)|command-r|phi-?[34](?!.*(vision|multimodal))/,
    { context: 128_000, images: false },
  ],
];

const UNKNOWN: ModelLimits = { context: 128_000, output: 16_384, images: true };

export function limitsOf(model: string, known: Partial<ModelLimits> = {}): ModelLimits {
  const name = model.toLowerCase();
  const rule = RULES.find(([pattern]) => pattern.test(name))?.[1];
  return { ...UNKNOWN, ...rule, ...known };
}
