/**
 * One live connection to an MCP server: requests with timeouts, pages followed to their end, errors in our words.
 * It knows the SDK's client; when it breaks it is thrown away, and mcp-extension.ts makes a new one.
 */
import {
  type Client,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
} from "@modelcontextprotocol/client";
import type {
  JsonObject,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Tool,
} from "../conversation/index.ts";
import { toCallResult, toResource, toResourceContents, toResourceTemplate, toTool } from "./content.ts";
import { ExtensionError } from "./extension-error.ts";
import type { CallOptions, CallResult, Era, Listing } from "./port.ts";
import type { StrayLines } from "./stdio-transport.ts";

/** What a transport can tell about its other end, when the other end is a process. */
export interface Peer {
  readonly pid?: number;
  /** How the process ended, in words; undefined while it runs or when there is none. */
  ended(): string | undefined;
  stderrLines(count: number): readonly string[];
  stray(): StrayLines;
}

export interface ConnectionTimeouts {
  /** Of silence: progress resets it. */
  readonly idleMs: number;
  readonly totalMs: number;
}

const MAX_PAGES = 1000;
const STDERR_LINES = 10;

export class Connection {
  readonly era: Era;
  readonly peer: Peer;
  readonly #key: string;
  readonly #client: Client;
  readonly #timeouts: ConnectionTimeouts;

  constructor(key: string, client: Client, peer: Peer, timeouts: ConnectionTimeouts) {
    this.#key = key;
    this.#client = client;
    this.peer = peer;
    this.#timeouts = timeouts;
    this.era = client.getProtocolEra() ?? "legacy";
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  async listing(options: CallOptions): Promise<Listing> {
    const capabilities = this.#client.getServerCapabilities();
    const tools = capabilities?.tools ? await this.listTools(options) : [];
    const { instructions } = this;
    return {
      tools,
      ...(instructions !== undefined && { instructions }),
      hasResources: capabilities?.resources !== undefined,
    };
  }

  async callTool(
    tool: Tool | undefined,
    name: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<CallResult> {
    const definition = tool && { name, inputSchema: tool.inputSchema as { type: "object" } };
    const result = await this.#guard("tools/call", options, (request) =>
      // Given a definition without its output schema, the SDK does not throw away a result that breaks the schema.
      this.#client.callTool(
        { name, arguments: args },
        { ...request, ...(definition && { toolDefinition: definition }) },
      ),
    );
    return toCallResult(result, this.#key);
  }

  async listTools(options: CallOptions): Promise<readonly Tool[]> {
    const tools = await this.#pages("tools/list", options, async (cursor, request) => {
      const page = await this.#client.listTools({ cursor }, request);
      return { items: page.tools, nextCursor: page.nextCursor };
    });
    return tools.map(toTool);
  }

  async listResources(options: CallOptions): Promise<readonly Resource[]> {
    if (!this.#client.getServerCapabilities()?.resources) return [];
    const resources = await this.#pages("resources/list", options, async (cursor, request) => {
      const page = await this.#client.listResources({ cursor }, request);
      return { items: page.resources, nextCursor: page.nextCursor };
    });
    return resources.map(toResource);
  }

  async listResourceTemplates(options: CallOptions): Promise<readonly ResourceTemplate[]> {
    if (!this.#client.getServerCapabilities()?.resources) return [];
    const templates = await this.#pages("resources/templates/list", options, async (cursor, request) => {
      const page = await this.#client.listResourceTemplates({ cursor }, request);
      return { items: page.resourceTemplates, nextCursor: page.nextCursor };
    });
    return templates.map(toResourceTemplate);
  }

  async readResource(uri: string, options: CallOptions): Promise<readonly ResourceContents[]> {
    const result = await this.#guard("resources/read", options, (request) =>
      this.#client.readResource({ uri }, request),
    );
    return result.contents.map(toResourceContents);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** Follows pages; a server that gives the same cursor twice would never end. */
  async #pages<T>(
    method: string,
    options: CallOptions,
    fetchPage: (
      cursor: string | undefined,
      request: RequestOptions,
    ) => Promise<{ items: readonly T[]; nextCursor: string | undefined }>,
  ): Promise<readonly T[]> {
    const items: T[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      // The first page is asked for without a cursor; asking by page keeps the SDK from walking them itself.
      const page = await this.#guard(method, options, (request) => fetchPage(cursor, request));
      items.push(...page.items);
      cursor = page.nextCursor;
      if (cursor === undefined) return items;
      if (seen.has(cursor))
        throw new ExtensionError("refused", `${this.#key} gave the same cursor of ${method} twice`);
      seen.add(cursor);
    }
    throw new ExtensionError("refused", `${this.#key} gave more than ${MAX_PAGES} pages of ${method}`);
  }

  async #guard<T>(
    method: string,
    options: CallOptions,
    send: (request: RequestOptions) => Promise<T>,
  ): Promise<T> {
    try {
      return await send({
        signal: options.signal,
        timeout: this.#timeouts.idleMs,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: this.#timeouts.totalMs,
        ...(options.onProgress && { onprogress: options.onProgress }),
      } as RequestOptions);
    } catch (error) {
      throw this.#explain(method, error, options.signal);
    }
  }

  #explain(method: string, error: unknown, signal: AbortSignal): ExtensionError {
    if (error instanceof ExtensionError) return error;
    const key = this.#key;
    if (signal.aborted)
      return new ExtensionError("cancelled", `${method} of ${key} was cancelled`, { cause: error });
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
      const seconds = this.#timeouts.idleMs / 1000;
      return new ExtensionError(
        "timeout",
        `${method} of ${key} gave no sign of life for ${seconds} s and was cancelled. ` +
          `A longer "timeout" in the extension's configuration gives it more time.`,
        { cause: error },
      );
    }
    if (isConnectionLoss(error)) {
      return new ExtensionError(
        "crashed",
        `${key} ${this.peer.ended() ?? "closed the connection"} during ${method}${this.stderrTail()}`,
        {
          cause: error,
        },
      );
    }
    const text = error instanceof Error ? error.message : String(error);
    const code = error instanceof ProtocolError ? ` (${error.code})` : "";
    return new ExtensionError("refused", `${key} answered ${method} with an error${code}: ${text}`, {
      cause: error,
    });
  }

  /** For error messages: what the process said last. */
  stderrTail(): string {
    const lines = this.peer.stderrLines(STDERR_LINES);
    return lines.length === 0
      ? "."
      : `. Its last lines on stderr:\n${lines.map((line) => `  ${line}`).join("\n")}`;
  }
}

function isConnectionLoss(error: unknown): boolean {
  if (error instanceof SdkError) {
    return error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected;
  }
  return error instanceof Error && error.message === "the process is not running";
}
