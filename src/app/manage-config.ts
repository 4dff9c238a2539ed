/**
 * Single settings of `config.yaml` and the secret store: behind `kari config`. Values are checked by the very schema
 * that reads the file, so that nothing is written that could not be read again.
 */
import { readFileSync } from "node:fs";
import { isScalar, parse, parseDocument, stringify } from "yaml";
import { parseConfig } from "../config/file.ts";
import { isSecret } from "../config/import/index.ts";
import {
  ConfigError,
  configFile,
  DEFAULT_EXTENSIONS,
  type FileSettings,
  openSecrets,
  type Paths,
  type SecretPlace,
} from "../config/index.ts";
import { editConfig, type WrittenConfig } from "../config/write.ts";
import type { YamlEdit, YamlValue } from "../config/yaml-edit.ts";
import { nearest } from "../lib/nearest.ts";
import { UsageError } from "../lib/usage-error.ts";
import type { Surroundings } from "./surroundings.ts";

export const SETTINGS = [
  "provider",
  "model",
  "base_url",
  "approve",
  "max_turns",
  "context_budget",
  "tool_search",
  "extensions",
] as const;

export interface SettingPlaces {
  readonly config: string;
  readonly data: string;
  readonly secrets: string;
}

export function settingPlaces({ paths, environment }: Surroundings): SettingPlaces {
  return { config: configFile(paths), data: paths.data, secrets: openSecrets(paths, environment).file };
}

/** As the file says it; undefined when it does not. Throws ConfigError when the file is broken. */
export function getSetting(key: string | undefined, { paths }: Surroundings): unknown {
  const file = configFile(paths);
  const text = readIfAny(file) ?? "";
  const settings = parseConfig(text, file);
  const root: unknown = parse(text) ?? {};
  return key === undefined ? root : pathOf(key, settings).reduce(step, root);
}

export interface ChangedSetting {
  readonly file: string;
  readonly changed: boolean;
  /** Said, because it now stands in the file for everybody who can read it. */
  readonly inClear: boolean;
}

export async function setSetting(
  key: string,
  text: string,
  { paths }: Surroundings,
): Promise<ChangedSetting> {
  if (text.trim() === "")
    throw new UsageError(`What shall ${key} be? To take it out: kari config unset ${key}`);
  let failure: unknown;
  // `5` and `[a, b]` mean what YAML says, unless only a text will do: a model may be called 4.
  for (const value of readings(text)) {
    try {
      const written = await edit(paths, key, (path, settings) => setEdits(path, value, settings));
      const inClear = typeof value === "string" && isSecret(key.split(".").at(-1) ?? "", value);
      return { file: written.file, changed: written.before !== written.after, inClear };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      failure ??= error;
    }
  }
  throw withHint(failure as ConfigError, key);
}

/** False when it was not there. */
export async function unsetSetting(
  key: string,
  { paths }: Surroundings,
): Promise<Omit<ChangedSetting, "inClear">> {
  const { file, before, after } = await edit(paths, key, (path) => [{ type: "delete", path }]);
  return { file, changed: before !== after };
}

export function showValue(value: unknown): string {
  return typeof value === "object" ? stringify(value, { lineWidth: 0 }).trimEnd() : String(value);
}

export interface StoredSecret {
  readonly name: string;
  readonly place: SecretPlace;
}

export function listSecrets({ paths, environment }: Surroundings): readonly StoredSecret[] {
  const names = Object.entries(openSecrets(paths, environment).names());
  return names.map(([name, place]) => ({ name, place }));
}

export async function storeSecret(
  name: string,
  value: string,
  { paths, environment }: Surroundings,
): Promise<StoredSecret & { readonly file: string }> {
  checkVariableName(name);
  if (value.trim() === "") throw new UsageError(`No value was given for ${name}. Nothing was kept.`);
  const secrets = openSecrets(paths, environment);
  return { name, place: await secrets.set(name, value.trim()), file: secrets.file };
}

export async function removeSecret(name: string, { paths, environment }: Surroundings): Promise<boolean> {
  return await openSecrets(paths, environment).remove(name);
}

export function checkVariableName(name: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new UsageError(`"${name}" cannot be the name of a variable: letters, digits and _ only.`);
}

async function edit(
  paths: Paths,
  key: string,
  plan: (path: readonly string[], settings: FileSettings) => readonly YamlEdit[],
): Promise<WrittenConfig> {
  return await editConfig(configFile(paths), (settings) => plan(pathOf(key, settings), settings));
}

function setEdits(
  path: readonly string[],
  value: YamlValue,
  { extensions }: FileSettings,
): readonly YamlEdit[] {
  const [root, name, ...field] = path;
  const isNew = root === "extensions" && name !== undefined && !extensions.some((one) => one.name === name);
  if (!isNew || field.length === 0) return [{ type: "set", path, value }];
  if (!DEFAULT_EXTENSIONS.some((one) => one.name === name))
    throw new UsageError(`There is no extension "${name}". Add it first: kari extensions add ${name} …`);
  // One of Kari's own that the file does not mention yet.
  return [
    { type: "set", path: ["extensions", name], value: { type: "builtin" } },
    { type: "set", path, value },
  ];
}

/** `a.b.c`; the name of an extension may itself have dots in it. */
function pathOf(key: string, { extensions }: FileSettings): readonly string[] {
  const rest = key.startsWith("extensions.") ? key.slice("extensions.".length) : undefined;
  if (rest === undefined) return key.split(".");
  const names = extensions.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const name = names.find((candidate) => rest === candidate || rest.startsWith(`${candidate}.`));
  if (name === undefined) return key.split(".");
  return ["extensions", name, ...rest.slice(name.length + 1).split(".")].filter((part) => part !== "");
}

function step(value: unknown, part: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
  return (value as Record<string, unknown>)[part];
}

function readings(text: string): readonly YamlValue[] {
  const document = parseDocument(text);
  const asYaml = document.errors.length === 0 ? (document.toJS() as YamlValue) : text;
  // A date or a merge is nobody's setting; a word is the same either way.
  return isScalar(document.contents) && typeof asYaml === "string" ? [text] : [asYaml, text];
}

function withHint(error: ConfigError, key: string): ConfigError {
  const [root = ""] = key.split(".");
  if (SETTINGS.some((setting) => setting === root)) return error;
  const near = nearest(root, SETTINGS, 1)[0];
  return new ConfigError(
    `There is no setting "${key}".${near ? ` Did you mean "${near}"?` : ""} There are: ${SETTINGS.join(", ")}.`,
  );
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`cannot be read (${(error as NodeJS.ErrnoException).code}).`, { file });
  }
}
