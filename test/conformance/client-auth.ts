/**
 * Who the tested client is to authorization servers. People are authorized with Kari's own OAuth and a browser that
 * agrees at once; the extensions for programs without a person bring a provider of the SDK instead, as a program
 * built on Kari would.
 */
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
} from "@modelcontextprotocol/client";
import type { RemoteAuth, RemoteConfig } from "../../src/extensions/index.ts";
import { createRemoteAuth, type SecretStore } from "../../src/extensions/oauth/index.ts";
import type { ConformanceContext } from "./client-context.ts";

/** The suite knows this address by heart; nobody reads it. */
const CLIENT_METADATA_URL = "https://conformance-test.local/client-metadata.json";

export function oauthConfig({ client_id, client_secret }: ConformanceContext): Pick<RemoteConfig, "oauth"> {
  return {
    oauth: {
      clientMetadataUrl: CLIENT_METADATA_URL,
      ...(client_id !== undefined && { clientId: client_id }),
      ...(client_secret !== undefined && { clientSecret: client_secret }),
    },
  };
}

export function clientAuth(config: RemoteConfig, context: ConformanceContext): RemoteAuth {
  const { scenario, client_id: clientId = "", client_secret: clientSecret = "" } = context;
  switch (scenario) {
    case "auth/client-credentials-basic":
      return { provider: new ClientCredentialsProvider({ clientId, clientSecret }) };
    case "auth/client-credentials-jwt":
      return {
        provider: new PrivateKeyJwtProvider({
          clientId,
          privateKey: context.private_key_pem ?? "",
          algorithm: context.signing_algorithm ?? "ES256",
        }),
      };
    case "auth/enterprise-managed-authorization":
      return { provider: enterpriseProvider(context, { clientId, clientSecret }) };
    default:
      return createRemoteAuth(config, {
        store: storeInMemory(),
        clientName: "kari-conformance",
        openBrowser: ({ url }) => agreeAt(url),
      });
  }
}

/** The company's identity provider vouches for the person; nobody is asked. */
function enterpriseProvider(
  context: ConformanceContext,
  client: { readonly clientId: string; readonly clientSecret: string },
): CrossAppAccessProvider {
  const { idp_token_endpoint = "", idp_id_token = "", idp_client_id = "" } = context;
  return new CrossAppAccessProvider({
    ...client,
    assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
      const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
        tokenEndpoint: idp_token_endpoint,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: idp_id_token,
        clientId: idp_client_id,
        ...(scope !== undefined && { scope }),
        fetchFn,
      });
      return jwtAuthGrant;
    },
  });
}

function storeInMemory(): SecretStore {
  const kept = new Map<string, string>();
  return {
    get: async (name) => kept.get(name),
    set: async (name, value) => void kept.set(name, value),
    delete: async (name) => void kept.delete(name),
  };
}

/** What a browser does when its person agrees: it goes where it is sent, and back to us. */
async function agreeAt(url: string): Promise<void> {
  const page = await fetch(url);
  if (!page.ok) throw new Error(`${url} answered with HTTP status ${page.status}`);
}
