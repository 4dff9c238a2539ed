/**
 * Which model to use and how to reach it: flags over the environment over the file. Pure.
 * Keys come from the providers' usual environment names, or under the same names from the secret store.
 */
import { ConfigError } from "./config-error.ts";
import type { Environment } from "./paths.ts";
import type { SecretStore } from "./secrets.ts";

export interface ModelSettings {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

export interface ModelWishes {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** What the person wants, flags over the environment over the file; what is left open is found out elsewhere. */
export function modelWishes(flags: ModelWishes, environment: Environment, file: ModelWishes): ModelWishes {
  return {
    provider: flags.provider ?? (environment["KARI_PROVIDER"] || undefined) ?? file.provider,
    model: flags.model ?? (environment["KARI_MODEL"] || undefined) ?? file.model,
    baseUrl: flags.baseUrl ?? file.baseUrl,
  };
}

/** Undefined when nobody chose a provider. */
export function modelSettings(
  flags: ModelWishes,
  environment: Environment,
  file: ModelWishes,
  secrets?: Pick<SecretStore, "get">,
): ModelSettings | undefined {
  const provider = flags.provider ?? (environment["KARI_PROVIDER"] || undefined) ?? file.provider;
  if (provider === undefined) return undefined;
  const model = flags.model ?? (environment["KARI_MODEL"] || undefined) ?? file.model;
  if (model === undefined) {
    throw new ConfigError(
      `The provider ${provider} needs a model: give --model, set KARI_MODEL or write "model:" into the configuration.`,
    );
  }
  const names = PROVIDER_VARIABLES[provider];
  const baseUrl = file.baseUrl ?? (names && (environment[names.baseUrl] || undefined));
  const apiKey = names?.key && (environment[names.key] || secrets?.get(names.key));
  return {
    provider,
    model,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKey && { apiKey }),
  };
}

/** The environment variable of a provider's key; undefined for one that needs none. */
export function keyVariable(provider: string): string | undefined {
  return Object.hasOwn(PROVIDER_VARIABLES, provider) ? PROVIDER_VARIABLES[provider]?.key : undefined;
}

const PROVIDER_VARIABLES: Readonly<Record<string, { readonly baseUrl: string; readonly key?: string }>> = {
  openai: { baseUrl: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
  "openai-compatible": { baseUrl: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
  anthropic: { baseUrl: "ANTHROPIC_BASE_URL", key: "ANTHROPIC_API_KEY" },
  google: { baseUrl: "GOOGLE_GEMINI_BASE_URL", key: "GEMINI_API_KEY" },
  ollama: { baseUrl: "OLLAMA_HOST" },
};
