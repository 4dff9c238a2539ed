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
   * The server refused us. When only a person can help, asks and gives the parameters with which the browser came
   * back; nothing when there is nothing to ask. Throws with the reason when the answer is no, or not to be trusted.
   */
  authorize?(options: { readonly signal: AbortSignal }): Promise<URLSearchParams | undefined>;
  /** Gives up what is under way: the connection is closed, or the answer was no use. */
  close?(): Promise<void>;
}
