/**
 * What a server may ask for in the middle of a call: something of the person (a form, an address to open), or an
 * answer of the model. It is asked as an event and answered by a reply, like an approval.
 */
import type { JsonObject } from "./json.ts";
import type { Message } from "./message.ts";

export type Elicitation =
  | {
      readonly type: "form";
      readonly extension: string;
      readonly message: string;
      /** A flat JSON Schema: an object of strings, numbers, booleans and choices. */
      readonly schema: JsonObject;
    }
  | {
      readonly type: "url";
      readonly extension: string;
      readonly message: string;
      /** Checked: https, or http on this machine. Nobody has fetched it. */
      readonly url: string;
      /** What the person must see before it is opened. */
      readonly host: string;
    };

export type ElicitationAnswer =
  /** For a form the values; for an address: it was opened. */
  | { readonly type: "accept"; readonly content?: JsonObject }
  /** The reason is for the model, not for the server. */
  | { readonly type: "decline"; readonly reason?: string }
  | { readonly type: "cancel" };

export interface SamplingRequest {
  readonly extension: string;
  readonly messages: readonly Message[];
  readonly system?: string;
  readonly maxTokens: number;
}

export type SamplingAnswer =
  | {
      readonly type: "answered";
      readonly text: string;
      readonly model: string;
      readonly stopReason: "endTurn" | "maxTokens";
    }
  | { readonly type: "decline"; readonly reason: string };

/** Whoever runs a call answers what its server asks meanwhile. Must not throw. */
export interface ServerRequestHandler {
  elicit(elicitation: Elicitation, options: { readonly signal: AbortSignal }): Promise<ElicitationAnswer>;
  sample(request: SamplingRequest, options: { readonly signal: AbortSignal }): Promise<SamplingAnswer>;
}
