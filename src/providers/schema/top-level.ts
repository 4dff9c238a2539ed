/**
 * Every provider wants a plain object at the top of a tool's schema: no `$ref`, no union. A union there is
 * flattened into all properties that may occur; only what every branch requires stays required.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../conversation/index.ts";
import { resolveLocalRef } from "./walk.ts";

const MAX_STEPS = 32;

export function flattenTopLevel(root: JsonObject): JsonObject {
  let steps = 0;
  const flatten = (schema: JsonObject): JsonObject => {
    steps += 1;
    if (steps > MAX_STEPS) return {};
    const { $ref, allOf, anyOf, oneOf, not: _not, enum: _enum, ...own } = schema;
    const target = typeof $ref === "string" ? resolveLocalRef(root, $ref) : undefined;
    const all = [target, ...objects(allOf)].filter((branch) => branch !== undefined).map(flatten);
    const some = [...objects(anyOf), ...objects(oneOf)].map(flatten);
    return merge(own, all, some);
  };
  const flat = flatten(root);
  return { ...flat, type: "object", properties: isJsonObject(flat["properties"]) ? flat["properties"] : {} };
}

function merge(own: JsonObject, all: readonly JsonObject[], some: readonly JsonObject[]): JsonObject {
  if (all.length === 0 && some.length === 0) return own;
  const every = [...all, own];
  const properties = Object.assign({}, ...[...some, ...every].map((branch) => branch["properties"] ?? {}));
  const required = new Set(every.flatMap(requiredOf));
  const [first, ...others] = some.map(requiredOf);
  for (const name of first ?? []) if (others.every((names) => names.includes(name))) required.add(name);
  // A branch that closes the object would forbid what the other branches allow.
  const { additionalProperties: _closed, ...kept } = Object.assign({}, ...every) as JsonObject;
  return { ...kept, properties, ...(required.size > 0 && { required: [...required] }) };
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function requiredOf(schema: JsonObject): string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}
