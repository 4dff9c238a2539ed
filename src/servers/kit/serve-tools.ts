/**
 * Lists and calls the tools of a definition. What goes wrong inside a tool is a result the model can read;
 * what is wrong with the request itself is a protocol error.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { asInputRequired, bindingOf, InputNeeded, readInput } from "./input.ts";
import { INVALID_PARAMS } from "./protocol-error.ts";
import type { ServerDefinition } from "./server.ts";
import { failure, type KitTool, type ToolContext } from "./tool.ts";

export function serveTools(server: Server, definition: ServerDefinition): void {
  const { name, tools } = definition;
  server.setRequestHandler("tools/list", (request) => {
    refuseCursor(request.params?.cursor);
    return { tools: tools.map((tool) => tool.definition as never) };
  });
  server.setRequestHandler("tools/call", async (request, context) => {
    const { name: wanted, arguments: args } = request.params;
    const tool = findTool(definition, wanted);
    if (!tool) {
      const known = tools.map((candidate) => candidate.name).join(", ");
      throw new ProtocolError(INVALID_PARAMS, `Unknown tool "${wanted}". Tools of ${name}: ${known}`);
    }
    const client = clientOf(server, context);
    refuseIncapable(tool, client);
    return (await callTool(tool, args, { context, client })) as CallToolResult;
  });
}

/** By its name or another name it answers to. */
export function findTool({ tools, aliases }: ServerDefinition, wanted: string): KitTool | undefined {
  const name = aliases !== undefined && Object.hasOwn(aliases, wanted) ? aliases[wanted] : wanted;
  return tools.find((tool) => tool.name === name);
}

/** Lists that fit on one page give no cursor, so none can come back. */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new ProtocolError(
    INVALID_PARAMS,
    `Unknown cursor "${cursor.slice(0, 100)}": list again from the start`,
  );
}

async function callTool(
  tool: KitTool,
  args: unknown,
  { context, client }: { readonly context: ServerContext; readonly client: ClientCapabilities },
): Promise<CallToolResult | InputRequiredResult> {
  const binding = bindingOf(context, tool.name, args);
  try {
    return await tool.call(args, toolContext(context, { client, input: readInput(context, binding) }));
  } catch (error) {
    if (error instanceof InputNeeded) return asInputRequired(error, binding);
    if (error instanceof ProtocolError) throw error;
    return failure(`${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function toolContext(
  { mcpReq, http }: ServerContext,
  rest: Pick<ToolContext, "client" | "input">,
): ToolContext {
  const token = mcpReq._meta?.progressToken;
  return {
    ...rest,
    signal: mcpReq.signal,
    progress: (update) => {
      if (token === undefined) return;
      const params = { progressToken: token, ...update };
      // The caller may be gone already: then nobody wants to know.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
    log: (level, data) => void mcpReq.log(level, data).catch(() => {}),
    releaseStream: () => http?.closeSSE?.(),
  };
}

function clientOf(server: Server, { mcpReq }: ServerContext): ClientCapabilities {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return declared ?? server.getClientCapabilities() ?? {};
}

function refuseIncapable(tool: KitTool, client: ClientCapabilities): void {
  const missing = Object.entries(tool.requires ?? {}).filter(([name]) => !(name in client));
  if (missing.length === 0) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: Object.fromEntries(missing) });
}
