/** Why a request to an extension failed, in words: what failed, what is known of the other end, what to do. */
import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { CallLimits, Expiry } from "./call-clock.ts";
import { ExtensionError } from "./extension-error.ts";
import { readRemoteFailure } from "./http/remote-failure.ts";

/** What is known of the other end when a call failed. */
export interface FailureFacts {
  readonly key: string;
  readonly method: string;
  readonly limits: CallLimits;
  readonly expired: Expiry | undefined;
  readonly cancelled: boolean;
  readonly remote: boolean;
  /** How its process ended, if it did. */
  readonly ended: string | undefined;
  /** Whether it is stopped, busy or deaf; known only where time ran out. */
  readonly condition: string;
  readonly stderrTail: string;
}

export function explainFailure(error: unknown, facts: FailureFacts): ExtensionError {
  if (error instanceof ExtensionError) return error;
  const { key, method } = facts;
  if (facts.expired)
    return new ExtensionError("timeout", timeoutWords(facts, facts.expired), { cause: error });
  if (facts.cancelled)
    return new ExtensionError("cancelled", `${method} of ${key} was cancelled`, { cause: error });
  if (isConnectionLoss(error)) return connectionLoss(error, facts);
  const remote = facts.remote ? readRemoteFailure(error) : undefined;
  if (remote?.kind === "unreachable") {
    const { mayHaveRun } = remote;
    const effect = mayHaveRun ? " It may or may not have taken effect." : "";
    return new ExtensionError(
      "unreachable",
      `${key} could not be reached for ${method}: ${remote.words}.${effect}`,
      {
        cause: error,
        mayHaveRun,
      },
    );
  }
  if (remote?.kind === "auth") {
    return new ExtensionError("auth", `${key} wants an authorization for ${method}: ${remote.words}`, {
      cause: error,
      mayHaveRun: false,
    });
  }
  const text = remote?.words ?? (error instanceof Error ? error.message : String(error));
  const code = error instanceof ProtocolError ? ` (${error.code})` : "";
  return new ExtensionError("refused", `${key} answered ${method} with an error${code}: ${text}`, {
    cause: error,
  });
}

function timeoutWords({ key, method, limits, condition }: FailureFacts, expired: Expiry): string {
  switch (expired) {
    case "idle":
      return (
        `${method} of ${key} gave no sign of life for ${limits.idleMs / 1000} s and was cancelled. ${condition}` +
        `A longer "timeout" in the extension's configuration gives it more time.`
      );
    case "total":
      return `${method} of ${key} took longer than ${limits.totalMs / 1000} s in all and was cancelled. ${condition}`.trim();
    case "stopped":
      return `${method} of ${key} was given up. ${condition}`.trim();
    default:
      return expired satisfies never;
  }
}

function connectionLoss(error: unknown, facts: FailureFacts): ExtensionError {
  const { key, method, remote, ended, stderrTail } = facts;
  if (remote) {
    return new ExtensionError(
      "unreachable",
      `${key} closed the connection during ${method}. It may or may not have taken effect.`,
      { cause: error },
    );
  }
  return new ExtensionError(
    "crashed",
    `${key} ${ended ?? "closed the connection"} during ${method}${stderrTail}`,
    {
      cause: error,
    },
  );
}

function isConnectionLoss(error: unknown): boolean {
  if (error instanceof SdkError)
    return error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected;
  return error instanceof Error && /^(the process is not running|Not connected)$/.test(error.message);
}
