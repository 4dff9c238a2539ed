/**
 * The providers we know, as data: where they are, which environment names hold their key and address, what
 * they speak and how they differ from it. A new host is a row here. The order matters in one case: among several
 * keys in the environment the first row wins.
 */
import type { Wire, WireFormat } from "./wire.ts";

export interface Host {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly format: WireFormat;
  /** Missing where everybody has an address of their own. */
  readonly baseUrl?: string;
  /** What an address without a path stands for. */
  readonly basePath: string;
  readonly baseUrlNames: readonly string[];
  readonly keyNames: readonly string[];
  /** `no`: runs on one's own machine. `own`: a token for other things, used only when the host was chosen. */
  readonly key: "required" | "optional" | "no" | "own";
  readonly defaultModel?: string;
  readonly quirks?: Partial<Wire>;
}

const CHAT = { format: "openai-chat", basePath: "/v1", baseUrlNames: [], key: "required" } as const;
const LOCAL = { ...CHAT, key: "no", keyNames: [] } as const;

/** They refuse a message with fields that they do not know, `reasoning_content` among them. */
const STRICT_FIELDS: Partial<Wire> = { replaysThinking: false };

export const HOSTS: readonly Host[] = [
  {
    id: "anthropic",
    name: "Anthropic",
    format: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    basePath: "/v1",
    baseUrlNames: ["ANTHROPIC_BASE_URL"],
    keyNames: ["ANTHROPIC_API_KEY"],
    key: "required",
    defaultModel: "claude-sonnet-5-5",
  },
  {
    id: "openai",
    name: "OpenAI",
    format: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    basePath: "/v1",
    baseUrlNames: ["OPENAI_BASE_URL"],
    keyNames: ["OPENAI_API_KEY"],
    key: "required",
    defaultModel: "gpt-5.5",
  },
  {
    id: "google",
    name: "Google Gemini",
    format: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    basePath: "/v1beta",
    baseUrlNames: ["GOOGLE_GEMINI_BASE_URL"],
    keyNames: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    key: "required",
    defaultModel: "gemini-3.5-flash",
  },
  {
    id: "azure",
    name: "Azure OpenAI",
    format: "openai-responses",
    basePath: "/openai/v1",
    baseUrlNames: ["AZURE_OPENAI_ENDPOINT"],
    keyNames: ["AZURE_OPENAI_API_KEY"],
    key: "required",
  },
  {
    ...CHAT,
    id: "openrouter",
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyNames: ["OPENROUTER_API_KEY"],
    defaultModel: "openrouter/auto",
  },
  {
    ...CHAT,
    id: "groq",
    name: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyNames: ["GROQ_API_KEY"],
    defaultModel: "openai/gpt-oss-120b",
    quirks: STRICT_FIELDS,
  },
  {
    ...CHAT,
    id: "mistral",
    name: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyNames: ["MISTRAL_API_KEY"],
    defaultModel: "mistral-large-latest",
    quirks: { ...STRICT_FIELDS, callIds: "nine", userAfterTool: false },
  },
  {
    ...CHAT,
    id: "deepseek",
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    keyNames: ["DEEPSEEK_API_KEY"],
    defaultModel: "deepseek-chat",
  },
  {
    ...CHAT,
    id: "xai",
    name: "xAI",
    baseUrl: "https://api.x.ai/v1",
    keyNames: ["XAI_API_KEY"],
    defaultModel: "grok-4",
    quirks: STRICT_FIELDS,
  },
  {
    ...CHAT,
    id: "together",
    name: "Together",
    baseUrl: "https://api.together.xyz/v1",
    keyNames: ["TOGETHER_API_KEY"],
    defaultModel: "openai/gpt-oss-120b",
    quirks: STRICT_FIELDS,
  },
  {
    ...CHAT,
    id: "cerebras",
    name: "Cerebras",
    baseUrl: "https://api.cerebras.ai/v1",
    keyNames: ["CEREBRAS_API_KEY"],
    defaultModel: "gpt-oss-120b",
    quirks: STRICT_FIELDS,
  },
  {
    ...CHAT,
    id: "fireworks",
    name: "Fireworks",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    keyNames: ["FIREWORKS_API_KEY"],
    defaultModel: "accounts/fireworks/models/gpt-oss-120b",
  },
  {
    ...CHAT,
    id: "moonshot",
    name: "Moonshot",
    baseUrl: "https://api.moonshot.ai/v1",
    keyNames: ["MOONSHOT_API_KEY"],
  },
  {
    ...CHAT,
    id: "zai",
    name: "Z.ai",
    baseUrl: "https://api.z.ai/api/paas/v4",
    keyNames: ["ZAI_API_KEY"],
  },
  {
    ...CHAT,
    id: "nvidia",
    name: "NVIDIA",
    baseUrl: "https://integrate.api.nvidia.com/v1",
    keyNames: ["NVIDIA_API_KEY"],
    quirks: STRICT_FIELDS,
  },
  {
    ...CHAT,
    id: "huggingface",
    name: "Hugging Face",
    baseUrl: "https://router.huggingface.co/v1",
    keyNames: ["HF_TOKEN"],
    key: "own",
    quirks: STRICT_FIELDS,
  },
  {
    ...CHAT,
    id: "github",
    name: "GitHub Models",
    baseUrl: "https://models.github.ai/inference",
    keyNames: ["GITHUB_TOKEN"],
    key: "own",
    quirks: STRICT_FIELDS,
  },
  {
    ...CHAT,
    id: "openai-compatible",
    name: "an OpenAI-compatible server",
    baseUrlNames: ["OPENAI_BASE_URL"],
    keyNames: ["OPENAI_API_KEY"],
    key: "optional",
  },
  {
    ...LOCAL,
    id: "ollama",
    name: "Ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    baseUrlNames: ["OLLAMA_HOST"],
  },
  { ...LOCAL, id: "lmstudio", name: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
  { ...LOCAL, id: "llamacpp", name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { ...LOCAL, id: "vllm", name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
];

export function findHost(id: string): Host | undefined {
  return HOSTS.find((host) => host.id === id);
}

/** An address as the user wrote it, as a base URL: `host:port` is enough, and a missing path is filled in. */
export function normalBaseUrl(address: string, { basePath, key }: Host): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
  const url = new URL(hasScheme ? address : `${key === "no" ? "http" : "https"}://${address}`);
  // A server that listens everywhere is reached on loopback.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path === "" ? basePath : path}`;
}
