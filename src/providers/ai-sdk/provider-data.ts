/**
 * What a provider wants back unchanged with a block (signatures, encrypted thinking, phases), kept with the
 * name of the model it belongs to. Nobody else reads it, and no other model is sent it.
 */
import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject } from "../../conversation/index.ts";

type Metadata = Readonly<Record<string, unknown>>;

export function toProviderData(id: string, metadata: JsonObject | undefined): JsonObject {
  return metadata === undefined ? { model: id } : { model: id, metadata };
}

/** For a text, most metadata is only information; these two change how the model goes on. */
export function textProviderData(id: string, metadata: JsonObject | undefined): JsonObject | undefined {
  const wanted = Object.entries(metadata ?? {}).flatMap(([provider, fields]) => {
    if (!isJsonObject(fields)) return [];
    const kept = Object.entries(fields).filter(
      ([key, value]) => (key === "thoughtSignature" || key === "phase") && value !== null,
    );
    return kept.length === 0 ? [] : [[provider, Object.fromEntries(kept)] as const];
  });
  return wanted.length === 0 ? undefined : toProviderData(id, Object.fromEntries(wanted));
}

export function isOwn(id: string, data: JsonObject | undefined): boolean {
  return data?.["model"] === id;
}

/** Nothing when the block belongs to another model. */
export function toProviderOptions(
  id: string,
  data: JsonObject | undefined,
): { providerOptions?: SharedV4ProviderOptions } {
  const metadata = isOwn(id, data) ? data?.["metadata"] : undefined;
  return isJsonObject(metadata) ? { providerOptions: metadata as SharedV4ProviderOptions } : {};
}

/** Signatures may come with any part of a block, most often the last: what is newer wins, key by key. */
export function mergeMetadata(older: JsonObject | undefined, newer: Metadata): JsonObject {
  const merged: Record<string, JsonObject> = {};
  for (const [key, value] of [...Object.entries(older ?? {}), ...Object.entries(newer)])
    if (isJsonObject(value)) merged[key] = { ...merged[key], ...value };
  return merged;
}
