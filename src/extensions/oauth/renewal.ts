/**
 * Renews a token at the authorization server that made it. Says plainly what came of it, because each answer has its
 * own consequence: a refresh token that is spent or revoked, a client that is not known any more, or a server that
 * is down, which is no reason to ask the person again.
 */
import {
  discoverOAuthServerInfo,
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";

export type Renewal =
  | { readonly type: "renewed"; readonly tokens: StoredOAuthTokens }
  /** `invalid_grant`: the refresh token is of no use any more. */
  | { readonly type: "revoked" }
  /** `invalid_client`: neither is who we were to that server. */
  | { readonly type: "unknown-client" }
  /** There is nothing to renew it with, or not at this authorization server. */
  | { readonly type: "impossible" }
  | { readonly type: "outage"; readonly reason: string };

export interface RenewalRequest {
  readonly server: URL;
  readonly resourceMetadataUrl: URL | undefined;
  readonly tokens: StoredOAuthTokens;
  clientFor(issuer: string): Promise<StoredOAuthClientInformation | undefined>;
  readonly fetch: FetchLike;
}

export async function renewTokens(request: RenewalRequest): Promise<Renewal> {
  const { tokens, fetch } = request;
  if (tokens.refresh_token === undefined) return { type: "impossible" };
  try {
    const found = await discoverOAuthServerInfo(request.server, {
      ...(request.resourceMetadataUrl && { resourceMetadataUrl: request.resourceMetadataUrl }),
      fetchFn: fetch,
    });
    const metadata = found.authorizationServerMetadata;
    const issuer = metadata?.issuer ?? String(found.authorizationServerUrl);
    const client = await request.clientFor(issuer);
    // A refresh token is never shown to any but the one who gave it.
    if (tokens.issuer !== issuer || !client) return { type: "impossible" };
    const resource = found.resourceMetadata?.resource;
    const renewed = await refreshAuthorization(found.authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      ...(resource !== undefined && { resource: new URL(resource) }),
      fetchFn: fetch,
    });
    return { type: "renewed", tokens: { ...renewed, issuer } };
  } catch (error) {
    return readRefusal(error);
  }
}

function readRefusal(error: unknown): Renewal {
  if (error instanceof OAuthError) {
    if (error.code === OAuthErrorCode.InvalidGrant) return { type: "revoked" };
    if (error.code === OAuthErrorCode.InvalidClient || error.code === OAuthErrorCode.UnauthorizedClient)
      return { type: "unknown-client" };
    if (error.code !== OAuthErrorCode.ServerError && error.code !== OAuthErrorCode.TemporarilyUnavailable)
      return { type: "revoked" };
  }
  return { type: "outage", reason: error instanceof Error ? error.message.slice(0, 300) : String(error) };
}
