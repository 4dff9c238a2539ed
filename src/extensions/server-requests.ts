/**
 * Answers what a server asks of us: the person's words, the model's, our roots. Legacy servers send such requests,
 * modern ones answer a call with them; the SDK brings both here. What is asked belongs to the newest running call;
 * what nobody can answer is declined, and the call's result tells the model why.
 */
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Client,
  type ClientCapabilities,
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitRequest,
  type ElicitResult,
  ProtocolError,
} from "@modelcontextprotocol/client";
import type { Elicitation, JsonObject, ServerRequestHandler } from "../conversation/index.ts";
import { checkAgainstSchema } from "../lib/schema-check.ts";
import type { CallClock } from "./call-clock.ts";
import { checkAddress, refuseForm } from "./elicitation-check.ts";
import { readSamplingRequest, toSamplingResult } from "./sampling.ts";

/** One running call, as far as its server's questions are concerned. */
export interface CallScope {
  readonly clock: CallClock;
  readonly handler: ServerRequestHandler | undefined;
  /** For the model: what the server asked for and did not get. */
  readonly notes: string[];
}

export const CLIENT_CAPABILITIES: ClientCapabilities = {
  elicitation: { form: { applyDefaults: true }, url: {} },
  sampling: {},
  roots: {},
};

const MAX_ASKS_PER_CALL = 20;
const MAX_SAMPLING_DEPTH = 3;
const MAX_MESSAGE_LENGTH = 4000;
/** The protocol's code for a person who said no to sampling. */
const SAMPLING_REJECTED = -1;

export class ServerRequests {
  readonly #extension: string;
  readonly #roots: readonly string[];
  readonly #scopes = new Map<CallScope, number>();
  #samplingDepth = 0;

  /** `roots` are the folders the extension is meant to work in. */
  constructor(extension: string, roots: readonly string[]) {
    this.#extension = extension;
    this.#roots = roots;
  }

  install(client: Client): void {
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      this.#elicit(params, mcpReq.signal),
    );
    client.setRequestHandler("sampling/createMessage", ({ params }, { mcpReq }) =>
      this.#sample(params, mcpReq.signal),
    );
    client.setRequestHandler("roots/list", () => ({
      roots: this.#roots.map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) })),
    }));
  }

  enter(scope: CallScope): void {
    this.#scopes.set(scope, 0);
  }

  leave(scope: CallScope): void {
    this.#scopes.delete(scope);
  }

  async #elicit(params: ElicitRequest["params"], signal: AbortSignal): Promise<ElicitResult> {
    const scope = this.#currentScope();
    const message = params.message.slice(0, MAX_MESSAGE_LENGTH);
    const decline = (reason: string): ElicitResult => {
      scope?.notes.push(
        `${this.#extension} asked the person: "${cut(message)}". It was declined: ${reason}.`,
      );
      return { action: "decline" };
    };
    if (!scope?.handler) return decline("nobody can be asked in this run");
    if (this.#countAsk(scope)) return decline(`one call may ask at most ${MAX_ASKS_PER_CALL} times`);
    const read = this.#readElicitation(params, message);
    if (typeof read === "string") return decline(read);
    const resume = scope.clock.pause();
    const answer = await scope.handler.elicit(read, { signal }).finally(resume);
    if (answer.type === "cancel") return { action: "cancel" };
    if (answer.type === "decline") return decline(answer.reason ?? "the person said no");
    if (read.type === "url") return { action: "accept" };
    const content = answer.content ?? {};
    const problems = checkAgainstSchema(read.schema, content);
    if (problems.length > 0) return decline(`the answer did not fit (${problems[0]?.message})`);
    return { action: "accept", content: content as NonNullable<ElicitResult["content"]> };
  }

  /** A string is the reason why it is not even shown. */
  #readElicitation(params: ElicitRequest["params"], message: string): Elicitation | string {
    const extension = this.#extension;
    if (params.mode === "url") {
      const check = checkAddress(params.url);
      if (check.type === "refused") return check.reason;
      return { type: "url", extension, message, url: check.url, host: check.host };
    }
    const schema = params.requestedSchema as unknown as JsonObject;
    return refuseForm(schema) ?? { type: "form", extension, message, schema };
  }

  async #sample(params: CreateMessageRequest["params"], signal: AbortSignal): Promise<CreateMessageResult> {
    const scope = this.#currentScope();
    const decline = (reason: string) => {
      scope?.notes.push(`${this.#extension} asked for an answer of the model. It was declined: ${reason}.`);
      return new ProtocolError(SAMPLING_REJECTED, `The request to the model was declined: ${reason}.`);
    };
    if (!scope?.handler) throw decline("nobody can be asked in this run");
    if (this.#samplingDepth >= MAX_SAMPLING_DEPTH)
      throw decline(`at most ${MAX_SAMPLING_DEPTH} such requests may be open at once`);
    if (this.#countAsk(scope)) throw decline(`one call may ask at most ${MAX_ASKS_PER_CALL} times`);
    const check = readSamplingRequest(params, this.#extension);
    if (check.type === "refused") throw decline(check.reason);
    const resume = scope.clock.pause();
    this.#samplingDepth += 1;
    const answer = await scope.handler.sample(check.request, { signal }).finally(() => {
      this.#samplingDepth -= 1;
      resume();
    });
    if (answer.type === "decline") throw decline(answer.reason);
    return toSamplingResult(answer);
  }

  /** True when this call has asked too often. */
  #countAsk(scope: CallScope): boolean {
    const asks = (this.#scopes.get(scope) ?? 0) + 1;
    this.#scopes.set(scope, asks);
    return asks > MAX_ASKS_PER_CALL;
  }

  /** The wire does not say which call a question belongs to; with one call running there is only one. */
  #currentScope(): CallScope | undefined {
    const scopes = [...this.#scopes.keys()];
    return scopes.findLast(({ handler }) => handler !== undefined) ?? scopes.at(-1);
  }
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
