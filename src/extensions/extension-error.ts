/**
 * The one error class of this room.
 * - `start-failed`: it could not be started or did not finish its handshake.
 * - `timeout`: a call was silent for longer than the extension's timeout; it was cancelled at the server.
 * - `crashed`: the process or connection ended while a call was running.
 * - `cancelled`: our own AbortSignal ended the call.
 * - `refused`: the server answered with a protocol error; `message` has its words.
 * - `not-found`: the extension does not have what was asked for.
 * - `config`: the configuration cannot work (reserved or double key).
 */
export type ExtensionErrorCode =
  | "start-failed"
  | "timeout"
  | "crashed"
  | "cancelled"
  | "refused"
  | "not-found"
  | "config";

export class ExtensionError extends Error {
  override readonly name = "ExtensionError";
  readonly code: ExtensionErrorCode;
  constructor(code: ExtensionErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
