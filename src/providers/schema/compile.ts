/**
 * A tool's schema as one provider takes it. The same schema always gives the same bytes. What is lost on the
 * way (a union at the top, a keyword that the provider does not know) only makes the schema wider: arguments
 * are checked against the original.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../conversation/index.ts";
import type { PropertyNames } from "../property-name.ts";
import { boundSchema } from "./bound.ts";
import { toGoogleSchema } from "./google.ts";
import { isStrictSchema } from "./strict.ts";
import { flattenTopLevel } from "./top-level.ts";
import { mapSchemas } from "./walk.ts";

/** `plain`: any JSON Schema with an object at the top. */
export type SchemaDialect = "plain" | "openai" | "anthropic" | "google";

export interface CompiledSchema {
  readonly schema: JsonObject;
  /** Said to OpenAI only, which otherwise takes every schema for a strict one. */
  readonly strict?: boolean;
}

export function compileSchema(
  schema: JsonObject,
  dialect: SchemaDialect,
  properties: PropertyNames,
): CompiledSchema {
  const object = flattenTopLevel(boundSchema(schema));
  switch (dialect) {
    case "plain":
      return { schema: object };
    case "openai":
      return { schema: object, strict: isStrictSchema(object) };
    case "anthropic":
      return { schema: renameProperties(object, properties) };
    case "google":
      return { schema: toGoogleSchema(object) };
    default:
      return dialect satisfies never;
  }
}

function renameProperties(schema: JsonObject, names: PropertyNames): JsonObject {
  const inside = mapSchemas(schema, (inner) => renameProperties(inner, names));
  const { properties, required } = inside;
  if (!isJsonObject(properties)) return inside;
  const renamed = Object.entries(properties).map(([name, inner]): [string, JsonValue | undefined] => {
    const wireName = names.toWire(name);
    return wireName === name || !isJsonObject(inner)
      ? [wireName, inner]
      : [wireName, { ...inner, title: name }];
  });
  return {
    ...inside,
    properties: Object.fromEntries(renamed),
    ...(Array.isArray(required) && {
      required: required.map((name) => (typeof name === "string" ? names.toWire(name) : name)),
    }),
  };
}
