/**
 * Turns a plain definition (tools, resources, prompts) into an MCP server instance of either protocol era.
 * The definition lives as long as the process; instances are thin and are made per connection (stdio) or per
 * request (HTTP). Listing order is the order of definition, so that a client's prompt cache holds.
 */
import {
  ProtocolError,
  SdkError,
  Server,
  type ServerOptions,
  type Transport,
} from "@modelcontextprotocol/server";
import type { ChangeBus, ServerChange } from "./changes.ts";
import type { KitPrompt } from "./prompt.ts";
import { INVALID_PARAMS, inLegacyCodes } from "./protocol-error.ts";
import type { ResourceProvider } from "./resource.ts";
import { serveCompletions, servePrompts } from "./serve-prompts.ts";
import { serveResources } from "./serve-resources.ts";
import { serveTools } from "./serve-tools.ts";
import type { KitTool } from "./tool.ts";

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
  const server = new KitServer(
    {
      name: definition.name,
      version: definition.version,
      ...(definition.title !== undefined && { title: definition.title }),
    },
    {
      era,
      capabilities: {
        logging: {},
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
        ...(resources?.cacheHints?.list && { "resources/list": resources.cacheHints.list }),
        ...(resources?.cacheHints?.read && { "resources/read": resources.cacheHints.read }),
      },
    },
  );
  serveTools(server, definition);
  if (resources) serveResources(server, resources);
  if (prompts) servePrompts(server, prompts);
  if (completes) serveCompletions(server, definition);
  if (definition.changes && pushChanges) tellChanges(server, definition.changes, era);
  return server;
}

/**
 * The SDK's server with two answers put right: parameters that do not fit their schema are "invalid params" and
 * no internal error, and a missing resource has the code of the client's own revision.
 */
class KitServer extends Server {
  readonly #era: "legacy" | "modern";

  constructor(
    info: ConstructorParameters<typeof Server>[0],
    options: ServerOptions & { readonly era: "legacy" | "modern" },
  ) {
    super(info, options);
    this.#era = options.era;
  }

  override connect(transport: Transport): Promise<void> {
    if (this.#era === "legacy") {
      const send = transport.send.bind(transport);
      transport.send = (message, options) => send(inLegacyCodes(message), options);
    }
    return super.connect(transport);
  }

  protected override _wrapHandler(
    method: string,
    handler: Parameters<Server["_wrapHandler"]>[1],
  ): ReturnType<Server["_wrapHandler"]> {
    return super._wrapHandler(method, async (request, context) => {
      try {
        return await handler(request, context);
      } catch (error) {
        // Our own handlers throw protocol errors only; anything else is the SDK's complaint about the parameters.
        if (error instanceof ProtocolError || error instanceof SdkError) throw error;
        throw new ProtocolError(INVALID_PARAMS, `Invalid params for ${method}: ${(error as Error).message}`);
      }
    });
  }
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
