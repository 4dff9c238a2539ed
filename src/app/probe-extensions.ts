/**
 * Starts each extension once, asks it what it offers, and says how that went: behind `kari doctor` and
 * `kari extensions list --probe`. Everything that was started is ended again. What is remembered is not used.
 */
import {
  type Environment,
  type ExtensionSettings,
  loadSettings,
  openSecrets,
  type Paths,
} from "../config/index.ts";
import {
  type Era,
  type Extension,
  ExtensionError,
  extensionKey,
  type StrayLines,
} from "../extensions/index.ts";
import { toExtensionConfig } from "./extension-config.ts";
import { oauthFor } from "./oauth.ts";
import { type OpenExtensions, openExtensions } from "./open-extensions.ts";
import { adviseOn, reasonOf } from "./probe-advice.ts";
import { withSecrets } from "./secret-environment.ts";

interface Common {
  readonly name: string;
  readonly key: string;
  readonly kind: ExtensionSettings["type"];
}

export interface ReadyProbe extends Common {
  readonly state: "ready";
  readonly era: Era;
  readonly pid?: number;
  /** From nothing to a list of tools. */
  readonly startMs: number;
  readonly tools: number;
  readonly resources: number;
  readonly templates: number;
  readonly stray: StrayLines;
  /** What it promised and did not do. */
  readonly problems: readonly string[];
}

export interface FailedProbe extends Common {
  readonly state: "failed";
  readonly afterMs: number;
  readonly error: string;
  readonly advice: string;
}

export type Probe = ReadyProbe | FailedProbe;

export interface ProbeOptions {
  readonly paths: Paths;
  readonly environment: Environment;
  readonly workingDirectory: string;
  readonly startupTimeoutMs?: number;
  readonly signal?: AbortSignal;
  onStart?(name: string): void;
  onEnd?(probe: Probe): void;
}

/** Several at a time: many servers wait for the network, and a person waits for us. */
const AT_ONCE = 4;
const LIST_TIMEOUT_MS = 10_000;

/** Those of the person's profile that are switched on. */
export async function probeEnabled(options: ProbeOptions): Promise<readonly Probe[]> {
  const { extensions } = await loadSettings(options.paths);
  return await probeExtensions(
    extensions.filter(({ enabled }) => enabled),
    options,
  );
}

/** In the order given, whatever order they answer in. Never throws for an extension that fails. */
export async function probeExtensions(
  extensions: readonly ExtensionSettings[],
  options: ProbeOptions,
): Promise<readonly Probe[]> {
  const environment = withSecrets(
    options.environment,
    extensions,
    openSecrets(options.paths, options.environment),
  );
  const place = {
    ...options,
    environment,
    dataFolder: options.paths.data,
    memory: false,
    // With the tokens there are; nobody is sent to a browser by a check-up.
    oauth: oauthFor(options.paths, options.environment, undefined),
  };
  const opened = openExtensions([], place);
  const probes: Probe[] = [];
  const queue = [...extensions.entries()];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, settings] = next;
      if (options.signal?.aborted) return;
      options.onStart?.(settings.name);
      const probe = await probeOne(settings, opened);
      probes[index] = probe;
      options.onEnd?.(probe);
    }
  };
  const stop = () => void opened.manager.stop();
  options.signal?.addEventListener("abort", stop, { once: true });
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    options.signal?.removeEventListener("abort", stop);
    await opened.close();
  }
  return probes.filter((probe) => probe !== undefined);
}

async function probeOne(settings: ExtensionSettings, { manager }: OpenExtensions): Promise<Probe> {
  const common = { name: settings.name, key: extensionKey(settings.name), kind: settings.type };
  const since = performance.now();
  const elapsed = () => Math.round(performance.now() - since);
  let extension: Extension | undefined;
  try {
    extension = manager.add(toExtensionConfig(settings));
    const listing = await extension.start();
    return { ...common, state: "ready", ...(await examine(extension, listing.tools.length, elapsed())) };
  } catch (error) {
    const advice = adviseOn(settings, error);
    return { ...common, state: "failed", afterMs: elapsed(), error: reasonOf(error), advice };
  } finally {
    // Not all at the end: twenty servers need not be in memory together.
    await extension?.stop();
  }
}

async function examine(
  extension: Extension,
  tools: number,
  startMs: number,
): Promise<Omit<ReadyProbe, keyof Common | "state">> {
  const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
  const problems: string[] = [];
  const count = async (what: string, list: () => Promise<readonly unknown[]>) => {
    try {
      return (await list()).length;
    } catch (error) {
      const late = error instanceof ExtensionError && error.code === "cancelled";
      const reason = error instanceof Error ? error.message : String(error);
      problems.push(late ? `${what}: no answer within ${LIST_TIMEOUT_MS / 1000} s` : `${what}: ${reason}`);
      return 0;
    }
  };
  const resources = await count("resources", () => extension.listResources({ signal }));
  const templates = await count("resource templates", () => extension.listResourceTemplates({ signal }));
  const { state } = extension;
  return {
    era: state.type === "ready" ? state.era : "legacy",
    ...(state.type === "ready" && state.pid !== undefined && { pid: state.pid }),
    startMs,
    tools,
    resources,
    templates,
    stray: extension.strayLines?.() ?? { count: 0, samples: [] },
    problems,
  };
}
