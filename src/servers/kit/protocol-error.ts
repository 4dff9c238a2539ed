/**
 * What a failure becomes on the wire. A missing resource has one code in the modern revision (-32602) and
 * another in the legacy ones (-32002), which the SDK no longer sends: such answers are marked here and put right
 * when an instance of the legacy era sends them (server.ts).
 */
import { type JSONRPCMessage, ProtocolError } from "@modelcontextprotocol/server";
import { ResourceError, type ResourceErrorCode } from "./resource.ts";

export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
const LEGACY_RESOURCE_NOT_FOUND = -32002;

const RESOURCE_ERROR_CODES: Record<ResourceErrorCode, number> = {
  "not-found": INVALID_PARAMS,
  refused: INVALID_PARAMS,
  invalid: INVALID_PARAMS,
  failed: INTERNAL_ERROR,
};

/** The data of errors that say "not found", by identity: the SDK hands them through to the transport. */
const notFound = new WeakSet<object>();

export function asProtocolError(error: unknown, uri?: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof ResourceError)) {
    return new ProtocolError(INTERNAL_ERROR, error instanceof Error ? error.message : String(error));
  }
  const data = { ...(uri !== undefined && { uri }), reason: error.code };
  if (error.code === "not-found") notFound.add(data);
  return new ProtocolError(RESOURCE_ERROR_CODES[error.code], error.message, data);
}

/** The message as a legacy client expects it. */
export function inLegacyCodes(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { data } = message.error;
  if (typeof data !== "object" || data === null || !notFound.has(data)) return message;
  return { ...message, error: { ...message.error, code: LEGACY_RESOURCE_NOT_FOUND } };
}
