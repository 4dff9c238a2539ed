/**
 * What a remote connection needs of whoever holds its credentials. oauth/ makes one for people at a browser; a
 * program of one's own may bring any other, such as a fixed token.
 */
import type { AuthProvider, FetchLike, OAuthClientProvider } from "@modelcontextprotocol/client";

export interface RemoteAuth {
  readonly provider: AuthProvider | OAuthClientProvider;
  /** Goes around every request to the server and to its authorization server. */
  wrapFetch?(fetch: FetchLike): FetchLike;
  /**
   * The server wants an authorization that only a person can give: asks for it and gives the parameters with which
   * the browser came back. Throws with the reason when nobody can be asked or the answer is not to be trusted.
   */
  authorize?(options: { readonly signal: AbortSignal }): Promise<URLSearchParams>;
  /** Ends what waits for a browser. */
  close?(): Promise<void>;
}
