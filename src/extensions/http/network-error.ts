/**
 * The ways in which a request fails without an answer: before the server can have seen it, after, or because the
 * server has forgotten us. All are TypeErrors, as those of `fetch` are: the SDK takes any other error for an answer, and a description of the server
 * that could not be fetched for one that does not exist.
 */

/** Raised before the server can have seen the request. */
export class NotConnectedError extends TypeError {
  override readonly name = "NotConnectedError";
  readonly code: string;
  constructor(code: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The connection broke after the request was (or may have been) on its way. */
export class ConnectionCutError extends TypeError {
  override readonly name = "ConnectionCutError";
}

/** The server does not know our session any more, so it has not looked at the request either. */
export class SessionLostError extends TypeError {
  override readonly name = "SessionLostError";
}
