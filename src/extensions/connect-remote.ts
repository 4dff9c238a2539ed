/**
 * Connects to an address and finds out what kind of server it is: modern, then legacy streamable HTTP, then HTTP+SSE.
 * Only an answer is evidence: a server that wants an authorization is authorized, one that is not there is an outage,
 * and neither says anything about its kind.
 */
import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { RemoteConfig } from "./config.ts";
import { type Connected, type ConnectOptions, callLimits } from "./connect-options.ts";
import { Connection } from "./connection.ts";
import { ExtensionError } from "./extension-error.ts";
import { readRemoteFailure } from "./http/remote-failure.ts";
import { type RemoteKind, RemoteTransport } from "./http/remote-transport.ts";
import { createRequest } from "./http/request.ts";
import { openClient } from "./open-client.ts";
import { REMOTE_PEER } from "./peer.ts";
import type { RemoteAuth } from "./remote-auth.ts";
import { ServerRequests } from "./server-requests.ts";
import { isStartTimeout, startFailure } from "./start-failure.ts";

interface Attempt {
  readonly kind: RemoteKind;
  readonly prior?: PriorDiscovery;
}

const KIND_NAMES: Readonly<Record<RemoteKind, string>> = {
  streamable_http: "streamable HTTP",
  sse: "HTTP+SSE",
};
const MAX_AUTHORIZATIONS = 2;

export async function connectRemote(config: RemoteConfig, options: ConnectOptions): Promise<Connected> {
  const url = serverAddress(config);
  // Who configures a header for it has decided how to be authorized.
  const hasHeader = Object.keys(config.headers).some((name) => name.toLowerCase() === "authorization");
  const auth = hasHeader ? undefined : options.authFor?.(config);
  const refusals: string[] = [];
  try {
    for (const attempt of attempts(config, options)) {
      const result = await tryKind(config, url, options, attempt, auth);
      if (typeof result !== "string") return result;
      refusals.push(`As ${KIND_NAMES[attempt.kind]}: ${result}`);
    }
  } finally {
    await auth?.close?.();
  }
  throw startFailure(
    config,
    "start-failed",
    `No MCP server answers there. ${[...new Set(refusals)].join(". ")}.`,
    undefined,
  );
}

/** What was found last time comes first; what it then was is not taken for granted. */
function attempts(config: RemoteConfig, { verdict }: ConnectOptions): readonly Attempt[] {
  const first = verdict?.transport ?? config.type;
  const kinds: RemoteKind[] = first === "sse" ? ["sse", "streamable_http"] : ["streamable_http", "sse"];
  const plain = kinds.map(
    (kind): Attempt => (kind === "sse" ? { kind, prior: { kind: "legacy" } } : { kind }),
  );
  const known = verdict?.prior?.kind === "legacy" && first === "streamable_http";
  return known ? [{ kind: "streamable_http", prior: { kind: "legacy" } }, ...plain] : plain;
}

/** A string says why it is not a server of this kind. */
async function tryKind(
  config: RemoteConfig,
  url: URL,
  options: ConnectOptions,
  attempt: Attempt,
  auth: RemoteAuth | undefined,
): Promise<Connected | string> {
  for (let authorizations = 0; ; authorizations++) {
    const { transport, opened } = open(config, url, options, attempt, auth);
    const result = await opened;
    if ("connection" in result) return result;
    const failure = readRemoteFailure(result.error, transport.networkFailure);
    if (failure?.kind === "other-kind") return failure.words;
    if (failure?.kind === "auth" && auth?.authorize && authorizations < MAX_AUTHORIZATIONS) {
      await authorize(config, transport, auth, options);
      continue;
    }
    throw remoteStartFailure(config, result.error, failure, options);
  }
}

function open(
  config: RemoteConfig,
  url: URL,
  options: ConnectOptions,
  { kind, prior }: Attempt,
  auth: RemoteAuth | undefined,
): { transport: RemoteTransport; opened: Promise<Connected | { readonly error: unknown }> } {
  const transport = new RemoteTransport({
    kind,
    url,
    headers: config.headers,
    request: createRequest({ environment: options.environment }),
    ...(auth && { authProvider: auth.provider }),
    ...(auth?.wrapFetch && { wrapFetch: auth.wrapFetch }),
  });
  const requests = new ServerRequests(config.key, options.workingDirectory);
  const opened = openClient(transport, {
    client: options.client,
    requests,
    startupTimeoutMs: options.startupTimeoutMs,
    probeTimeoutMs: options.startupTimeoutMs,
    ...(prior && { prior }),
    signal: options.signal,
  }).then(
    (client) => {
      client.onclose = () => options.onClose();
      const limits = callLimits(config, options);
      const connection = new Connection({ key: config.key, client, peer: REMOTE_PEER, limits, requests });
      return { connection, verdict: { prior: connection.prior, transport: kind } };
    },
    (error: unknown) => ({ error }),
  );
  return { transport, opened };
}

async function authorize(
  config: RemoteConfig,
  transport: RemoteTransport,
  auth: RemoteAuth,
  { signal }: ConnectOptions,
): Promise<void> {
  try {
    const callback = await auth.authorize?.({ signal });
    if (callback) await transport.finishAuth(callback);
  } catch (error) {
    throw startFailure(config, "auth", `It was not authorized: ${(error as Error).message}`, error);
  }
}

function remoteStartFailure(
  config: RemoteConfig,
  error: unknown,
  failure: ReturnType<typeof readRemoteFailure>,
  { startupTimeoutMs }: ConnectOptions,
): ExtensionError {
  if (error instanceof ExtensionError) return error;
  if (isStartTimeout(error))
    return startFailure(
      config,
      "unreachable",
      `No answer within ${startupTimeoutMs / 1000} s: an outage, or a firewall.`,
      error,
    );
  if (failure?.kind === "unreachable")
    return startFailure(
      config,
      "unreachable",
      `It cannot be reached: ${failure.words}. Is the server running?`,
      error,
    );
  if (failure?.kind === "auth") {
    return startFailure(
      config,
      "auth",
      `It wants an authorization: ${failure.words}. Give it one in the configuration, such as ` +
        `headers: { Authorization: Bearer \${TOKEN} }, or authorize it in a terminal session.`,
      error,
    );
  }
  const words = failure?.words ?? (error instanceof Error ? error.message : String(error));
  return startFailure(config, "start-failed", `Call to 'initialize' failed: ${words}`, error);
}

function serverAddress(config: RemoteConfig): URL {
  const url = URL.canParse(config.url) ? new URL(config.url) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new ExtensionError(
    "config",
    `Extension ${config.key} did not start: "${config.url}" is not an http or https address.`,
  );
}
