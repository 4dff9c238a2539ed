/** Reads the arguments a model wrote. What is not a JSON object is kept raw, with the reason, for the model to read. */
import { isJsonObject, type ToolRequest } from "../conversation/index.ts";

/** No arguments at all is how several servers say `{}`. */
export function parseToolArguments(raw: string): Pick<ToolRequest, "arguments" | "invalid"> {
  if (raw.trim() === "") return { arguments: {} };
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "not JSON";
    return { arguments: {}, invalid: { raw, reason: `The arguments are not valid JSON: ${reason}` } };
  }
  if (isJsonObject(value)) return { arguments: value };
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return { arguments: {}, invalid: { raw, reason: `The arguments must be a JSON object, not ${kind}.` } };
}
