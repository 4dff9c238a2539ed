/**
 * Ollama through its chat completions, with what only its own API tells: whether the model sees pictures, and
 * how large its window really is. Ollama forgets what does not fit without a word, so a small window is said
 * once, as soon as the model is loaded and the window is known.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../conversation/index.ts";
import type { Endpoint } from "./create-model.ts";
import { httpFetch } from "./http-fetch.ts";
import type { Model, ModelEvent, ModelLimits } from "./model.ts";
import { createOpenAiCompatibleModel } from "./openai-compatible.ts";

/** Less than a system prompt with a few tools and a file or two. */
const SMALL_WINDOW = 16_000;
/** Until the model is loaded nobody knows; a cautious guess at a machine that can run one. */
const UNKNOWN_WINDOW = 32_768;
const TIME_LIMIT_MS = 2_000;

export async function createOllamaModel(endpoint: Endpoint): Promise<Model> {
  const server = endpoint.baseUrl.replace(/\/v1$/, "");
  const [facts, loaded] = await Promise.all([
    readFacts(server, endpoint.model),
    loadedWindow(server, endpoint.model),
  ]);
  const wished = endpoint.wishedLimits;
  let limits: ModelLimits = {
    ...endpoint.limits,
    context: loaded ?? facts.window ?? Math.min(UNKNOWN_WINDOW, facts.largest ?? UNKNOWN_WINDOW),
    ...(facts.images !== undefined && { images: facts.images }),
    ...wished,
  };
  const inner = createOpenAiCompatibleModel({ ...endpoint, limits });
  let known = loaded !== undefined;

  async function* stream(...parameters: Parameters<Model["stream"]>): AsyncGenerator<ModelEvent> {
    for await (const event of inner.stream(...parameters)) {
      if (event.type === "finish" && !known) {
        known = true;
        const context = await loadedWindow(server, endpoint.model);
        if (context !== undefined && wished?.context === undefined) limits = { ...limits, context };
        if (context !== undefined && context < SMALL_WINDOW) yield smallWindow(endpoint.model, context);
      }
      yield event;
    }
  }
  return {
    id: inner.id,
    get limits() {
      return limits;
    },
    stream,
  };
}

function smallWindow(model: string, context: number): ModelEvent {
  const advice = "start Ollama with OLLAMA_CONTEXT_LENGTH=32768 or more";
  const text = `Ollama runs ${model} with a window of ${context} tokens and forgets what does not fit: ${advice}.`;
  return { type: "notice", level: "warning", text };
}

interface Facts {
  readonly images?: boolean;
  /** The largest window the model was made for. */
  readonly largest?: number;
  /** Set in the model's own file. */
  readonly window?: number;
}

async function readFacts(server: string, model: string): Promise<Facts> {
  const shown = await askOllama(`${server}/api/show`, { model });
  const { capabilities, model_info: info, parameters } = shown;
  const largest = Object.entries(isJsonObject(info) ? info : {}).find(([key]) =>
    key.endsWith(".context_length"),
  )?.[1];
  const window = typeof parameters === "string" ? /^num_ctx\s+(\d+)/m.exec(parameters)?.[1] : undefined;
  return {
    ...(Array.isArray(capabilities) && { images: capabilities.includes("vision") }),
    ...(typeof largest === "number" && { largest }),
    ...(window !== undefined && { window: Number(window) }),
  };
}

async function loadedWindow(server: string, model: string): Promise<number | undefined> {
  const { models } = await askOllama(`${server}/api/ps`);
  const list: readonly JsonValue[] = Array.isArray(models) ? models : [];
  const names = [model, `${model}:latest`];
  const running = list.find((entry) => isJsonObject(entry) && names.includes(String(entry["name"])));
  const length = isJsonObject(running) ? running["context_length"] : undefined;
  return typeof length === "number" ? length : undefined;
}

/** What Ollama does not tell we do without: the question itself will say what is wrong. */
async function askOllama(url: string, body?: JsonObject): Promise<JsonObject> {
  try {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    const init = body === undefined ? { signal } : { signal, method: "POST", body: JSON.stringify(body) };
    const answer: unknown = await (await httpFetch(url, init)).json();
    return isJsonObject(answer) ? answer : {};
  } catch {
    return {};
  }
}
