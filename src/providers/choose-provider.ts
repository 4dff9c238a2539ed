/**
 * Which model to use, and why, in one sentence. Explicit words go first, then a key in the environment, then a
 * server on this machine that answers, then the offline planner. Pure: the environment and the asking of local
 * servers are given.
 */
import type { ProviderChoice } from "./create-model.ts";
import { findHost, HOSTS, type Host, normalBaseUrl } from "./hosts.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Wishes {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** The models of a server, or nothing when it does not answer as one. Must not throw, and must not take long. */
export type Probe = (host: Host, baseUrl: string) => Promise<readonly string[] | undefined>;

export interface Chosen {
  /** `offline` is no row of the table: the caller makes the planner. */
  readonly choice: ProviderChoice;
  /** For the person, once. */
  readonly reason: string;
}

const LOCAL = ["ollama", "lmstudio", "llamacpp"];
const OFFLINE: ProviderChoice = { provider: "offline", model: "planner" };

export async function chooseProvider(
  wishes: Wishes,
  environment: Environment,
  probe: Probe,
): Promise<Chosen> {
  if (wishes.provider === "offline") return { choice: OFFLINE, reason: "offline was chosen." };
  if (wishes.provider !== undefined) return explicit(wishes.provider, wishes, environment, probe);
  if (wishes.baseUrl !== undefined) return explicit("openai-compatible", wishes, environment, probe);
  return byKey(wishes, environment) ?? (await byLocalServer(wishes, environment, probe));
}

async function explicit(id: string, wishes: Wishes, environment: Environment, probe: Probe): Promise<Chosen> {
  const host = findHost(id);
  const reason = `${id} was chosen.`;
  // An unknown name is createModel's to refuse: it knows how to say it.
  if (host === undefined) return { choice: { provider: id, model: wishes.model ?? "" }, reason };
  const choice = fill(host, wishes, environment);
  if (choice.model !== "") return { choice, reason };
  const address = choice.baseUrl ?? host.baseUrl;
  const [first] = (address === undefined ? undefined : await probe(host, address)) ?? [];
  if (first === undefined) return { choice, reason };
  return {
    choice: { ...choice, model: first },
    reason: `${id} was chosen; ${first} is the first model it lists.`,
  };
}

function byKey(wishes: Wishes, environment: Environment): Chosen | undefined {
  const candidates = HOSTS.filter(
    (host) => host.key === "required" && keyName(host, environment) !== undefined,
  );
  const host = candidates.find((candidate) => isFamily(candidate, wishes.model)) ?? candidates[0];
  if (host === undefined) return undefined;
  const name = keyName(host, environment);
  const choice = fill(host, wishes, environment);
  // An address of one's own in OPENAI_BASE_URL nearly always speaks the older format.
  if (host.id !== "openai" || choice.baseUrl === undefined || isOpenAi(choice.baseUrl))
    return { choice, reason: `${name} is set.` };
  return {
    choice: { ...choice, provider: "openai-compatible" },
    reason: `${name} is set, and OPENAI_BASE_URL points to ${new URL(choice.baseUrl).host}.`,
  };
}

async function byLocalServer(wishes: Wishes, environment: Environment, probe: Probe): Promise<Chosen> {
  const hosts = LOCAL.flatMap((id) => findHost(id) ?? []);
  const answers = await Promise.all(
    hosts.map(async (host) => {
      const choice = fill(host, wishes, environment);
      const baseUrl = choice.baseUrl ?? host.baseUrl ?? "";
      return { host, choice, baseUrl, models: await probe(host, baseUrl) };
    }),
  );
  for (const { host, choice, baseUrl, models = [] } of answers) {
    const model = choice.model || models[0];
    const offers = models.length > 0 && (wishes.model === undefined || models.includes(wishes.model));
    if (!offers || model === undefined) continue;
    const reason = `no API key is set, and ${host.name} answers at ${baseUrl}.`;
    return { choice: { ...choice, model }, reason };
  }
  const asked = hosts.map(({ name }) => name).join(", ");
  return { choice: OFFLINE, reason: `no API key is set, and no local server answers (asked: ${asked}).` };
}

function fill(host: Host, wishes: Wishes, environment: Environment): ProviderChoice {
  const name = keyName(host, environment);
  const apiKey = wishes.apiKey ?? (name === undefined ? undefined : environment[name]?.trim());
  const address = wishes.baseUrl ?? firstSet(host.baseUrlNames, environment);
  const context = host.id === "ollama" ? Number(environment["OLLAMA_CONTEXT_LENGTH"]) : Number.NaN;
  return {
    provider: host.id,
    model: wishes.model ?? host.defaultModel ?? "",
    ...(apiKey !== undefined && { apiKey }),
    ...(address !== undefined && { baseUrl: safeBaseUrl(address, host) }),
    ...(context > 0 && { limits: { context } }),
  };
}

function keyName(host: Host, environment: Environment): string | undefined {
  return host.keyNames.find((name) => environment[name]?.trim());
}

function firstSet(names: readonly string[], environment: Environment): string | undefined {
  return names.map((name) => environment[name]?.trim()).find((value) => value);
}

/** A broken address stays as it is, for createModel to refuse with its text. */
function safeBaseUrl(address: string, host: Host): string {
  try {
    return normalBaseUrl(address, host);
  } catch {
    return address;
  }
}

function isOpenAi(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && /(^|\.)openai\.com$/.test(new URL(baseUrl).hostname);
}

function isFamily({ id }: Host, model: string | undefined): boolean {
  if (model === undefined) return false;
  const family = /^claude/.test(model)
    ? "anthropic"
    : /^(gpt-|o\d)/.test(model)
      ? "openai"
      : /^gemini/.test(model)
        ? "google"
        : "";
  return family === id;
}
