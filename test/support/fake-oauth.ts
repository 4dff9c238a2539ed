/**
 * An authorization server and an MCP server behind it, on loopback, for tests of our side of OAuth. It does what the
 * protocols say (RFC 8414, 9728, 7591, PKCE, rotating refresh tokens) and misbehaves where a test asks for it.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { serveOnHttp } from "../../src/servers/kit/http.ts";
import { createDemoServer } from "./demo-server.ts";

export interface Misbehaviour {
  /** Replaces members of the authorization server's metadata. */
  metadata?: Record<string, unknown>;
  /** The `iss` that comes back with the code. */
  iss?: string | undefined;
  /** What the token endpoint says to a refresh instead of a token. */
  refresh?: { status: number; error?: string };
  /** What the token endpoint says to a code. */
  exchange?: { status: number; error: string };
  expiresIn?: number;
  /** Wants this scope for calls of tools. */
  callScope?: string;
  /** The authorization server does not know the client any more. */
  forgetClients?: boolean;
  /** Refuses to register anybody. */
  noRegistration?: boolean;
}

export interface FakeOAuth {
  readonly url: string;
  readonly issuer: string;
  readonly behaviour: Misbehaviour;
  /** What was asked of the token endpoint, the registration and the authorization page. */
  readonly log: { readonly path: string; readonly params: Record<string, string> }[];
  /** Every Authorization header that reached the authorization server. */
  readonly strayTokens: string[];
  /** Makes all access tokens invalid; refresh tokens stay. */
  revoke(): void;
  close(): Promise<void>;
}

interface Grant {
  readonly scope: string;
  readonly resource: string;
}

export async function startFakeOAuth(behaviour: Misbehaviour = {}): Promise<FakeOAuth> {
  const mcp = await serveOnHttp(createDemoServer().definition, { port: 0 });
  const access = new Map<string, Grant>();
  const refresh = new Map<string, Grant>();
  const codes = new Map<string, Grant & { challenge: string; redirect: string }>();
  const clients = new Set<string>(["pre-registered", "https://kari.example/client.json"]);
  const log: FakeOAuth["log"] = [];
  const strayTokens: string[] = [];

  const authorization = await listen(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const bearer = request.headers.authorization;
    if (bearer?.startsWith("Bearer")) strayTokens.push(bearer);
    if (url.pathname === "/.well-known/oauth-authorization-server") {
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        client_id_metadata_document_supported: true,
        ...behaviour.metadata,
      });
    }
    if (url.pathname === "/register") {
      const metadata = JSON.parse(await read(request)) as { redirect_uris: string[] };
      log.push({ path: "/register", params: { redirect: metadata.redirect_uris[0] ?? "" } });
      if (behaviour.noRegistration) return json(response, 403, { error: "access_denied" });
      const id = randomUUID();
      clients.add(id);
      return json(response, 201, { ...metadata, client_id: id });
    }
    if (url.pathname === "/authorize") return authorize(url, response);
    if (url.pathname === "/token") return token(new URLSearchParams(await read(request)), response);
    return json(response, 404, {});
  });
  const issuer = addressOf(authorization);

  const resource = await listen(async (request, response) => {
    if (request.url?.startsWith("/.well-known/oauth-protected-resource"))
      return json(response, 200, {
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ["read"],
      });
    const grant = access.get(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
    const body = await read(request);
    const challenge = `Bearer resource_metadata="${addressOf(resource)}/.well-known/oauth-protected-resource/mcp"`;
    if (!grant || grant.resource !== url) {
      response.writeHead(401, { "www-authenticate": challenge }).end();
      return undefined;
    }
    const wanted = behaviour.callScope;
    if (wanted !== undefined && body.includes('"tools/call"') && !grant.scope.split(" ").includes(wanted)) {
      const stepUp = `${challenge}, error="insufficient_scope", scope="${wanted}"`;
      response.writeHead(403, { "www-authenticate": stepUp }).end();
      return undefined;
    }
    return forward(request, body, response, mcp.port);
  });
  const url = `${addressOf(resource)}/mcp`;

  return {
    url,
    issuer,
    behaviour,
    log,
    strayTokens,
    revoke: () => access.clear(),
    close: async () => {
      for (const server of [authorization, resource]) {
        server.closeAllConnections();
        server.close();
      }
      await mcp.close();
    },
  };

  function authorize(asked: URL, response: ServerResponse): void {
    const params = Object.fromEntries(asked.searchParams);
    log.push({ path: "/authorize", params });
    const code = randomUUID();
    codes.set(code, {
      scope: params["scope"] ?? "",
      resource: params["resource"] ?? "",
      challenge: params["code_challenge"] ?? "",
      redirect: params["redirect_uri"] ?? "",
    });
    const back = new URL(params["redirect_uri"] ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", params["state"] ?? "");
    const iss = "iss" in behaviour ? behaviour.iss : issuer;
    if (iss !== undefined) back.searchParams.set("iss", iss);
    response.writeHead(302, { location: back.href }).end();
  }

  function token(params: URLSearchParams, response: ServerResponse): void {
    log.push({ path: "/token", params: Object.fromEntries(params) });
    if (behaviour.forgetClients && !clients.has("known-again")) {
      clients.add("known-again");
      clients.delete(params.get("client_id") ?? "");
    }
    if (!clients.has(params.get("client_id") ?? "")) return json(response, 401, { error: "invalid_client" });
    if (params.get("grant_type") === "refresh_token") {
      if (behaviour.refresh)
        return json(response, behaviour.refresh.status, { error: behaviour.refresh.error });
      const grant = refresh.get(params.get("refresh_token") ?? "");
      // Used twice is stolen: it was taken out when it was used.
      refresh.delete(params.get("refresh_token") ?? "");
      return grant ? issue(grant, response) : json(response, 400, { error: "invalid_grant" });
    }
    if (behaviour.exchange)
      return json(response, behaviour.exchange.status, { error: behaviour.exchange.error });
    const grant = codes.get(params.get("code") ?? "");
    codes.delete(params.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(params.get("code_verifier") ?? "")
      .digest("base64url");
    const good = grant && grant.challenge === verifier && grant.redirect === params.get("redirect_uri");
    return good ? issue(grant, response) : json(response, 400, { error: "invalid_grant" });
  }

  function issue({ scope, resource: audience }: Grant, response: ServerResponse): void {
    const grant = { scope, resource: audience };
    const [accessToken, refreshToken] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    access.set(accessToken, grant);
    refresh.set(refreshToken, grant);
    json(response, 200, {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: "Bearer",
      expires_in: behaviour.expiresIn ?? 3600,
      scope,
    });
  }
}

/** What a browser with an obliging person does: follows the authorization and comes back. */
export async function obligingBrowser(url: string): Promise<Response> {
  const answer = await fetch(url, { redirect: "manual" });
  return await fetch(answer.headers.get("location") ?? "");
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown> | unknown,
): Promise<Server> {
  const server = createServer((request, response) => {
    Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function forward(request: IncomingMessage, body: string, response: ServerResponse, port: number): void {
  const { authorization: _token, host: _host, ...headers } = request.headers;
  const onward = httpRequest(
    { port, host: "127.0.0.1", path: "/mcp", method: request.method, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    },
  );
  response.on("close", () => onward.destroy());
  onward.on("error", () => response.destroy());
  onward.end(body);
}
