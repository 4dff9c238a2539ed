/**
 * One live connection to an MCP server: requests with time limits, pages followed to their end, errors in our words.
 * It knows the SDK's client; when it breaks it is thrown away, and mcp-extension.ts makes a new one.
 */
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import type {
  JsonObject,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Tool,
} from "../conversation/index.ts";
import { CallClock, type CallLimits, LONGEST_DELAY_MS } from "./call-clock.ts";
import { explainFailure } from "./call-failure.ts";
import { ChangeWatch, type ChangeWatchOptions } from "./change-watch.ts";
import {
  toCallResult,
  toPrompt,
  toPromptMessage,
  toResource,
  toResourceContents,
  toResourceTemplate,
  toTool,
} from "./content.ts";
import { FreshList, ttlOf } from "./fresh-list.ts";
import { allPages, type Page } from "./pages.ts";
import type { Peer } from "./peer.ts";
import type {
  CallOptions,
  CallResult,
  CompletionRequest,
  Era,
  Listing,
  Prompt,
  PromptResult,
} from "./port.ts";
import { watchStopped } from "./process/liveness.ts";
import { ProgressPace } from "./progress-pace.ts";
import type { CallScope, ServerRequests } from "./server-requests.ts";

const STDERR_LINES = 10;
const PING_MS = 1000;

export interface ConnectionParts {
  readonly key: string;
  readonly client: Client;
  readonly peer: Peer;
  readonly limits: CallLimits;
  readonly requests: ServerRequests;
  /** Asks the person for an authorization that the server turned out to want. */
  authorize?(signal: AbortSignal): Promise<boolean>;
}

export class Connection {
  readonly era: Era;
  readonly peer: Peer;
  readonly #parts: ConnectionParts;
  readonly #client: Client;
  readonly #resources = new FreshList<Resource>();
  readonly #templates = new FreshList<ResourceTemplate>();
  #watch: ChangeWatch | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#client = parts.client;
    this.peer = parts.peer;
    this.era = parts.client.getProtocolEra() ?? "legacy";
  }

  /** What a later start needs to skip the probe. */
  get prior() {
    const discover = this.#client.getDiscoverResult();
    return discover ? ({ kind: "modern", discover } as const) : ({ kind: "legacy" } as const);
  }

  /** True when the person has authorized what the server wanted, so that the request can be made again. */
  async authorize(signal: AbortSignal): Promise<boolean> {
    return (await this.#parts.authorize?.(signal)) ?? false;
  }

  async listing(options: CallOptions): Promise<Listing> {
    const capabilities = this.#client.getServerCapabilities();
    const instructions = this.#client.getInstructions();
    return {
      tools: capabilities?.tools ? await this.listTools(options) : [],
      ...(instructions !== undefined && { instructions }),
      hasResources: capabilities?.resources !== undefined,
      ...(capabilities?.resources?.subscribe && capabilities.resources.listChanged && { tellsChanges: true }),
      ...(capabilities?.prompts && { hasPrompts: true }),
    };
  }

  /** Tells of changes from now on. In the modern era this opens a stream; nobody waits for it. */
  watchChanges(options: ChangeWatchOptions): void {
    this.#watch = new ChangeWatch(this.#client, this.era, {
      ...options,
      onChange: (change) => {
        if (change.type === "resources") {
          this.#resources.forget();
          this.#templates.forget();
        }
        options.onChange(change);
      },
    });
  }

  subscribe(uri: string): Promise<void> {
    return this.#watch?.subscribe(uri) ?? Promise.resolve();
  }

  unsubscribe(uri: string): Promise<void> {
    return this.#watch?.unsubscribe(uri) ?? Promise.resolve();
  }

  async callTool(
    tool: Tool | undefined,
    name: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<CallResult> {
    const definition = tool && { name, inputSchema: tool.inputSchema as { type: "object" } };
    const notes: string[] = [];
    const result = await this.#request(
      "tools/call",
      options,
      (request) =>
        // Given a definition without its output schema, the SDK does not throw away a result that breaks the schema.
        this.#client.callTool(
          { name, arguments: args },
          { ...request, ...(definition && { toolDefinition: definition }) },
        ),
      notes,
    );
    return withNotes(toCallResult(result, this.#parts.key), notes);
  }

  async listTools(options: CallOptions): Promise<readonly Tool[]> {
    const tools = await this.#pages("tools/list", options, async (cursor, request) => {
      const page = await this.#client.request(listRequest("tools/list", cursor), request);
      return { items: page.tools, nextCursor: page.nextCursor };
    });
    return tools.map(toTool);
  }

  async listResources(options: CallOptions): Promise<readonly Resource[]> {
    if (!this.#client.getServerCapabilities()?.resources) return [];
    return await this.#resources.get(async () => {
      const ttls: number[] = [];
      const resources = await this.#pages("resources/list", options, async (cursor, request) => {
        const page = await this.#client.request(listRequest("resources/list", cursor), request);
        ttls.push(ttlOf(page));
        return { items: page.resources, nextCursor: page.nextCursor };
      });
      return { items: resources.map(toResource), ttlMs: Math.min(...ttls) };
    });
  }

  async listResourceTemplates(options: CallOptions): Promise<readonly ResourceTemplate[]> {
    if (!this.#client.getServerCapabilities()?.resources) return [];
    return await this.#templates.get(async () => {
      const ttls: number[] = [];
      const templates = await this.#pages("resources/templates/list", options, async (cursor, request) => {
        const page = await this.#client.request(listRequest("resources/templates/list", cursor), request);
        ttls.push(ttlOf(page));
        return { items: page.resourceTemplates, nextCursor: page.nextCursor };
      });
      return { items: templates.map(toResourceTemplate), ttlMs: Math.min(...ttls) };
    });
  }

  async readResource(uri: string, options: CallOptions): Promise<readonly ResourceContents[]> {
    const result = await this.#request("resources/read", options, (request) =>
      this.#client.readResource({ uri }, request),
    );
    return result.contents.map(toResourceContents);
  }

  async listPrompts(options: CallOptions): Promise<readonly Prompt[]> {
    if (!this.#client.getServerCapabilities()?.prompts) return [];
    const prompts = await this.#pages("prompts/list", options, async (cursor, request) => {
      const page = await this.#client.request(listRequest("prompts/list", cursor), request);
      return { items: page.prompts, nextCursor: page.nextCursor };
    });
    return prompts.map(toPrompt);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<PromptResult> {
    const result = await this.#request("prompts/get", options, (request) =>
      this.#client.getPrompt({ name, arguments: args }, request),
    );
    return {
      ...(result.description !== undefined && { description: result.description }),
      messages: result.messages.map((message) => toPromptMessage(message, this.#parts.key)),
    };
  }

  async complete(completion: CompletionRequest, options: CallOptions): Promise<readonly string[]> {
    if (!this.#client.getServerCapabilities()?.completions) return [];
    const { ref, argument, context } = completion;
    const result = await this.#request("completion/complete", options, (request) =>
      this.#client.complete(
        {
          ref:
            ref.type === "prompt"
              ? { type: "ref/prompt", name: ref.name }
              : { type: "ref/resource", uri: ref.uri },
          argument,
          ...(context && { context: { arguments: context } }),
        },
        request,
      ),
    );
    return result.completion.values;
  }

  async close(): Promise<void> {
    this.#watch?.stop();
    await this.#client.close();
  }

  /** For error messages: what the process said last. */
  stderrTail(): string {
    const lines = this.peer.stderrLines(STDERR_LINES);
    return lines.length === 0
      ? "."
      : `. Its last lines on stderr:\n${lines.map((line) => `  ${line}`).join("\n")}`;
  }

  #pages<T>(
    method: string,
    options: CallOptions,
    fetchPage: (cursor: string | undefined, request: RequestOptions) => Promise<Page<T>>,
  ): Promise<readonly T[]> {
    return allPages(`${method} of ${this.#parts.key}`, (cursor) =>
      this.#request(method, options, (request) => fetchPage(cursor, request)),
    );
  }

  async #request<T>(
    method: string,
    options: CallOptions,
    send: (request: RequestOptions) => Promise<T>,
    notes: string[] = [],
  ): Promise<T> {
    const { limits, requests, peer } = this.#parts;
    const clock = new CallClock(limits, options.signal);
    const pace = new ProgressPace((progress) => options.onProgress?.(progress));
    const scope: CallScope = { clock, handler: options.requests, notes };
    const unwatch = peer.pid === undefined ? () => {} : watchStopped(peer.pid, () => clock.expire("stopped"));
    requests.enter(scope);
    try {
      return await send({
        signal: clock.signal,
        // Our clock can be paused while a person is asked; the SDK's cannot.
        timeout: LONGEST_DELAY_MS,
        onprogress: (progress) => {
          clock.touch();
          pace.push(progress as Parameters<ProgressPace["push"]>[0]);
        },
      });
    } catch (error) {
      throw await this.#explain(method, error, clock, options.signal, notes);
    } finally {
      requests.leave(scope);
      unwatch();
      pace.end();
      clock.stop();
    }
  }

  async #explain(
    method: string,
    error: unknown,
    clock: CallClock,
    signal: AbortSignal,
    notes: readonly string[],
  ) {
    const { expired } = clock;
    const failure = explainFailure(error, {
      key: this.#parts.key,
      method,
      limits: this.#parts.limits,
      expired,
      cancelled: signal.aborted && expired === undefined,
      remote: this.peer.remote,
      ended: this.peer.ended(),
      condition: expired === undefined ? "" : await this.#condition(),
      stderrTail: this.stderrTail(),
    });
    if (notes.length > 0) failure.message = `${failure.message}\n${notes.join("\n")}`;
    return failure;
  }

  /** Stopped, busy or deaf? Asked only when a call has run out of time. */
  async #condition(): Promise<string> {
    const { pid } = this.peer;
    if (this.peer.state() === "stopped")
      return `Its process ${pid} is stopped (SIGSTOP); "kill -CONT ${pid}" lets it go on. `;
    const alive = await this.#answersPing();
    return alive
      ? "It answers other requests, so it is busy with this one. "
      : "It does not answer a ping either. ";
  }

  async #answersPing(): Promise<boolean> {
    const options = { timeout: PING_MS };
    const ping = this.era === "legacy" ? this.#client.ping(options) : this.#client.discover(options);
    return await ping.then(
      () => true,
      () => false,
    );
  }
}

/** The first page is asked for without a cursor; an empty string is one. */
function listRequest<M extends string>(
  method: M,
  cursor: string | undefined,
): { method: M; params?: JsonObject } {
  return { method, ...(cursor !== undefined && { params: { cursor } }) };
}

function withNotes(result: CallResult, notes: readonly string[]): CallResult {
  if (notes.length === 0) return result;
  return { ...result, content: [...result.content, { type: "text", text: `[${notes.join("\n")}]` }] };
}
