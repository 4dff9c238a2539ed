/**
 * The first set-up: which providers can be chosen, and how a choice is written. The questions themselves are asked in
 * cli/commands/configure.ts; here nothing is asked.
 */
import { configFile, DEFAULT_EXTENSIONS, type FileSettings, loadSettings } from "../config/index.ts";
import { editConfig } from "../config/write.ts";
import type { YamlEdit } from "../config/yaml-edit.ts";
import type { Host } from "../providers/index.ts";
import { builtinNames, builtinSummary } from "./builtins.ts";
import type { Surroundings } from "./surroundings.ts";

export interface ProviderOption {
  readonly id: string;
  readonly label: string;
  /** The variables that may hold its key, the usual one first; empty where none is needed. */
  readonly keyNames: readonly string[];
  readonly keyIsOptional: boolean;
  /** The address is the person's own; `fallback` where most have the same. */
  readonly address?: { readonly example: string; readonly fallback?: string };
  readonly defaultModel?: string;
  /** It runs on a machine of one's own: which models it has can be asked at once. */
  readonly isLocal: boolean;
}

export async function providerOptions(): Promise<readonly ProviderOption[]> {
  const { HOSTS } = await import("../providers/index.ts");
  return [...HOSTS.map(toOption), OFFLINE];
}

/** The models that a server on one's own machine has; empty when it does not answer. */
export async function modelsAt(provider: string, address: string | undefined): Promise<readonly string[]> {
  const { findHost, probeServer } = await import("../providers/index.ts");
  const { normalBaseUrl } = await import("../providers/hosts.ts");
  const host = findHost(provider);
  const baseUrl = address ?? host?.baseUrl;
  if (host === undefined || baseUrl === undefined) return [];
  return (await probeServer(host, normalBaseUrl(baseUrl, host))) ?? [];
}

const OFFLINE: ProviderOption = {
  id: "offline",
  label: "no language model: Kari's own planner, which only runs tools",
  keyNames: [],
  keyIsOptional: true,
  defaultModel: "planner",
  isLocal: false,
};

function toOption({ id, name, keyNames, key, baseUrl, defaultModel }: Host): ProviderOption {
  const isLocal = key === "no";
  const asksAddress = isLocal || baseUrl === undefined;
  const example = baseUrl ?? "https://host/v1";
  return {
    id,
    label: isLocal ? `${name}, on a machine of your own` : name,
    keyNames,
    keyIsOptional: key === "optional",
    ...(asksAddress && { address: { example, ...(baseUrl !== undefined && { fallback: baseUrl }) } }),
    ...(defaultModel !== undefined && { defaultModel }),
    isLocal,
  };
}

export interface SetUp {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string;
  /** Builtins by name; those not named stay as they are. */
  readonly builtins: Readonly<Record<string, boolean>>;
}

export interface BuiltinChoice {
  readonly name: string;
  readonly summary: string;
  readonly enabled: boolean;
}

/** What is set now, to be offered as the answer. Throws ConfigError when the file is broken. */
export async function currentSetUp({
  paths,
}: Surroundings): Promise<{ readonly settings: FileSettings; readonly builtins: readonly BuiltinChoice[] }> {
  const settings = await loadSettings(paths);
  const builtins = builtinNames().map((name) => ({
    name,
    summary: builtinSummary(name) ?? "",
    enabled: settings.extensions.some(
      (extension) => extension.type === "builtin" && extension.builtin === name && extension.enabled,
    ),
  }));
  return { settings, builtins };
}

/** The file. */
export async function saveSetUp(setUp: SetUp, { paths }: Surroundings): Promise<string> {
  const { file } = await editConfig(configFile(paths), ({ extensions }) => [
    { type: "set", path: ["provider"], value: setUp.provider },
    { type: "set", path: ["model"], value: setUp.model },
    setUp.baseUrl === undefined
      ? { type: "delete", path: ["base_url"] }
      : { type: "set", path: ["base_url"], value: setUp.baseUrl },
    ...Object.entries(setUp.builtins).flatMap(([name, enabled]) => builtinEdits(name, enabled, extensions)),
  ]);
  return file;
}

function builtinEdits(
  name: string,
  enabled: boolean,
  inFile: FileSettings["extensions"],
): readonly YamlEdit[] {
  const written = inFile.find((extension) => extension.type === "builtin" && extension.builtin === name);
  if (written)
    return written.enabled === enabled
      ? []
      : [{ type: "set", path: ["extensions", written.name, "enabled"], value: enabled }];
  const byDefault = DEFAULT_EXTENSIONS.some((extension) => extension.name === name);
  return byDefault === enabled
    ? []
    : [{ type: "set", path: ["extensions", name], value: { type: "builtin", enabled } }];
}
