/**
 * Reads the SDK's many errors of a remote connection into the few kinds that matter: nobody is there, somebody wants
 * an authorization, what answers is no MCP server, or it is one that failed. Only the first may be tried again.
 */
import {
  InsufficientScopeError,
  OAuthError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { CUT_OFF, isCutOff } from "../message-guard.ts";
import { ConnectionCutError, NotConnectedError, SessionLostError } from "./network-error.ts";

export type RemoteFailure =
  | { readonly kind: "unreachable"; readonly words: string; readonly mayHaveRun: boolean }
  | { readonly kind: "auth"; readonly words: string }
  /** It answered, and not as an MCP server of this kind does: another kind may fit. */
  | { readonly kind: "other-kind"; readonly words: string }
  | { readonly kind: "failed"; readonly words: string };

const GATEWAY_STATUSES = new Set([502, 503, 504]);
const MAX_BODY_SHOWN = 300;

export function readRemoteFailure(error: unknown, networkFailure?: Error): RemoteFailure | undefined {
  if (error instanceof NotConnectedError || error instanceof SessionLostError)
    return { kind: "unreachable", words: error.message, mayHaveRun: false };
  if (error instanceof ConnectionCutError)
    return { kind: "unreachable", words: error.message, mayHaveRun: true };
  if (error instanceof SseError) return readStreamFailure(error, networkFailure);
  if (isAuthFailure(error)) return { kind: "auth", words: error.message };
  if (error instanceof SdkHttpError) return readStatus(error);
  if (error instanceof ProtocolError && isCutOff(error))
    return { kind: "unreachable", words: CUT_OFF, mayHaveRun: true };
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    const { contentType } = (error.data ?? {}) as { contentType?: string };
    return {
      kind: "other-kind",
      words: `it answers with ${contentType ?? "no content type"}, not with messages`,
    };
  }
  if (error instanceof Error && error.name === "SyntaxError")
    return { kind: "other-kind", words: `its answer is not JSON (${error.message})` };
  if (error instanceof Error && error.cause !== undefined && error.cause !== error)
    return readRemoteFailure(error.cause, networkFailure);
  return undefined;
}

function readStatus(error: SdkHttpError): RemoteFailure {
  const { status } = error;
  const said = bodyWords(error.data["text"]);
  const words = `HTTP ${status}${error.statusText ? ` ${error.statusText}` : ""}${said ? `: ${said}` : ""}`;
  if (status === 401 || status === 403) return { kind: "auth", words };
  if (GATEWAY_STATUSES.has(status)) return { kind: "unreachable", words, mayHaveRun: true };
  if (status >= 400 && status < 500) return { kind: "other-kind", words };
  return { kind: "failed", words };
}

function readStreamFailure(error: SseError, networkFailure: Error | undefined): RemoteFailure {
  const { code } = error;
  if (code === 401 || code === 403) return { kind: "auth", words: `HTTP ${code}` };
  if (code !== undefined && GATEWAY_STATUSES.has(code))
    return { kind: "unreachable", words: `HTTP ${code}`, mayHaveRun: false };
  if (code !== undefined)
    return { kind: "other-kind", words: `HTTP ${code} to the request for an event stream` };
  if (networkFailure) return { kind: "unreachable", words: networkFailure.message, mayHaveRun: false };
  return { kind: "other-kind", words: error.message.replace(/^SSE error: /, "") };
}

function isAuthFailure(error: unknown): error is Error {
  return (
    error instanceof UnauthorizedError ||
    error instanceof InsufficientScopeError ||
    error instanceof OAuthError ||
    (error instanceof Error && error.name === "AuthorizationError") ||
    (error instanceof SdkError &&
      (error.code === SdkErrorCode.ClientHttpAuthentication ||
        error.code === SdkErrorCode.ClientHttpForbidden))
  );
}

/** What the server said, without its markup, and not much of it. */
function bodyWords(text: unknown): string {
  if (typeof text !== "string") return "";
  const message = messageOf(text);
  const words = (message ?? text)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return words.length > MAX_BODY_SHOWN ? `${words.slice(0, MAX_BODY_SHOWN)}…` : words;
}

function messageOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    return typeof error?.message === "string" ? error.message : undefined;
  } catch {
    return undefined;
  }
}
