/**
 * How a tool or a prompt asks its client for something in the middle of a call: a form for the person, an
 * address to open, an answer of the client's model, the roots. It stops with `needInput` and is run again from
 * its start with the answers: in the modern era on the client's retry, in the legacy ones after requests to the
 * client. So ask first and act afterwards, and keep in `state` what must survive until the next round.
 */
import {
  acceptedContent,
  type CreateMessageRequestParams,
  type ElicitInputParams,
  type InputRequest,
  type InputRequiredResult,
  type InputResponseView,
  inputRequired,
  inputResponse,
  ProtocolError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import { INVALID_PARAMS } from "./protocol-error.ts";
import { openState, type StateBinding, sealState } from "./request-state.ts";

export interface InputNeed {
  /** What is asked, by keys of one's own under which the answers come back. */
  readonly requests?: Readonly<Record<string, InputRequest>>;
  /** Comes back in the next round as `input.state`; sealed on the way, JSON. */
  readonly state?: unknown;
}

/** What came back from the rounds before. Empty in the first one. All of it is the client's word: check it. */
export interface InputAnswers {
  /** The content of an accepted form that fits the schema; otherwise undefined, and asking again is in order. */
  accepted<Schema extends z.ZodType>(key: string, schema: Schema): z.output<Schema> | undefined;
  /** One answer of whatever kind, declined ones too. */
  answer(key: string): InputResponseView;
  readonly state: unknown;
}

/** Ends this round of the call. Never returns; `return needInput(…)` reads well. */
export function needInput(need: InputNeed): never {
  throw new InputNeeded(need);
}

/** The kinds of things that can be asked for. */
export const ask = {
  form: (params: ElicitInputParams): InputRequest => inputRequired.elicit(params),
  url: (params: { readonly message: string; readonly url: string }): InputRequest =>
    inputRequired.elicitUrl(params),
  model: (params: CreateMessageRequestParams): InputRequest => inputRequired.createMessage(params),
  roots: (): InputRequest => inputRequired.listRoots(),
};

/** Not a failure: the way out of a run that cannot go on yet. A tool must not swallow it. */
export class InputNeeded extends Error {
  override readonly name = "InputNeeded";
  readonly need: InputNeed;
  constructor(need: InputNeed) {
    super("Input is needed before this can go on");
    this.need = need;
  }
}

export const NO_INPUT: InputAnswers = {
  accepted: () => undefined,
  answer: () => ({ kind: "missing" }),
  state: undefined,
};

/** Throws when the state is not one we gave for this very request. */
export function readInput(context: ServerContext, binding: StateBinding): InputAnswers {
  const { inputResponses, requestState } = context.mcpReq;
  const sealed = requestState();
  if (inputResponses === undefined && sealed === undefined) return NO_INPUT;
  return {
    accepted: (key, schema) =>
      acceptedContent(inputResponses, key, schema) as z.output<typeof schema> | undefined,
    answer: (key) => inputResponse(inputResponses, key),
    state: sealed === undefined ? undefined : open(sealed, binding),
  };
}

export function asInputRequired({ need }: InputNeeded, binding: StateBinding): InputRequiredResult {
  return inputRequired({
    ...(need.requests !== undefined && { inputRequests: { ...need.requests } }),
    ...(need.state !== undefined && { requestState: sealState(need.state, binding) }),
  });
}

export function bindingOf(context: ServerContext, name: string, args: unknown): StateBinding {
  const caller = context.http?.req?.headers.get("authorization") ?? "";
  return { method: context.mcpReq.method, name, args: args ?? {}, caller };
}

function open(sealed: unknown, binding: StateBinding): unknown {
  try {
    return openState(String(sealed), binding);
  } catch (error) {
    throw new ProtocolError(INVALID_PARAMS, (error as Error).message, { reason: "invalid_request_state" });
  }
}
