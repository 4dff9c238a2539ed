/**
 * Which models a server offers, asked in its own way. Also how we tell that a local server is what we look
 * for: many other programs listen on 8080.
 */
import { isJsonObject, type JsonValue } from "../conversation/index.ts";
import type { Host } from "./hosts.ts";
import { httpFetch } from "./http-fetch.ts";

export interface ListOptions {
  readonly apiKey?: string | undefined;
  readonly signal: AbortSignal;
}

/** In the server's order. Throws when nobody answers, or something else does. */
export async function listModels(
  host: Host,
  baseUrl: string,
  options: ListOptions,
): Promise<readonly string[]> {
  const response = await httpFetch(`${baseUrl}/models`, {
    headers: headersFor(host, options.apiKey),
    signal: options.signal,
  });
  if (!response.ok) throw new Error(`${host.name} did not list its models: HTTP ${response.status}`);
  const body = (await response.json()) as JsonValue;
  const list = isJsonObject(body) ? (body["data"] ?? body["models"]) : undefined;
  if (!Array.isArray(list)) throw new Error(`${baseUrl} is not ${host.name}: it sent no list of models`);
  return list.flatMap((entry) => nameOf(entry)).filter((name) => !/embed|rerank|whisper|tts/i.test(name));
}

function nameOf(entry: JsonValue): string[] {
  const name = isJsonObject(entry) ? (entry["id"] ?? entry["name"]) : undefined;
  return typeof name === "string" ? [name.replace(/^models\//, "")] : [];
}

function headersFor({ format }: Host, apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined || apiKey === "") return {};
  if (format === "anthropic") return { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
  return format === "google" ? { "x-goog-api-key": apiKey } : { authorization: `Bearer ${apiKey}` };
}
