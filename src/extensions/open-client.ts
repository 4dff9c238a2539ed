/** Makes the SDK's client and connects it over a transport, within a time limit that covers everything. */
import {
  Client,
  type PriorDiscovery,
  SdkError,
  SdkErrorCode,
  type Transport,
} from "@modelcontextprotocol/client";
import { LONGEST_DELAY_MS } from "./call-clock.ts";
import { CLIENT_CAPABILITIES, type ServerRequests } from "./server-requests.ts";

export interface OpenClientOptions {
  readonly client: { readonly name: string; readonly version: string };
  readonly requests: ServerRequests;
  readonly startupTimeoutMs: number;
  readonly probeTimeoutMs: number;
  readonly prior?: PriorDiscovery;
  readonly signal: AbortSignal;
}

/** Closes the transport when it fails. */
export async function openClient(transport: Transport, options: OpenClientOptions): Promise<Client> {
  const client = new Client(options.client, {
    capabilities: CLIENT_CAPABILITIES,
    versionNegotiation: { mode: "auto", probe: { timeoutMs: options.probeTimeoutMs } },
    // Results are checked by nobody here: one that breaks its own schema still reaches the model.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  });
  options.requests.install(client);
  const { prior, signal } = options;
  const connecting = client.connect(transport, {
    timeout: LONGEST_DELAY_MS,
    signal,
    ...(prior && { prior }),
  });
  try {
    await within(connecting, options.startupTimeoutMs, signal);
    return client;
  } catch (error) {
    await transport.close().catch(() => {});
    // Whatever it still says is no news.
    connecting.catch(() => {});
    throw error;
  }
}

/** The SDK limits each request; starting a process or opening a stream has no limit of its own. */
async function within(connecting: Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new SdkError(SdkErrorCode.RequestTimeout, "the start took too long")),
    timeoutMs,
  );
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([connecting, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
