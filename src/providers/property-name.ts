/**
 * Names of parameters for a provider that takes ASCII ones only (Anthropic: `^[a-zA-Z0-9_.-]{1,64}$`), such
 * as 都市名. The schema goes out with stand-ins that carry the real name as their title; arguments come back
 * with the real names. A stand-in holds a hash of the name, so it is the same in every turn and tool, and
 * cannot be mistaken for a name that somebody chose.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../conversation/index.ts";
import { stableHash } from "./stable-hash.ts";

const LEGAL = /^[a-zA-Z0-9_.-]{1,64}$/;

export interface PropertyNames {
  toWire(name: string): string;
  /** Every object inside, too. */
  renameToWire(value: JsonObject): JsonObject;
  renameFromWire(value: JsonObject): JsonObject;
}

export function createPropertyNames(): PropertyNames {
  const fromWire = new Map<string, string>();
  const toWire = (name: string) => {
    if (LEGAL.test(name)) return name;
    const standIn = `p_${stableHash(name)}`;
    fromWire.set(standIn, name);
    return standIn;
  };
  return {
    toWire,
    renameToWire: (value) => renameKeys(value, toWire),
    renameFromWire: (value) =>
      fromWire.size === 0 ? value : renameKeys(value, (name) => fromWire.get(name) ?? name),
  };
}

/** For the providers that take any name. */
export const ANY_PROPERTY_NAMES: PropertyNames = {
  toWire: (name) => name,
  renameToWire: (value) => value,
  renameFromWire: (value) => value,
};

function renameKeys(value: JsonObject, rename: (name: string) => string): JsonObject {
  const inside = (inner: JsonValue | undefined): JsonValue | undefined => {
    if (Array.isArray(inner)) return inner.map((item: JsonValue) => inside(item) ?? null);
    return isJsonObject(inner) ? renameKeys(inner, rename) : inner;
  };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), inside(inner)]));
}
