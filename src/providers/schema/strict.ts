/**
 * Whether a schema is what OpenAI's strict mode takes, as it stands. We never bend a schema to make it strict:
 * an optional parameter would become a required one.
 */
import { isJsonObject, type JsonObject } from "../../conversation/index.ts";
import { mapSchemas } from "./walk.ts";

const KNOWN = new Set([
  "type",
  "title",
  "description",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "anyOf",
  "$defs",
  "$ref",
]);
const MAX_DEPTH = 5;
const MAX_PROPERTIES = 100;

export function isStrictSchema(root: JsonObject): boolean {
  let strict = true;
  let properties = 0;
  const visit = (schema: JsonObject, depth: number): JsonObject => {
    properties += isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]).length : 0;
    strict &&= depth <= MAX_DEPTH && properties <= MAX_PROPERTIES;
    strict &&= Object.keys(schema).every((keyword) => KNOWN.has(keyword));
    strict &&= isTyped(schema) && isClosed(schema);
    return strict ? mapSchemas(schema, (inner) => visit(inner, depth + 1)) : schema;
  };
  visit(root, 0);
  return strict;
}

function isTyped(schema: JsonObject): boolean {
  return ["type", "anyOf", "$ref", "enum", "const"].some((keyword) => schema[keyword] !== undefined);
}

function isClosed(schema: JsonObject): boolean {
  const { type, properties, required, additionalProperties } = schema;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  if (!isObject && properties === undefined) return true;
  if (additionalProperties !== false) return false;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return Array.isArray(required) ? names.every((name) => required.includes(name)) : names.length === 0;
}
