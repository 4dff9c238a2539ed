/**
 * Checks the `Mcp-Param-*` headers of a tool call against its arguments. A tool marks parameters with
 * `x-mcp-header` so that proxies can route by them; the header must then say the same as the body, since the
 * proxy believed the header. Numbers compare as numbers, other values as text; odd text travels as base64.
 */
import { ProtocolError } from "@modelcontextprotocol/server";
import type { KitTool } from "./tool.ts";

interface HeaderParam {
  readonly path: readonly string[];
  readonly header: string;
}

type Schema = Readonly<Record<string, unknown>>;

const MARK = "x-mcp-header";
const HEADER_MISMATCH = -32020;
const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

const known = new WeakMap<KitTool, readonly HeaderParam[]>();

/** The error to answer with, or nothing when headers and body agree. */
export function checkParamHeaders(tool: KitTool, args: unknown, headers: Headers): ProtocolError | undefined {
  for (const { path, header } of headerParams(tool)) {
    const value = path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), args);
    if (value === undefined || value === null || typeof value === "object") continue;
    const given = headers.get(header);
    if (given === null) return mismatch(header, `the body has ${path.join(".")} and the header is absent`);
    const decoded = decode(given);
    if (decoded === undefined) return mismatch(header, "the header is not valid base64");
    const same =
      typeof value === "number" && DECIMAL.test(decoded)
        ? Number(decoded) === value
        : decoded === String(value);
    if (!same)
      return mismatch(
        header,
        `the header says ${JSON.stringify(decoded)}, the body ${JSON.stringify(value)}`,
      );
  }
  return undefined;
}

function headerParams(tool: KitTool): readonly HeaderParam[] {
  const found = known.get(tool) ?? [...marked(tool.definition.inputSchema, [])];
  known.set(tool, found);
  return found;
}

function* marked(schema: Schema, path: readonly string[]): Generator<HeaderParam> {
  const name = schema[MARK];
  if (typeof name === "string") yield { path, header: `Mcp-Param-${name}` };
  const properties = schema["properties"];
  if (!isObject(properties)) return;
  for (const [key, child] of Object.entries(properties))
    if (isObject(child)) yield* marked(child, [...path, key]);
}

/** RFC 2047's form for what a header cannot carry as it is. */
function decode(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!CANONICAL_BASE64.test(encoded)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return undefined;
  }
}

function mismatch(header: string, body: string): ProtocolError {
  return new ProtocolError(
    HEADER_MISMATCH,
    `Bad Request: the ${header} header and the body disagree: ${body}`,
    {
      mismatch: { header, body },
    },
  );
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
