/**
 * Takes extensions over from other hosts: finds their files, says what would be added, and adds what was agreed to.
 * Planning writes nothing and starts nothing. A file in a project folder is only ever read by this command; what it
 * holds runs after somebody said yes to the exact command.
 */
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseExtension } from "../config/file.ts";
import {
  type Ask,
  HOSTS,
  type HostId,
  hostFiles,
  hostOfPath,
  type ImportedServer,
  type ImportFile,
  type Place,
  readHostFile,
} from "../config/import/index.ts";
import {
  configFile,
  type ExtensionSettings,
  loadSettings,
  openSecrets,
  type SecretPlace,
  type SecretStore,
} from "../config/index.ts";
import { editConfig } from "../config/write.ts";
import { extensionKey } from "../extensions/index.ts";
import { UsageError } from "../lib/usage-error.ts";
import { HOSTS as PROVIDERS } from "../providers/hosts.ts";
import { asYaml, checkBuiltin, checkNewName, type ExtensionEntry, targetOf } from "./manage-extensions.ts";
import { variablesOf } from "./secret-environment.ts";
import type { Surroundings } from "./surroundings.ts";

export { HOST_IDS, type HostId } from "../config/import/index.ts";

export interface ImportSource {
  /** A file that was named, or `-` with its text. */
  readonly file?: string;
  readonly text?: string;
  readonly from?: HostId;
}

export interface FileSummary {
  readonly path: string;
  readonly host?: string;
  readonly scope: "user" | "project";
  readonly servers: number;
  /** Why it could not be read; the other files are. */
  readonly problem?: string;
}

export interface PlannedImport {
  readonly name: string;
  readonly path: string;
  readonly scope: "user" | "project";
  /** `exists`: the same is there already. `conflict`: something else has that name. */
  readonly action: "add" | "exists" | "conflict" | "refused";
  readonly reason?: string;
  readonly entry?: ExtensionEntry;
  /** The exact command or address. */
  readonly target?: string;
  readonly notes: readonly string[];
  /** Literal secrets of the other file: kept in the secret store when it is added. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Values that only the person can give. */
  readonly asks: readonly Ask[];
}

export interface ImportPlan {
  readonly files: readonly FileSummary[];
  readonly entries: readonly PlannedImport[];
}

/** Far beyond any real one; Claude Code keeps whole conversations in its file. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export async function planImport(source: ImportSource, place: Surroundings): Promise<ImportPlan> {
  const where: Place = {
    environment: place.environment,
    platform: process.platform,
    home: place.environment["HOME"] || homedir(),
    folder: place.workingDirectory,
  };
  const { extensions } = await loadSettings(place.paths);
  const files =
    source.file === undefined ? findFiles(source.from, where) : [namedFile(source.file, source, where)];
  const read = files.map((file) => ({ file, ...readServers(file, source, where) }));
  const secrets = openSecrets(place.paths, place.environment);
  const taken: Taken[] = extensions.map((settings) => ({ settings }));
  const entries = inOrderOfTrust(read.flatMap(({ servers }) => servers)).map((server) => {
    const planned = plan(server, taken, place, secrets);
    if (planned.action === "add" && planned.entry)
      taken.push({ settings: parseExtension(planned.name, planned.entry), path: planned.path });
    return planned;
  });
  return { files: read.map(({ file, servers, problem }) => summary(file, servers.length, problem)), entries };
}

export interface ImportResult {
  readonly file: string;
  readonly added: readonly string[];
  readonly secrets: Readonly<Record<string, SecretPlace>>;
  /** Secrets that were kept already, with another value: that one stays. */
  readonly keptSecrets: readonly string[];
}

/** `answers`: what the person gave for `asks`, by name. */
export async function applyImport(
  entries: readonly PlannedImport[],
  answers: Readonly<Record<string, string>>,
  { paths, environment }: Surroundings,
): Promise<ImportResult> {
  const store = openSecrets(paths, environment);
  const given = Object.assign({}, ...entries.map(({ secrets }) => secrets), answers) as Record<
    string,
    string
  >;
  const stored: Record<string, SecretPlace> = {};
  const keptSecrets: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const old = store.get(name);
    if (old === undefined) stored[name] = await store.set(name, value);
    else if (old !== value) keptSecrets.push(name);
  }
  const added: string[] = [];
  const { file } = await editConfig(configFile(paths), ({ extensions }) => {
    const keys = new Set(extensions.map(({ name }) => extensionKey(name)));
    const free = entries.filter(({ name, entry }) => entry && !keys.has(extensionKey(name)));
    added.splice(0, added.length, ...free.map(({ name }) => name));
    return free.flatMap(({ name, entry }) =>
      entry ? [{ type: "set" as const, path: ["extensions", name], value: asYaml(entry) }] : [],
    );
  });
  return { file, added, secrets: stored, keptSecrets };
}

/** A name in the configuration, or, with the path of its file, one that would be added before. */
interface Taken {
  readonly settings: ExtensionSettings;
  readonly path?: string;
}

/** What the person wrote comes first: a project's file cannot take a name from it. */
function inOrderOfTrust(servers: readonly ImportedServer[]): readonly ImportedServer[] {
  const own = servers.filter(({ file }) => file.scope === "user");
  return [...own, ...servers.filter((server) => !own.includes(server))];
}

function findFiles(from: HostId | undefined, place: Place): readonly ImportFile[] {
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return hostFiles(place).filter(({ host, path }) => (from === undefined || host === from) && isFile(path));
}

function namedFile(path: string, { from }: ImportSource, place: Place): ImportFile {
  const known = hostOfPath(path, place);
  return {
    path: path === "-" ? "standard input" : resolve(place.folder, path),
    scope: known?.scope ?? "user",
    ...(known?.project !== undefined && { project: known.project }),
    ...((from ?? known?.host) && { host: (from ?? known?.host) as HostId }),
  };
}

function readServers(
  file: ImportFile,
  source: ImportSource,
  place: Place,
): { readonly servers: readonly ImportedServer[]; readonly problem?: string } {
  try {
    return { servers: readHostFile(source.text ?? readText(file.path), file, place) };
  } catch (error) {
    // A file that was named must be readable; one that was found must not stop the others.
    if (source.file !== undefined) throw error;
    return { servers: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function readText(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`There is no file ${path}.`);
  if (!stats.isFile()) throw new UsageError(`${path} is not a file.`);
  if (stats.size > MAX_FILE_BYTES)
    throw new UsageError(`${path} has ${stats.size} bytes; at most ${MAX_FILE_BYTES} are read.`);
  return readFileSync(path, "utf8");
}

function plan(
  { name, file, reading }: ImportedServer,
  existing: readonly Taken[],
  place: Surroundings,
  secrets: SecretStore,
): PlannedImport {
  const base = { name, path: file.path, scope: file.scope, notes: [], secrets: {}, asks: [] };
  if (reading.type === "refused") return { ...base, action: "refused", reason: reading.reason };
  const { entry } = reading;
  let settings: ExtensionSettings;
  try {
    checkNewName(name);
    checkBuiltin(name, entry);
    settings = parseExtension(name, entry);
  } catch (error) {
    return { ...base, action: "refused", reason: error instanceof Error ? error.message : String(error) };
  }
  const target = targetOf(settings);
  const taken = existing.find((one) => extensionKey(one.settings.name) === extensionKey(name));
  if (taken && isSame(taken.settings, settings)) return { ...base, action: "exists", target, entry };
  if (taken) {
    const owner = taken.path === undefined ? "in the configuration" : `in ${taken.path}`;
    const reason = `"${taken.settings.name}" ${owner} is ${targetOf(taken.settings)}`;
    return { ...base, action: "conflict", target, entry, reason };
  }
  const notes = [...reading.notes, ...keysAskedFor(settings), ...unset(settings, reading, place, secrets)];
  return { ...base, action: "add", target, entry, notes, secrets: reading.secrets, asks: reading.asks };
}

/** The same thing is started or called in the same way; whether it is switched on is the person's own choice here. */
function isSame(one: ExtensionSettings, other: ExtensionSettings): boolean {
  const bare = ({
    enabled: _,
    description: __,
    name: ___,
    timeoutSeconds: ____,
    ...rest
  }: ExtensionSettings) => rest;
  return isDeepStrictEqual(bare(one), bare(other));
}

/** Whoever gets the key of a provider can spend the person's money: that is said, whatever the file looks like. */
function keysAskedFor(settings: ExtensionSettings): readonly string[] {
  const keys = new Set(PROVIDERS.flatMap(({ key, keyNames }) => (key === "required" ? keyNames : [])));
  const asked = variablesOf(settings).filter(({ name }) => keys.has(name));
  return [...new Set(asked.map(({ name }) => `it would get ${name}, the key of a provider: is that meant?`))];
}

function unset(
  settings: ExtensionSettings,
  { secrets: taken, asks }: { readonly secrets: object; readonly asks: readonly Ask[] },
  { environment }: Surroundings,
  store: SecretStore,
): readonly string[] {
  const kept = store.names();
  const missing = variablesOf(settings).filter(
    ({ name, hasDefault }) =>
      !hasDefault &&
      !environment[name] &&
      !Object.hasOwn(kept, name) &&
      !Object.hasOwn(taken, name) &&
      !asks.some((ask) => ask.name === name),
  );
  const names = [...new Set(missing.map(({ name }) => name))];
  const shadowed = Object.entries(taken as Record<string, string>).filter(
    ([name, value]) => environment[name] !== undefined && environment[name] !== value,
  );
  return [
    ...names.map(
      (name) => `${name} is not set: set it in the environment, or run kari config secret ${name}`,
    ),
    ...shadowed.map(([name]) => `${name} is set to something else in the environment, and that wins`),
  ];
}

function summary(file: ImportFile, servers: number, problem: string | undefined): FileSummary {
  return {
    path: file.path,
    ...(file.host && { host: HOSTS[file.host].label }),
    scope: file.scope,
    servers,
    ...(problem !== undefined && { problem }),
  };
}
