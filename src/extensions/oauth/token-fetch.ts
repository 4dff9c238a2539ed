/**
 * The `fetch` under an authorization. A token that the server does not take any more is renewed here, once, however
 * many requests find out at the same time, and they are sent again with the new one. Only when that is not possible
 * does the SDK see the refusal and begin an authorization.
 */
import { extractWWWAuthenticateParams, type FetchLike } from "@modelcontextprotocol/client";

export interface TokenFetchOptions {
  readonly server: URL;
  /** Renews the token that was refused. Gives the one to use instead, or nothing when a person must be asked. */
  renew(refused: string, resourceMetadataUrl: URL | undefined): Promise<string | undefined>;
  /**
   * An authorization is about to begin: whatever that needs must be ready when this resolves. Gives the token to use
   * when somebody else got one meanwhile; throws when somebody else's is waiting for the person.
   */
  prepare(refused: string | undefined): Promise<string | undefined>;
}

export function createTokenFetch(fetch: FetchLike, options: TokenFetchOptions): FetchLike {
  return async (input, init = {}) => {
    const response = await fetch(input, init);
    const refused = response.status === 401 || response.status === 403;
    if (!refused || new URL(input).origin !== options.server.origin) return response;
    const headers = new Headers(init.headers);
    const sent = headers.get("authorization")?.replace(/^Bearer /, "");
    const token = (await renewed(response, sent)) ?? (await options.prepare(sent));
    if (token === undefined) return response;
    await response.body?.cancel();
    headers.set("authorization", `Bearer ${token}`);
    return await fetch(input, { ...init, headers });
  };

  /** Too few rights (403) are not mended by a new token of the same kind. */
  async function renewed(response: Response, sent: string | undefined): Promise<string | undefined> {
    if (response.status !== 401 || sent === undefined) return undefined;
    return await options.renew(sent, extractWWWAuthenticateParams(response).resourceMetadataUrl);
  }
}
