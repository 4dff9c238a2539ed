/** The two ways in which the network fails a request: before the server can have seen it, and after. */

/** Raised before the server can have seen the request. */
export class NotConnectedError extends Error {
  override readonly name = "NotConnectedError";
  readonly code: string;
  constructor(code: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The connection broke after the request was (or may have been) on its way. */
export class ConnectionCutError extends Error {
  override readonly name = "ConnectionCutError";
}
