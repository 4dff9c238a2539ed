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
  const auth = hasHeader ? undefined : await options.authFor?.(config);
  const refusals: string[] = [];
  for (const attempt of attempts(config, options)) {
    const result = await tryKind(config, url, options, attempt, auth);
    if (typeof result !== "string") return result;
    refusals.push(`As ${KIND_NAMES[attempt.kind]}: ${result}`);
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
    const mayAsk = failure?.kind === "auth" && authorizations < MAX_AUTHORIZATIONS;
    if (mayAsk && auth && (await authorize(config, transport, auth, options.signal))) continue;
    await auth?.close?.();
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
  const requests = new ServerRequests(config.key, [options.workingDirectory]);
  const opened = openClient(transport, {
    client: options.client,
    requests,
    startupTimeoutMs: options.startupTimeoutMs,
    probeTimeoutMs: options.startupTimeoutMs,
    ...(prior && { prior }),
    signal: options.signal,
  }).then(
    (client) => {
      client.onclose = () => {
        void auth?.close?.();
        options.onClose();
      };
      const connection = new Connection({
        key: config.key,
        client,
        peer: REMOTE_PEER,
        limits: callLimits(config, options),
        requests,
        ...(auth?.authorize && { authorize: shared((signal) => authorize(config, transport, auth, signal)) }),
      });
      return { connection, verdict: { prior: connection.prior, transport: kind } };
    },
    (error: unknown) => ({ error }),
  );
  return { transport, opened };
}

/** Several calls may find out at once that the person must be asked; one question answers them all. */
function shared(ask: (signal: AbortSignal) => Promise<boolean>): (signal: AbortSignal) => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  return (signal) => {
    asking ??= ask(signal).finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/** True when the person was asked and agreed, so that it can be tried again. */
async function authorize(
  config: RemoteConfig,
  transport: RemoteTransport,
  auth: RemoteAuth,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const callback = await auth.authorize?.({ signal });
    if (callback) await transport.finishAuth(callback);
    return callback !== undefined;
  } catch (error) {
    await auth.close?.();
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
