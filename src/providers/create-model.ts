/**
 * From a choice to a Model. Each provider's package is loaded only when it was chosen. Nothing here reads the
 * environment or a file: whoever calls passes the values.
 */
import { findHost, HOSTS, type Host, normalBaseUrl } from "./hosts.ts";
import { type Model, ModelError, type ModelLimits } from "./model.ts";
import { limitsOf } from "./model-limits.ts";
import type { RetryRules } from "./retry.ts";

export interface ProviderChoice {
  /** The id of a row in hosts.ts. */
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the user knows better than our tables. */
  readonly limits?: Partial<ModelLimits> | undefined;
  /** How hard the model shall think; each model has its own default. */
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | undefined;
}

/** A choice with everything filled in: what the files of the formats take. */
export interface Endpoint extends ProviderChoice {
  readonly id: string;
  readonly host: Host;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Our tables' belief and the user's word together. */
  readonly limits: ModelLimits;
  readonly wishedLimits: Partial<ModelLimits> | undefined;
  readonly secrets: readonly string[];
  readonly retry: RetryRules | undefined;
}

/** Throws a ModelError when the choice itself is wrong; everything later is an event of the stream. */
export async function createModel(
  choice: ProviderChoice,
  { retry }: { readonly retry?: RetryRules } = {},
): Promise<Model> {
  const endpoint = { ...complete(choice), retry };
  if (endpoint.host.id === "ollama") return (await import("./ollama.ts")).createOllamaModel(endpoint);
  switch (endpoint.host.format) {
    case "openai-chat":
      return (await import("./openai-compatible.ts")).createOpenAiCompatibleModel(endpoint);
    case "openai-responses":
      return (await import("./openai.ts")).createOpenAiModel(endpoint);
    case "anthropic":
      return (await import("./anthropic.ts")).createAnthropicModel(endpoint);
    case "google":
      return (await import("./google.ts")).createGoogleModel(endpoint);
    default:
      return endpoint.host.format satisfies never;
  }
}

function complete(choice: ProviderChoice): Omit<Endpoint, "retry"> {
  const host = findHost(choice.provider);
  if (host === undefined) {
    const known = HOSTS.map(({ id }) => id).join(", ");
    throw new ModelError("protocol", `There is no provider "${choice.provider}". Known: ${known}, offline.`);
  }
  if (choice.model === "")
    throw new ModelError("protocol", `No model was chosen for ${host.name}: set KARI_MODEL.`);
  const address = choice.baseUrl ?? host.baseUrl;
  if (address === undefined)
    throw new ModelError("protocol", `${host.name} needs a base URL${setIt(host.baseUrlNames)}.`);
  const apiKey = choice.apiKey?.trim() ?? "";
  // With an address of one's own (a proxy, a mock) there may be no key at all.
  if (apiKey === "" && choice.baseUrl === undefined && (host.key === "required" || host.key === "own"))
    throw new ModelError("auth", `${host.name} needs an API key${setIt(host.keyNames)}.`);
  return {
    ...choice,
    id: `${host.id}/${choice.model}`,
    host,
    baseUrl: baseUrlOf(address, host),
    apiKey,
    limits: limitsOf(choice.model, choice.limits),
    wishedLimits: choice.limits,
    secrets: [apiKey, ...Object.values(choice.headers ?? {})].filter((secret) => secret !== ""),
  };
}

function baseUrlOf(address: string, host: Host): string {
  try {
    return normalBaseUrl(address, host);
  } catch {
    throw new ModelError(
      "protocol",
      `"${address}" is not a base URL for ${host.name}: write it as https://host/v1.`,
    );
  }
}

function setIt(names: readonly string[]): string {
  return names.length === 0 ? "" : `: set ${names[0]}`;
}
