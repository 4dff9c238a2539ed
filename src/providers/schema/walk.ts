/** The places in a JSON Schema where another schema stands. `default`, `enum` and the like hold plain values. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../conversation/index.ts";

const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const SINGLES = new Set([
  "items",
  "additionalProperties",
  "additionalItems",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedProperties",
  "unevaluatedItems",
]);

/** A copy with each inner schema replaced by what `visit` says. `true` and `false` stay as they are. */
export function mapSchemas(schema: JsonObject, visit: (inner: JsonObject) => JsonObject): JsonObject {
  const one = (value: JsonValue | undefined) => (isJsonObject(value) ? visit(value) : value);
  const list = (value: readonly JsonValue[]) => value.map((item) => one(item) ?? null);
  return mapValues(schema, (value, keyword) => {
    if (MAPS.has(keyword) && isJsonObject(value)) return mapValues(value, one);
    if (LISTS.has(keyword) && Array.isArray(value)) return list(value);
    if (SINGLES.has(keyword)) return Array.isArray(value) ? list(value) : one(value);
    return value;
  });
}

export function mapValues(
  object: JsonObject,
  visit: (value: JsonValue | undefined, key: string) => JsonValue | undefined,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, visit(value, key)]));
}

/** What a local `$ref` points to; nothing for one that leaves the document: it is never fetched. */
export function resolveLocalRef(root: JsonObject, ref: string): JsonObject | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let target: JsonValue | undefined = root;
  for (const step of ref.slice(2).split("/")) {
    const key = decodeStep(step);
    if (Array.isArray(target)) target = target[Number(key)];
    else target = isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return isJsonObject(target) ? target : undefined;
}

function decodeStep(step: string): string {
  const unescaped = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped;
  }
}
