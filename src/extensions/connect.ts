/**
 * Opens a connection of any kind and finds out which protocol era the server speaks: probed in place on the one
 * process we start. A server that ends when it is probed is started once more and greeted the old way.
 * Loaded only when the first connection is wanted: it brings the MCP SDK with it.
 */
import {
  Client,
  type DiscoverResult,
  type PriorDiscovery,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { DEFAULT_TIMEOUT_SECONDS, describeConfig, type ExtensionConfig } from "./config.ts";
import { Connection, type Peer } from "./connection.ts";
import { childEnvironment } from "./environment.ts";
import { ExtensionError } from "./extension-error.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** How to start this same program again as a builtin server. */
export interface SelfCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ConnectOptions {
  readonly self: SelfCommand;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly client: { readonly name: string; readonly version: string };
  readonly startupTimeoutMs: number;
  readonly probeTimeoutMs: number;
  readonly maxCallMs: number;
  /** What is known of the server's era, so that no probe is needed. */
  readonly prior?: PriorDiscovery;
  readonly signal: AbortSignal;
  onClose(): void;
  onToolsChanged(): void;
}

export type { DiscoverResult, PriorDiscovery };

export async function connect(config: ExtensionConfig, options: ConnectOptions): Promise<Connection> {
  try {
    return await attempt(config, options, options.prior);
  } catch (error) {
    if (!endedOnProbe(error, options)) throw error;
    return await attempt(config, options, { kind: "legacy" });
  }
}

async function attempt(
  config: ExtensionConfig,
  options: ConnectOptions,
  prior: PriorDiscovery | undefined,
): Promise<Connection> {
  const { transport, peer } = openTransport(config, options);
  const client = new Client(options.client, {
    capabilities: {},
    versionNegotiation: { mode: "auto", probe: { timeoutMs: options.probeTimeoutMs } },
    // Results are checked by nobody here: one that breaks its own schema still reaches the model.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
    listChanged: { tools: { autoRefresh: false, onChanged: () => options.onToolsChanged() } },
  });
  const idleMs = (config.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  const timeouts = { idleMs, totalMs: Math.max(idleMs, options.maxCallMs) };
  try {
    await client.connect(transport, {
      timeout: options.startupTimeoutMs,
      signal: options.signal,
      ...(prior && { prior }),
    });
  } catch (error) {
    await transport.close().catch(() => {});
    throw startFailure(config, options, peer, error);
  }
  const connection = new Connection(config.key, client, peer, timeouts);
  client.onclose = options.onClose;
  return connection;
}

function openTransport(
  config: ExtensionConfig,
  options: ConnectOptions,
): { transport: Transport; peer: Peer } {
  switch (config.type) {
    case "builtin":
      return process(
        options.self.command,
        [...options.self.args, "mcp", config.name],
        {},
        options.workingDirectory,
      );
    case "stdio":
      return process(config.command, config.args, config.env, config.cwd ?? options.workingDirectory);
    case "sse":
      return remote(
        new SSEClientTransport(new URL(config.url), { requestInit: { headers: config.headers } }),
      );
    case "streamable_http":
      return remote(
        new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers: config.headers } }),
      );
    default:
      return config satisfies never;
  }

  function process(
    command: string,
    args: readonly string[],
    declared: Readonly<Record<string, string>>,
    cwd: string,
  ) {
    const transport = new StdioTransport({
      command,
      args,
      cwd,
      env: childEnvironment(options.environment, declared),
    });
    const peer: Peer = {
      get pid() {
        return transport.pid as number;
      },
      ended: () => transport.ended,
      stderrLines: (count) => transport.stderr.lines(count),
      stray: () => transport.stray,
    };
    return { transport, peer };
  }
}

const NO_PROCESS: Peer = {
  ended: () => undefined,
  stderrLines: () => [],
  stray: () => ({ count: 0, samples: [] }),
};

function remote(transport: Transport): { transport: Transport; peer: Peer } {
  return { transport, peer: NO_PROCESS };
}

/** Names the extension, its configuration, the method that failed and the child's last words (MISSION C4). */
function startFailure(
  config: ExtensionConfig,
  options: ConnectOptions,
  peer: Peer,
  error: unknown,
): ExtensionError {
  const method = methodOf(error);
  const lines = peer.stderrLines(10);
  const said =
    lines.length > 0 ? `\nIts last lines on stderr:\n${lines.map((line) => `  ${line}`).join("\n")}` : "";
  const stray = peer.stray();
  const noise =
    stray.count > 0
      ? `\nIt printed ${stray.count} line(s) on stdout that are no messages, such as: ${stray.samples[0]}`
      : "";
  return new ExtensionError(
    "start-failed",
    `Extension ${config.key} did not start. Configuration: ${describeConfig(config)}. ` +
      `${method}: ${reasonOf(error, peer, options)}${said}${noise}`,
    { cause: error },
  );
}

function methodOf(error: unknown): string {
  if (isSpawnError(error)) return "Starting the process failed";
  return "Call to 'initialize' failed";
}

function reasonOf(error: unknown, peer: Peer, options: ConnectOptions): string {
  if (isSpawnError(error)) {
    if (error.code === "ENOENT")
      return `there is no program "${error.path ?? ""}" on the PATH (or its working directory is missing).`;
    if (error.code === "EACCES") return `"${error.path ?? ""}" may not be executed.`;
    return error.message;
  }
  const ended = peer.ended();
  if (ended) return `the process ${ended}.`;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return `no answer within ${options.startupTimeoutMs / 1000} s.`;
  }
  return error instanceof Error ? error.message : String(error);
}

function isSpawnError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall?.startsWith("spawn") === true;
}

function endedOnProbe(error: unknown, options: ConnectOptions): boolean {
  if (options.prior || options.signal.aborted) return false;
  const cause = error instanceof ExtensionError ? error.cause : error;
  return (
    cause instanceof SdkError &&
    cause.code === SdkErrorCode.EraNegotiationFailed &&
    /connection closed during the server\/discover probe/.test(cause.message)
  );
}
