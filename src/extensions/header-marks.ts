/**
 * Parameters that a tool marks with `x-mcp-header` travel as HTTP headers too. A tool whose marks break the rules
 * must not be offered over HTTP: whoever routes by the header would be misled. Gives the reason, or nothing.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../conversation/index.ts";

const MARK = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = new Set(["string", "integer", "boolean"]);
/** Keywords whose values are data, not schemas. */
const DATA = new Set(["enum", "const", "default", "examples", MARK]);

export function invalidHeaderMark(inputSchema: JsonObject): string | undefined {
  const seen = new Set<string>();
  return checkSchema(inputSchema, { depth: 0, reachable: true }, seen);
}

interface Place {
  readonly depth: number;
  /** Whether only `properties` lie between the root and here. */
  readonly reachable: boolean;
}

function checkSchema(schema: JsonObject, place: Place, seen: Set<string>): string | undefined {
  const fault = Object.hasOwn(schema, MARK) ? checkMark(schema, place, seen) : undefined;
  if (fault !== undefined) return fault;
  for (const [keyword, value] of Object.entries(schema)) {
    if (DATA.has(keyword)) continue;
    const inner =
      keyword === "properties" && isJsonObject(value)
        ? checkEach(Object.values(value), { depth: place.depth + 1, reachable: place.reachable }, seen)
        : checkEach([value], { depth: place.depth + 1, reachable: false }, seen);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function checkEach(
  values: readonly (JsonValue | undefined)[],
  place: Place,
  seen: Set<string>,
): string | undefined {
  for (const value of values) {
    const fault = Array.isArray(value)
      ? checkEach(value, place, seen)
      : isJsonObject(value)
        ? checkSchema(value, place, seen)
        : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkMark(schema: JsonObject, { depth, reachable }: Place, seen: Set<string>): string | undefined {
  const name = schema[MARK];
  if (!reachable || depth === 0) return `${MARK} stands where only properties of the arguments may have it`;
  if (typeof name !== "string" || !TOKEN.test(name))
    return `${MARK} ${JSON.stringify(name)} is no header name`;
  if (typeof schema["type"] !== "string" || !TYPES.has(schema["type"]))
    return `${MARK} "${name}" is on a parameter that is no text, whole number or yes/no`;
  if (seen.has(name.toLowerCase())) return `${MARK} "${name}" is used twice`;
  seen.add(name.toLowerCase());
  return undefined;
}
