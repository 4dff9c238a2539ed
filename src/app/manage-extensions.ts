/**
 * The person's extensions as a list that is looked at and changed: behind `kari extensions`. Changes go to
 * `config.yaml` and nowhere else; nothing is started here, except by `probe`, which lives in probe-extensions.ts.
 */
import { type ExtensionEntry, inReadingOrder } from "../config/extension-entry.ts";
import { holdsSecret, isSecret } from "../config/import/secret-values.ts";
import {
  configFile,
  DEFAULT_EXTENSIONS,
  type ExtensionSettings,
  type FileSettings,
  loadSettings,
  openSecrets,
  type Paths,
} from "../config/index.ts";
import type { WrittenConfig } from "../config/write.ts";
import type { YamlEdit, YamlValue } from "../config/yaml-edit.ts";
import { expandConfig, extensionKey, RESERVED_KEYS } from "../extensions/index.ts";
import { nearest } from "../lib/nearest.ts";
import { UsageError } from "../lib/usage-error.ts";
import { builtinNames } from "./builtins.ts";
import { toExtensionConfig } from "./extension-config.ts";
import { openExtensions } from "./open-extensions.ts";
import { withSecrets } from "./secret-environment.ts";
import type { Surroundings } from "./surroundings.ts";

export type { ExtensionEntry };

export interface ExtensionRow {
  readonly name: string;
  /** What its tools are prefixed with. */
  readonly key: string;
  readonly kind: ExtensionSettings["type"];
  readonly enabled: boolean;
  /** `default`: Kari's own, not written in the file. */
  readonly origin: "default" | "file";
  /** What is started or called; without environment and header values. */
  readonly target: string;
  readonly description?: string;
  /** As far as they are known without starting it. */
  readonly tools?: number;
  /** Why it could not be started as it stands. */
  readonly problem?: string;
}

/** From the configuration and from what is remembered of earlier starts: no process is started. */
export async function listExtensions(place: Surroundings): Promise<readonly ExtensionRow[]> {
  const { extensions } = await loadSettings(place.paths);
  const known = withSecrets(place.environment, extensions, openSecrets(place.paths, place.environment));
  return extensions.map((settings) => ({
    name: settings.name,
    key: extensionKey(settings.name),
    kind: settings.type,
    enabled: settings.enabled,
    origin: DEFAULT_EXTENSIONS.includes(settings) ? "default" : "file",
    target: targetOf(settings),
    ...(settings.description !== undefined && { description: settings.description }),
    ...(settings.enabled && rememberedOf(settings, { ...place, environment: known })),
  }));
}

function rememberedOf(
  settings: ExtensionSettings,
  place: Surroundings,
): { tools?: number; problem?: string } {
  try {
    const config = toExtensionConfig(settings);
    // A variable that is not set would keep it from starting.
    expandConfig(config, place.environment);
    const { manager } = openExtensions([config], { ...place, dataFolder: place.paths.data });
    const listing = manager.get(config.key)?.listing;
    return listing ? { tools: listing.tools.length } : {};
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

export function targetOf(settings: ExtensionSettings): string {
  switch (settings.type) {
    case "builtin":
      return settings.builtin;
    case "stdio":
      return [settings.command, ...settings.args].map(quote).join(" ");
    case "sse":
    case "streamable_http":
      return settings.url;
    default:
      return settings satisfies never;
  }
}

/** As a shell would want it: what is shown can be typed. */
export function quote(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./${}-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The key of the new extension. Throws UsageError when the name is taken. */
export async function addExtension(
  name: string,
  entry: ExtensionEntry,
  { paths }: Pick<Surroundings, "paths">,
): Promise<{ readonly file: string; readonly key: string }> {
  checkNewName(name);
  checkBuiltin(name, entry);
  const key = extensionKey(name);
  const { file } = await edit(paths, ({ extensions }) => {
    const taken = extensions.find((extension) => extensionKey(extension.name) === key);
    if (taken)
      throw new UsageError(
        `There is an extension "${taken.name}" already (${targetOf(taken)}). Choose another name, or remove it first: kari extensions remove ${quote(taken.name)}`,
      );
    return [{ type: "set", path: ["extensions", name], value: asYaml(entry) }];
  });
  return { file, key };
}

/** What stood in the file. */
export async function removeExtension(
  name: string,
  { paths }: Pick<Surroundings, "paths">,
): Promise<{ readonly file: string; readonly removed: string; readonly isDefault: boolean }> {
  let found = name;
  const { file, before, after } = await edit(paths, ({ extensions }) => {
    found = find(name, extensions).name;
    if (!extensions.some((extension) => extension.name === found))
      throw new UsageError(
        `"${found}" is one of Kari's own and not in the file. To do without it: kari extensions disable ${quote(found)}`,
      );
    return [{ type: "delete", path: ["extensions", found] }];
  });
  return { file, removed: linesOnlyIn(before, after), isDefault: isDefault(found) };
}

/** False when it was so already. */
export async function setExtensionEnabled(
  name: string,
  enabled: boolean,
  { paths }: Pick<Surroundings, "paths">,
): Promise<{ readonly file: string; readonly name: string; readonly changed: boolean }> {
  let found = name;
  const { file, before, after } = await edit(paths, ({ extensions }) => {
    const settings = find(name, extensions);
    found = settings.name;
    const inFile = extensions.includes(settings);
    if (settings.enabled === enabled) return [];
    const path = ["extensions", found];
    if (inFile) return [{ type: "set", path: [...path, "enabled"], value: enabled }];
    return [{ type: "set", path, value: { type: "builtin", enabled } }];
  });
  return { file, name: found, changed: before !== after };
}

async function edit(
  paths: Paths,
  plan: (settings: FileSettings) => readonly YamlEdit[],
): Promise<WrittenConfig> {
  // Listing without a file loads neither YAML nor zod.
  const { editConfig } = await import("../config/write.ts");
  return await editConfig(configFile(paths), plan);
}

/** By its name as written, in any Unicode form, or by its key; among the defaults too. */
function find(name: string, inFile: FileSettings["extensions"]): ExtensionSettings {
  const named = new Set(inFile.map((extension) => extension.name));
  const all = [...inFile, ...DEFAULT_EXTENSIONS.filter((extension) => !named.has(extension.name))];
  const found =
    all.find((extension) => extension.name === name) ??
    all.find((extension) => extension.name.normalize("NFC") === name.normalize("NFC")) ??
    all.find((extension) => extensionKey(extension.name) === extensionKey(name));
  if (found) return found;
  const near = nearest(
    name,
    all.map((extension) => extension.name),
    1,
  )[0];
  throw new UsageError(
    `There is no extension "${name}".${near ? ` Did you mean "${near}"?` : ""} See kari extensions list.`,
  );
}

function isDefault(name: string): boolean {
  return DEFAULT_EXTENSIONS.some((extension) => extension.name === name);
}

export function checkNewName(name: string): void {
  if (name.trim() === "" || name !== name.trim() || name.length > 100 || /[\p{Cc}\p{Cf}\n]/u.test(name))
    throw new UsageError(
      `"${name}" cannot be a name: 1 to 100 characters, no control characters around or in it.`,
    );
  if (RESERVED_KEYS.includes(extensionKey(name)))
    throw new UsageError(`"${name}" cannot be a name: that is Kari's own. Choose another one.`);
}

export function checkBuiltin(name: string, entry: ExtensionEntry): void {
  if (entry.type !== "builtin") return;
  const builtin = entry.name ?? name;
  if (!builtinNames().includes(builtin))
    throw new UsageError(`There is no builtin "${builtin}". There are: ${builtinNames().join(", ")}.`);
}

/** The names of values that look like secrets and would stand in the file as they are. */
export function secretsInClear(entry: ExtensionEntry): readonly string[] {
  switch (entry.type) {
    case "builtin":
      return [];
    case "stdio": {
      const args = entry.args ?? [];
      const words = args.flatMap((word, at) =>
        holdsSecret(word, args[at - 1]) ? [`argument ${at + 1}`] : [],
      );
      return [...secretNames(entry.envs), ...words];
    }
    case "sse":
    case "streamable_http":
      return [...secretNames(entry.headers), ...(holdsSecret(entry.uri) ? ["the address"] : [])];
    default:
      return entry satisfies never;
  }
}

function secretNames(values: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => (isSecret(name, value) ? [name] : []));
}

/** What is written: JSON's own kinds and nothing that is not there. */
export function asYaml(entry: ExtensionEntry): YamlValue {
  return JSON.parse(JSON.stringify(inReadingOrder(entry))) as YamlValue;
}

/** The block that an edit took out. */
function linesOnlyIn(before: string, after: string): string {
  const old = before.split("\n");
  const rest = after.split("\n");
  let start = 0;
  while (start < rest.length && old[start] === rest[start]) start++;
  let end = 0;
  while (end < rest.length - start && old.at(-1 - end) === rest.at(-1 - end)) end++;
  return old.slice(start, old.length - end).join("\n");
}
