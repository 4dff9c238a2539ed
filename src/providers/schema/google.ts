/**
 * Schemas for Gemini: no references, and only the keywords that it knows. Local references are put in place
 * of their `$ref` until they repeat or go too deep; from there on anything is allowed.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../conversation/index.ts";
import { mapSchemas, resolveLocalRef } from "./walk.ts";

const KNOWN = new Set([
  "type",
  "title",
  "description",
  "format",
  "enum",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "prefixItems",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
]);
const KNOWN_FORMATS = new Set(["date-time", "date", "time", "int32", "int64", "float", "double"]);
const MAX_DEPTH = 12;
const MAX_SCHEMAS = 2_000;

export function toGoogleSchema(root: JsonObject): JsonObject {
  let seen = 0;
  const visit = (schema: JsonObject, path: readonly string[], depth: number): JsonObject => {
    seen += 1;
    if (depth > MAX_DEPTH || seen > MAX_SCHEMAS) return describedOnly(schema);
    const { $ref } = schema;
    if (typeof $ref === "string") {
      const target = path.includes($ref) ? undefined : resolveLocalRef(root, $ref);
      if (target === undefined) return describedOnly(schema);
      const { $ref: _ref, ...own } = schema;
      return visit({ ...target, ...own }, [...path, $ref], depth);
    }
    return mapSchemas(known(schema), (inner) => visit(inner, path, depth + 1));
  };
  return visit(root, [], 0);
}

function describedOnly(schema: JsonObject): JsonObject {
  return typeof schema["description"] === "string" ? { description: schema["description"] } : {};
}

function known(schema: JsonObject): JsonObject {
  const whole = withoutAllOf(schema);
  const kept = Object.fromEntries(Object.entries(whole).filter(([keyword]) => KNOWN.has(keyword)));
  const { enum: options, additionalProperties, format, required, ...rest } = kept;
  const unions = [...schemas(whole["anyOf"]), ...schemas(whole["oneOf"])];
  return {
    ...rest,
    ...enumOf("const" in whole ? [whole["const"] ?? null] : options, whole),
    ...(unions.length > 0 && { anyOf: unions }),
    ...(typeof format === "string" && KNOWN_FORMATS.has(format) && { format }),
    // `false` and `true` say nothing that helps the model; a schema says what the values of a map are.
    ...(isJsonObject(additionalProperties) && { additionalProperties }),
    ...requiredOf(required, whole["properties"]),
    ...(hasType(whole, "array") && whole["items"] === undefined && { items: {} }),
  };
}

/** Gemini has no `allOf`: the parts are laid over each other. */
function withoutAllOf(schema: JsonObject): JsonObject {
  const parts = schemas(schema["allOf"]);
  if (parts.length === 0) return schema;
  const layers = [...parts, schema];
  const properties = Object.assign({}, ...layers.map((layer) => layer["properties"] ?? {})) as JsonObject;
  const required = [...new Set(layers.flatMap((layer) => strings(layer["required"])))];
  return {
    ...(Object.assign({}, ...layers) as JsonObject),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** Gemini takes strings and numbers here; anything else is said in words. */
function enumOf(options: JsonValue | undefined, schema: JsonObject): JsonObject {
  if (!Array.isArray(options) || options.length === 0) return {};
  const type = typeof options[0];
  if ((type === "string" || type === "number") && options.every((option) => typeof option === type))
    return { enum: options, ...(schema["type"] === undefined && { type }) };
  const words = `One of ${JSON.stringify(options)}.`;
  const { description } = schema;
  return { description: typeof description === "string" ? `${description} ${words}` : words };
}

/** A required property that is not among the properties makes Gemini refuse the whole request. */
function requiredOf(required: JsonValue | undefined, properties: JsonValue | undefined): JsonObject {
  if (!isJsonObject(properties)) return {};
  const present = strings(required).filter((name) => Object.hasOwn(properties, name));
  return present.length > 0 ? { required: present } : {};
}

function hasType(schema: JsonObject, type: string): boolean {
  return schema["type"] === type || strings(schema["type"]).includes(type);
}

function schemas(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
