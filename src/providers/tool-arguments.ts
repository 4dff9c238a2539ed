/** The arguments that a model wrote, as an object or as a reason that it can read. */
import { isJsonObject, type ToolRequest } from "../conversation/index.ts";

type Arguments = Pick<ToolRequest, "arguments" | "invalid">;

/** Deeper than any tool needs, and far from where walking it would exhaust the stack. */
const MAX_DEPTH = 200;

/** No arguments at all is how several servers say `{}`. */
export function parseToolArguments(raw: string): Arguments {
  if (raw.trim() === "") return { arguments: {} };
  if (depthOf(raw) > MAX_DEPTH)
    return invalid(raw, `The arguments are nested deeper than ${MAX_DEPTH} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return invalid(
      raw,
      `The arguments are not valid JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (isJsonObject(value)) return { arguments: value };
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return invalid(raw, `The arguments must be a JSON object, not ${kind}.`);
}

function invalid(raw: string, reason: string): Arguments {
  return { arguments: {}, invalid: { raw, reason } };
}

function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth -= 1;
  }
  return deepest;
}
