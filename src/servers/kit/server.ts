/**
 * Turns a plain definition (tools, resources, prompts) into an MCP server instance of either protocol era.
 * The definition lives as long as the process; instances are thin and are made per connection (stdio) or per
 * request (HTTP). Listing order is the order of definition, so that a client's prompt cache holds.
 */
import {
  type CallToolResult,
  ProtocolError,
  type ReadResourceResult,
  Server,
} from "@modelcontextprotocol/server";
import type { ChangeBus, ServerChange } from "./changes.ts";
import type { KitPrompt } from "./prompt.ts";
import { ResourceError, type ResourceErrorCode, type ResourceProvider } from "./resource.ts";
import { failure, type KitTool } from "./tool.ts";

export interface ServerDefinition {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
  /** For the model: what this server is for and how to use it. */
  readonly instructions?: string;
  readonly tools: readonly KitTool[];
  /** Other names under which a tool may be called; never listed. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly resources?: ResourceProvider;
  readonly prompts?: readonly KitPrompt[];
  readonly changes?: ChangeBus;
  /** Ends what the server started (children, watchers). Called once, when the process is about to end. */
  close?(): Promise<void> | void;
}

const LIST_TTL_MS = 60_000;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const LEGACY_RESOURCE_NOT_FOUND = -32002;
const MAX_COMPLETIONS = 100;

export interface ServerInstanceOptions {
  /** Whether this instance tells its client of changes itself. Over HTTP, modern clients listen elsewhere. */
  readonly pushChanges?: boolean;
}

export function createServer(
  definition: ServerDefinition,
  era: "legacy" | "modern",
  { pushChanges = true }: ServerInstanceOptions = {},
): Server {
  const { resources, prompts } = definition;
  const canChange = definition.changes !== undefined;
  const completes = resources?.complete !== undefined || prompts?.some((prompt) => prompt.complete) === true;
  const server = new Server(
    {
      name: definition.name,
      version: definition.version,
      ...(definition.title !== undefined && { title: definition.title }),
    },
    {
      capabilities: {
        tools: { listChanged: canChange },
        ...(resources && { resources: { subscribe: canChange, listChanged: canChange } }),
        ...(prompts && { prompts: { listChanged: canChange } }),
        ...(completes && { completions: {} }),
      },
      ...(definition.instructions !== undefined && { instructions: definition.instructions }),
      cacheHints: {
        "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "public" },
        "resources/templates/list": { ttlMs: LIST_TTL_MS, cacheScope: "public" },
        "prompts/list": { ttlMs: LIST_TTL_MS, cacheScope: "public" },
        "server/discover": { ttlMs: LIST_TTL_MS, cacheScope: "public" },
      },
    },
  );
  serveTools(server, definition);
  if (resources) serveResources(server, resources, era);
  if (prompts) servePrompts(server, prompts);
  if (completes) serveCompletions(server, definition);
  if (definition.changes && pushChanges) tellChanges(server, definition.changes, era);
  return server;
}

function serveTools(server: Server, { name, tools, aliases }: ServerDefinition): void {
  server.setRequestHandler("tools/list", () => ({ tools: tools.map((tool) => tool.definition as never) }));
  server.setRequestHandler("tools/call", async (request, context): Promise<CallToolResult> => {
    const wanted = request.params.name;
    const tool = tools.find((candidate) => candidate.name === (aliases?.[wanted] ?? wanted));
    if (!tool) {
      const known = tools.map((candidate) => candidate.name).join(", ");
      throw new ProtocolError(INVALID_PARAMS, `Unknown tool "${wanted}". Tools of ${name}: ${known}`);
    }
    const token = context.mcpReq._meta?.progressToken;
    try {
      return await tool.call(request.params.arguments, {
        signal: context.mcpReq.signal,
        progress: (update) => {
          if (token === undefined) return;
          const params = { progressToken: token, ...update };
          // The caller may be gone already: then nobody wants to know.
          context.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
        },
      });
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return failure(`${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

function serveResources(server: Server, resources: ResourceProvider, era: "legacy" | "modern"): void {
  server.setRequestHandler("resources/list", async (request, context) => {
    const cursor = request.params?.cursor;
    const page = await resources.list({
      ...(cursor !== undefined && { cursor }),
      signal: context.mcpReq.signal,
    });
    return {
      resources: [...page.resources],
      ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
    };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [...(resources.templates ?? [])],
  }));
  server.setRequestHandler("resources/read", async (request, context): Promise<ReadResourceResult> => {
    try {
      return { contents: [...(await resources.read(request.params.uri, { signal: context.mcpReq.signal }))] };
    } catch (error) {
      throw asProtocolError(error, request.params.uri, era);
    }
  });
}

function servePrompts(server: Server, prompts: readonly KitPrompt[]): void {
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ get: _get, complete: _complete, arguments: args, ...prompt }) => ({
      ...prompt,
      ...(args && { arguments: [...args] }),
    })),
  }));
  server.setRequestHandler("prompts/get", async (request) => {
    const prompt = prompts.find((candidate) => candidate.name === request.params.name);
    if (!prompt) throw new ProtocolError(INVALID_PARAMS, `Unknown prompt "${request.params.name}"`);
    const args = request.params.arguments ?? {};
    const missing = prompt.arguments?.find(
      (argument) => argument.required && args[argument.name] === undefined,
    );
    if (missing)
      throw new ProtocolError(INVALID_PARAMS, `Prompt ${prompt.name} needs the argument "${missing.name}"`);
    return await prompt.get(args);
  });
}

function serveCompletions(server: Server, { resources, prompts }: ServerDefinition): void {
  server.setRequestHandler("completion/complete", async (request) => {
    const { ref, argument, context } = request.params;
    const others = context?.arguments ?? {};
    const values =
      ref.type === "ref/resource"
        ? await resources?.complete?.({
            template: ref.uri,
            variable: argument.name,
            value: argument.value,
            others,
          })
        : await prompts
            ?.find((prompt) => prompt.name === ref.name)
            ?.complete?.(argument.name, argument.value, others);
    const found = values ?? [];
    return {
      completion: {
        values: found.slice(0, MAX_COMPLETIONS),
        total: found.length,
        hasMore: found.length > MAX_COMPLETIONS,
      },
    };
  });
}

/**
 * Legacy clients get list changes unasked and updates of what they subscribed to. Modern clients listen: the
 * entry that owns the connection filters by what each of them asked for.
 */
function tellChanges(server: Server, changes: ChangeBus, era: "legacy" | "modern"): void {
  const subscribed = new Set<string>();
  if (era === "legacy") {
    server.setRequestHandler("resources/subscribe", (request) => {
      subscribed.add(request.params.uri);
      return {};
    });
    server.setRequestHandler("resources/unsubscribe", (request) => {
      subscribed.delete(request.params.uri);
      return {};
    });
  }
  const stop = changes.subscribe((change) => {
    if (change.type === "resource-updated" && era === "legacy" && !subscribed.has(change.uri)) return;
    // A client that is gone needs no news.
    notify(server, change).catch(() => {});
  });
  server.onclose = stop;
}

function notify(server: Server, change: ServerChange): Promise<void> {
  switch (change.type) {
    case "tools-changed":
      return server.sendToolListChanged();
    case "prompts-changed":
      return server.sendPromptListChanged();
    case "resources-changed":
      return server.sendResourceListChanged();
    case "resource-updated":
      return server.sendResourceUpdated({ uri: change.uri });
    default:
      return change satisfies never;
  }
}

const RESOURCE_ERROR_CODES: Record<ResourceErrorCode, number> = {
  "not-found": INVALID_PARAMS,
  refused: INVALID_PARAMS,
  invalid: INVALID_PARAMS,
  failed: INTERNAL_ERROR,
};

function asProtocolError(error: unknown, uri: string, era: "legacy" | "modern"): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof ResourceError)) {
    return new ProtocolError(INTERNAL_ERROR, error instanceof Error ? error.message : String(error));
  }
  const legacyNotFound = error.code === "not-found" && era === "legacy";
  const code = legacyNotFound ? LEGACY_RESOURCE_NOT_FOUND : RESOURCE_ERROR_CODES[error.code];
  return new ProtocolError(code, error.message, { uri, reason: error.code });
}
