/**
 * Cuts a stranger's schema to a size that a request can carry, whatever it was: depth, number of schemas,
 * enums, long texts. What is cut becomes "anything", never something wrong: arguments are checked against the
 * original schema in any case. A `$ref` that leaves the document is anything, too.
 */
import type { JsonObject, JsonValue } from "../../conversation/index.ts";
import { mapSchemas, mapValues } from "./walk.ts";

const MAX_DEPTH = 24;
const MAX_SCHEMAS = 2_000;
const MAX_ENUM = 500;
const MAX_TEXT = 4_000;
const MAX_PATTERN = 200;
const MAX_VALUE = 2_000;
const NEVER_SENT = new Set(["$schema", "$id", "$comment", "$vocabulary", "$dynamicAnchor", "$dynamicRef"]);

export function boundSchema(schema: JsonObject): JsonObject {
  let seen = 0;
  const visit = (inner: JsonObject, depth: number): JsonObject => {
    seen += 1;
    if (depth > MAX_DEPTH || seen > MAX_SCHEMAS) return {};
    return mapSchemas(boundKeywords(inner), (child) => visit(child, depth + 1));
  };
  return visit(schema, 0);
}

function boundKeywords(schema: JsonObject): JsonObject {
  const { $ref, enum: options, ...rest } = schema;
  const bounded = mapValues(rest, (value, keyword) => {
    if (NEVER_SENT.has(keyword)) return undefined;
    if (keyword === "description" || keyword === "title") return shorten(value);
    if (keyword === "pattern")
      return typeof value === "string" && value.length <= MAX_PATTERN ? value : undefined;
    if (keyword === "default" || keyword === "const" || keyword === "examples")
      return jsonLength(value) <= MAX_VALUE ? value : undefined;
    return value;
  });
  return {
    ...without(bounded, undefined),
    ...(typeof $ref === "string" && $ref.startsWith("#") && { $ref }),
    ...boundEnum(options, bounded["description"]),
  };
}

/** Half an enum would forbid the other half, so a huge one is said in words. */
function boundEnum(options: JsonValue | undefined, description: JsonValue | undefined): JsonObject {
  if (!Array.isArray(options)) return {};
  if (options.length <= MAX_ENUM && jsonLength(options) <= MAX_ENUM * 40) return { enum: options };
  const some = options.filter((option) => typeof option !== "object").slice(0, 5);
  const words = `One of ${options.length} values, such as ${JSON.stringify(some).slice(0, 200)}.`;
  return { description: typeof description === "string" ? `${description} ${words}` : words };
}

/** A value that cannot be written down (nested too deep) is too long. */
function jsonLength(value: JsonValue | undefined): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function shorten(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== "string" || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT)}… (cut)`;
}

function without(object: JsonObject, unwanted: JsonValue | undefined): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== unwanted));
}
