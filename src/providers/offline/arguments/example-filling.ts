/**
 * Parameters and a one-line way to fill them. For tests only: nothing that ships imports this file.
 */
import type { JsonObject, ToolDefinition } from "../../../conversation/index.ts";
import { readRequest } from "../reading/reading.ts";
import { fillArguments } from "./fill.ts";

export const NOW = new Date(2025, 0, 15);
export const string = (description = "", more: JsonObject = {}): JsonObject => ({
  type: "string",
  description,
  ...more,
});
export const integer = (description = "", more: JsonObject = {}): JsonObject => ({
  type: "integer",
  description,
  ...more,
});
export const number = (description = "", more: JsonObject = {}): JsonObject => ({
  type: "number",
  description,
  ...more,
});
export const boolean = (description = "", more: JsonObject = {}): JsonObject => ({
  type: "boolean",
  description,
  ...more,
});
export const array = (items: JsonObject, description = ""): JsonObject => ({
  type: "array",
  items,
  description,
});

/** Everything is required unless its name ends with `?`. */
export function tool(properties: Record<string, JsonObject>, about = ""): ToolDefinition {
  const entries = Object.entries(properties).map(
    ([name, schema]) => [name.replace(/\?$/, ""), schema] as const,
  );
  const required = Object.keys(properties).filter((name) => !name.endsWith("?"));
  const [name = "tool", description = ""] = about.split(": ");
  const inputSchema = { type: "object", properties: Object.fromEntries(entries), required };
  return { name, extension: "test", toolName: name, description, inputSchema };
}

export const fill = (text: string, properties: Record<string, JsonObject>, about?: string) =>
  fillArguments(tool(properties, about), readRequest(text, NOW));
export const filled = (text: string, properties: Record<string, JsonObject>, about?: string) =>
  fill(text, properties, about).arguments;
