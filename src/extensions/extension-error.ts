/**
 * The one error class of this room.
 * - `start-failed`: it could not be started or did not finish its handshake.
 * - `timeout`: a call was silent for longer than the extension's timeout, or ran longer than any call may; it was
 *   cancelled at the server.
 * - `crashed`: the process ended while a call was running.
 * - `unreachable`: a remote server could not be reached, or its connection broke off.
 * - `auth`: a remote server wants an authorization that is not there.
 * - `cancelled`: our own AbortSignal ended the call.
 * - `refused`: the server answered with a protocol error; `message` has its words.
 * - `not-found`: the extension does not have what was asked for.
 * - `config`: the configuration cannot work (reserved or double key, a variable that is not set).
 */
export type ExtensionErrorCode =
  | "start-failed"
  | "timeout"
  | "crashed"
  | "unreachable"
  | "auth"
  | "cancelled"
  | "refused"
  | "not-found"
  | "config";

export class ExtensionError extends Error {
  override readonly name = "ExtensionError";
  readonly code: ExtensionErrorCode;
  /** Whether the server may have begun to do what was asked. False only when it certainly has not. */
  readonly mayHaveRun: boolean;
  constructor(
    code: ExtensionErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly mayHaveRun?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.mayHaveRun = options.mayHaveRun ?? true;
  }
}
