/** Opens a set of extensions with the platform beside them: what a session, `kari tools` and `kari resources` share. */
import {
  createToolBox,
  type ExtensionConfig,
  ExtensionManager,
  type ExtensionState,
  type ManagerOptions,
  type ToolBox,
} from "../extensions/index.ts";
import type { OAuthOptions } from "../extensions/oauth/index.ts";
import { createPlatformExtension } from "../platform/index.ts";
import { createListingMemory } from "./listing-memory.ts";
import { selfCommand } from "./self.ts";
import { NAME, VERSION } from "./version.ts";

export interface OpenExtensionsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly dataFolder: string;
  readonly startupTimeoutMs?: number;
  /** False: ask every server itself, whatever is known of it, and remember nothing. */
  readonly memory?: boolean;
  /** How remote extensions are authorized: where tokens are kept and who opens a browser. */
  readonly oauth?: Omit<OAuthOptions, "clientName">;
  onState?(key: string, state: ExtensionState): void;
  onNotice?: ManagerOptions["onNotice"];
  onToolChange?: ManagerOptions["onToolChange"];
}

export interface OpenExtensions {
  readonly manager: ExtensionManager;
  readonly toolBox: ToolBox;
  close(): Promise<void>;
}

const STARTUP_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 3000;
const MAX_CALL_MS = 60 * 60 * 1000;

export function openExtensions(
  configs: readonly ExtensionConfig[],
  options: OpenExtensionsOptions,
): OpenExtensions {
  const manager = new ExtensionManager({
    connect: {
      self: selfCommand(),
      environment: options.environment,
      workingDirectory: options.workingDirectory,
      client: { name: NAME, version: VERSION },
      startupTimeoutMs: options.startupTimeoutMs ?? STARTUP_TIMEOUT_MS,
      probeTimeoutMs: PROBE_TIMEOUT_MS,
      maxCallMs: MAX_CALL_MS,
      authFor: async (config) => {
        if (!options.oauth) return undefined;
        const { createRemoteAuth } = await import("../extensions/oauth/index.ts");
        return createRemoteAuth(config, { ...options.oauth, clientName: NAME });
      },
    },
    ...(options.memory !== false && { memory: createListingMemory(options.dataFolder) }),
    ...(options.onState && { onState: options.onState }),
    ...(options.onNotice && { onNotice: options.onNotice }),
    ...(options.onToolChange && { onToolChange: options.onToolChange }),
  });
  manager.attach(createPlatformExtension(manager));
  for (const config of configs) manager.add(config);
  return {
    manager,
    toolBox: createToolBox(manager),
    close: async () => {
      const started = manager.all().some(({ kind, state }) => kind !== "platform" && state.type !== "idle");
      await manager.stop();
      if (!started) return;
      const { sweepMarked } = await import("../lib/watchdog.ts");
      sweepMarked("SIGKILL");
    },
  };
}
