/** What connecting needs to know, whatever the kind of the extension, and what comes of it. */
import type { DiscoverResult, PriorDiscovery } from "@modelcontextprotocol/client";
import type { CallLimits } from "./call-clock.ts";
import { DEFAULT_TIMEOUT_SECONDS, type ExtensionConfig, type RemoteConfig } from "./config.ts";
import type { Connection } from "./connection.ts";
import type { Environment } from "./expand.ts";
import type { RemoteKind } from "./http/remote-transport.ts";
import type { RemoteAuth } from "./remote-auth.ts";

/** How to start this same program again as a builtin server. */
export interface SelfCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What is known of the server from before: how it speaks, so that it need not be found out again. */
export interface Verdict {
  readonly prior?: PriorDiscovery;
  readonly transport?: RemoteKind;
}

export interface ConnectOptions {
  readonly self: SelfCommand;
  readonly environment: Environment;
  readonly workingDirectory: string;
  readonly client: { readonly name: string; readonly version: string };
  readonly startupTimeoutMs: number;
  readonly probeTimeoutMs: number;
  readonly maxCallMs: number;
  /** The credentials of a remote extension; without it, or when it gives none, only configured headers are sent. */
  authFor?(config: RemoteConfig): Promise<RemoteAuth | undefined>;
  readonly verdict?: Verdict;
  readonly signal: AbortSignal;
  onClose(): void;
  /** Something the person should know although it went well. */
  onNotice?(text: string): void;
}

export interface Connected {
  readonly connection: Connection;
  readonly verdict: Verdict;
}

export type { DiscoverResult, PriorDiscovery };

export function callLimits(config: ExtensionConfig, options: ConnectOptions): CallLimits {
  const idleMs = (config.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  return { idleMs, totalMs: Math.max(idleMs, options.maxCallMs) };
}
