/**
 * What every transport checks of the messages it gets: that none is too long or nested too deep to be handled, and
 * whose answer it was. One bad message costs the call it belongs to, never the connection.
 */
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/client";
import { mendBytes } from "./mend-bytes.ts";

export type MessageId = string | number;

/** The first and last characters of a message that was too long to keep. */
export interface MessageEnds {
  readonly head: string;
  readonly tail: string;
}

/** A result of 64 MiB and what is around it. */
export const MAX_MESSAGE_BYTES = 66 * 1024 * 1024;
export const MAX_DEPTH = 512;
/** Outside the range the protocol uses: an answer that we make up in the server's place. */
const OWN_ERROR_CODE = -31_099;
/** Written out: the SDK is not loaded for it. */
const PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** The requests that wait for an answer on one connection, and whether each was made in the modern era. */
export class PendingRequests {
  readonly #ids = new Map<MessageId, boolean>();

  noteSent(message: JSONRPCMessage): MessageId | undefined {
    if (!("method" in message) || !("id" in message)) return undefined;
    this.#ids.set(message.id, isModern(message));
    return message.id;
  }

  /** Gives the message as it is to be understood. */
  noteReceived(message: JSONRPCMessage): JSONRPCMessage {
    if (!("id" in message) || "method" in message || message.id === undefined) return message;
    const modern = this.#ids.get(message.id);
    this.#ids.delete(message.id);
    if (!("result" in message)) return message;
    const mended = mendBytes(modern ? withResultType(message) : message);
    return typeof mended === "string" ? failedAnswer(message.id, mended) : mended;
  }

  /** True once for each id that was waiting. */
  settle(id: MessageId): boolean {
    return this.#ids.delete(id);
  }

  /** Whose answer a message was that nobody could read; undefined when nobody can tell. */
  ownerOf({ head, tail }: MessageEnds): MessageId | undefined {
    const ids = [...this.#ids.keys()];
    const named = ids.find((id) => mentionsId(head, id) || mentionsId(tail, id));
    return named ?? (ids.length === 1 ? ids[0] : undefined);
  }
}

/** Whether a server is modern at all is found out by what it says to `server/discover`, as it says it. */
function isModern({ method, params }: JSONRPCRequest): boolean {
  return method !== "server/discover" && params?._meta?.[PROTOCOL_VERSION_KEY] !== undefined;
}

/** A result that does not say what it is, is complete. The SDK would refuse it. */
function withResultType<T extends { readonly result: object }>(message: T): T {
  if ("resultType" in message.result) return message;
  return { ...message, result: { ...message.result, resultType: "complete" } };
}

export function failedAnswer(id: MessageId, reason: string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: OWN_ERROR_CODE, message: reason } };
}

/** Says that the stream of an answer ended without the answer. */
export const CUT_OFF = "the connection broke off before the answer came";

export function isCutOff(error: { readonly code: number; readonly message: string }): boolean {
  return error.code === OWN_ERROR_CODE && error.message.includes(CUT_OFF);
}

export function tooLong(bytes: number, limit: number): string {
  return `a message of ${bytes} bytes is over the limit of ${limit} bytes and was dropped`;
}

/** Why the message cannot be handled; undefined when it can. */
export function tooDeep(message: JSONRPCMessage): string | undefined {
  return depthExceeds(message, MAX_DEPTH)
    ? `its answer is nested deeper than ${MAX_DEPTH} levels`
    : undefined;
}

/** Without recursion: the nesting is the sender's, the stack is ours. */
export function depthExceeds(root: unknown, limit: number): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const child of Array.isArray(value) ? value : Object.values(value)) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}

function mentionsId(text: string, id: MessageId): boolean {
  const value = typeof id === "number" ? String(id) : escapeForPattern(JSON.stringify(id));
  return new RegExp(`"id"\\s*:\\s*${value}\\s*[,}]`).test(text);
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
