/**
 * The document's protocol: one JSON-RPC request in, one answer out, with no handshake and no state. It knows
 * `capabilities/list` besides the usual methods, and tools by the document's names. Nothing is pushed here, and
 * the capabilities say so; who wants to be told of changes uses the standard endpoint.
 */
import { ProtocolError } from "@modelcontextprotocol/server";
import { ResourceError } from "../kit/index.ts";
import { NO_INPUT } from "../kit/input.ts";
import { toPlainJson } from "./answer.ts";
import type { WakashuParts } from "./server.ts";
import { toIri } from "./uris.ts";

/** `result` in pieces is JSON already, to be written one after another. */
export type PlainReply =
  | { readonly id: RequestId; readonly result: object }
  | { readonly id: RequestId; readonly pieces: readonly Buffer[] }
  | { readonly id: RequestId; readonly error: { readonly code: number; readonly message: string } }
  /** A notification: there is nothing to say. */
  | undefined;

type RequestId = string | number | null;
type Params = Readonly<Record<string, unknown>>;
type Method = (
  params: Params,
  signal: AbortSignal,
) => object | readonly Buffer[] | Promise<object | readonly Buffer[]>;

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const PUSHING = ["resources/subscribe", "resources/unsubscribe", "subscriptions/listen", "logging/setLevel"];

/** As the document shows them: here nothing is ever pushed. */
const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { subscribe: false, listChanged: false },
} as const;

/** Never throws: what fails is an error reply. */
export function createPlainRpc(
  parts: WakashuParts,
): (message: unknown, signal: AbortSignal) => Promise<PlainReply> {
  const methods = createMethods(parts);
  return async (message, signal) => {
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      return failure(
        null,
        INVALID_REQUEST,
        "Invalid request: send one JSON-RPC object (batches are not supported)",
      );
    }
    const { jsonrpc, id, method, params = {} } = message as Record<string, unknown>;
    if (jsonrpc !== "2.0" || typeof method !== "string" || !isId(id)) {
      const known = isId(id) && id !== undefined ? id : null;
      return failure(known, INVALID_REQUEST, 'Invalid request: "jsonrpc": "2.0" and a "method" are needed');
    }
    if (id === undefined) return undefined;
    if (typeof params !== "object" || params === null || Array.isArray(params)) {
      return failure(id, INVALID_PARAMS, "Invalid params: they are an object");
    }
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!run) return failure(id, METHOD_NOT_FOUND, notFound(method, Object.keys(methods)));
    try {
      const result = await run(params as Params, signal);
      return Array.isArray(result) ? { id, pieces: result } : { id, result };
    } catch (error) {
      // The caller left; nobody reads the reply.
      if (signal.aborted) return undefined;
      return { id, error: describe(error) };
    }
  };
}

function createMethods({ definition, tools }: WakashuParts): Record<string, Method> {
  const { resources, prompts = [] } = definition;
  return {
    "capabilities/list": () => ({ capabilities: CAPABILITIES }),
    initialize: ({ protocolVersion }) => ({
      protocolVersion:
        PROTOCOL_VERSIONS.find((version) => version === protocolVersion) ?? PROTOCOL_VERSIONS[0],
      capabilities: { ...CAPABILITIES, prompts: { listChanged: false } },
      serverInfo: { name: definition.name, title: definition.title, version: definition.version },
      instructions: definition.instructions,
    }),
    ping: () => ({}),
    "tools/list": () => ({
      tools: tools.map(({ plainName, mcp }) => {
        const { title, description, inputSchema } = mcp.definition;
        return { name: plainName, title, description, inputSchema };
      }),
    }),
    "tools/call": async ({ name, arguments: args }, signal) => {
      const tool = tools.find(
        (candidate) => candidate.mcp.name === name || candidate.aliases.some((alias) => alias === name),
      );
      if (!tool) {
        const known = tools.map((candidate) => candidate.plainName).join(", ");
        throw new ProtocolError(
          INVALID_PARAMS,
          `Unknown tool ${JSON.stringify(name)?.slice(0, 200)}. Tools: ${known}`,
        );
      }
      return toPlainJson(await tool.answer(args, { signal, progress() {} }));
    },
    "resources/list": async ({ cursor }, signal) => {
      const page = await resources?.list({ ...(typeof cursor === "string" && { cursor }), signal });
      return { ...page, resources: (page?.resources ?? []).map(readable) };
    },
    "resources/templates/list": () => ({ resourceTemplates: resources?.templates ?? [] }),
    "resources/read": async ({ uri }, signal) => {
      if (typeof uri !== "string") throw new ProtocolError(INVALID_PARAMS, 'resources/read needs a "uri"');
      const contents = (await resources?.read(uri, { signal })) ?? [];
      return { contents: contents.map(readable) };
    },
    "prompts/list": () => ({
      prompts: prompts.map(({ get: _get, complete: _complete, ...prompt }) => prompt),
    }),
    "prompts/get": async ({ name, arguments: args = {} }, signal) => {
      const prompt = prompts.find((candidate) => candidate.name === name);
      if (!prompt)
        throw new ProtocolError(INVALID_PARAMS, `Unknown prompt ${JSON.stringify(name)?.slice(0, 200)}`);
      const given = args as Record<string, string>;
      const missing = prompt.arguments?.find(
        (argument) => argument.required && typeof given[argument.name] !== "string",
      );
      if (missing)
        throw new ProtocolError(INVALID_PARAMS, `Prompt ${prompt.name} needs the argument "${missing.name}"`);
      return await prompt.get(given, { signal, input: NO_INPUT });
    },
  };
}

/** Names as the document writes them, with their Japanese readable. */
function readable<Item extends { readonly uri: string }>(item: Item): Item {
  return { ...item, uri: toIri(item.uri) };
}

function isId(id: unknown): id is RequestId | undefined {
  return id === undefined || id === null || typeof id === "string" || typeof id === "number";
}

function notFound(method: string, known: readonly string[]): string {
  const asked = method.slice(0, 100);
  if (PUSHING.includes(method))
    return `Method not found: ${asked}. Nothing is pushed here; use the MCP endpoint at /mcp`;
  return `Method not found: ${asked}. Methods here: ${known.join(", ")}. The standard MCP endpoint is /mcp`;
}

function failure(id: RequestId, code: number, message: string): PlainReply {
  return { id, error: { code, message } };
}

function describe(error: unknown): { code: number; message: string } {
  if (error instanceof ProtocolError) return { code: error.code, message: error.message };
  if (error instanceof ResourceError) {
    return { code: error.code === "failed" ? INTERNAL_ERROR : INVALID_PARAMS, message: error.message };
  }
  process.stderr.write(`wakashu: ${error instanceof Error ? error.stack : String(error)}\n`);
  return { code: INTERNAL_ERROR, message: "Internal error" };
}
