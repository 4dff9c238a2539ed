/**
 * Where the person may be sent to authorize something: https (or http on this machine), at the authorization server
 * itself. The address comes from metadata that the remote server chose, so nothing about it is taken on trust.
 */
import { checkAddress } from "../elicitation-check.ts";
import { AuthorizationError } from "./authorization-error.ts";

export interface AuthorizationAddress {
  readonly url: string;
  /** For the person: whose page it is. */
  readonly host: string;
}

/** Throws with the reason why the person is not sent there. */
export function checkAuthorizationUrl(
  url: URL,
  authorizationServer: string | undefined,
): AuthorizationAddress {
  const check = checkAddress(url.href);
  if (check.type === "refused")
    throw new AuthorizationError(`the authorization address was refused: ${check.reason}`);
  const origin =
    authorizationServer !== undefined && URL.canParse(authorizationServer)
      ? new URL(authorizationServer).origin
      : undefined;
  if (origin === undefined) throw new AuthorizationError("the authorization server is not known");
  if (url.origin !== origin)
    throw new AuthorizationError(
      `the authorization server ${origin} wants the person to sign in elsewhere, at ${url.origin}`,
    );
  if (!url.searchParams.has("code_challenge") || url.searchParams.get("code_challenge_method") !== "S256")
    throw new AuthorizationError("the authorization request carries no PKCE challenge");
  return { url: check.url, host: check.host };
}
