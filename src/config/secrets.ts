/**
 * Keys and tokens, kept out of `config.yaml`: in the system's keyring, or, where there is none, in a file only the
 * person can read. `secrets.json` says which names there are and where each is kept, so that a start without secrets
 * reads one small file at most and never loads the keyring.
 * The environment is asked first, by whoever looks a name up; that is not decided here.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { withFileLock } from "../lib/file-lock.ts";
import { replaceFile } from "../lib/replace-file.ts";
import { ConfigError } from "./config-error.ts";
import type { Environment, Paths } from "./paths.ts";

export type SecretPlace = "keyring" | "file";

export interface SecretStore {
  /** Undefined for a name that is not kept here. Throws ConfigError when it is, but cannot be read. */
  get(name: string): string | undefined;
  /** Where it was put: the keyring, unless there is none. */
  set(name: string, value: string): Promise<SecretPlace>;
  /** False when there was none. */
  remove(name: string): Promise<boolean>;
  names(): Readonly<Record<string, SecretPlace>>;
  readonly file: string;
}

/** The system's own store. `undefined` as a value is an absent one. */
export interface Keyring {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  remove(name: string): void;
}

type Entry = { readonly in: "keyring" } | { readonly in: "file"; readonly value: string };
type Entries = Readonly<Record<string, Entry>>;

const SERVICE = "kari";

/** Opening costs nothing: the file is read when the first name is asked for. */
export function openSecrets(
  paths: Paths,
  environment: Environment,
  openKeyring: () => Keyring = openSystemKeyring,
): SecretStore {
  const file = join(paths.config, "secrets.json");
  let entries: Entries | undefined;
  let keyring: Keyring | undefined;
  const known = () => {
    entries ??= readEntries(file);
    return entries;
  };
  const ring = () => {
    keyring ??= openKeyring();
    return keyring;
  };
  const change = async (name: string, entry: Entry | undefined) => {
    mkdirSync(paths.config, { recursive: true, mode: 0o700 });
    await withFileLock(file, () => {
      const { [name]: _old, ...others } = readEntries(file);
      const next = entry ? { ...others, [name]: entry } : others;
      replaceFile(file, `${JSON.stringify({ secrets: next }, null, 2)}\n`);
      entries = next;
    });
  };
  return {
    file,
    get(name) {
      const entry = Object.hasOwn(known(), name) ? known()[name] : undefined;
      if (entry === undefined) return undefined;
      if (entry.in === "file") return entry.value;
      return fromKeyring(name, ring);
    },
    async set(name, value) {
      try {
        if (environment["KARI_DISABLE_KEYRING"]) throw new Error("disabled");
        ring().set(name, value);
        await change(name, { in: "keyring" });
        return "keyring";
      } catch (error) {
        if (error instanceof ConfigError) throw error;
        await change(name, { in: "file", value });
        return "file";
      }
    },
    async remove(name) {
      const entry = Object.hasOwn(known(), name) ? known()[name] : undefined;
      if (entry === undefined) return false;
      if (entry.in === "keyring") ring().remove(name);
      await change(name, undefined);
      return true;
    },
    names: () => Object.fromEntries(Object.entries(known()).map(([name, entry]) => [name, entry.in])),
  };
}

function fromKeyring(name: string, ring: () => Keyring): string {
  let value: string | undefined;
  try {
    value = ring().get(name);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `${name} is kept in the system's keyring, and that cannot be read: ${reason}. Unlock it, or set ${name} in the environment.`,
    );
  }
  if (value === undefined)
    throw new ConfigError(
      `${name} is not in the system's keyring any more. Give it again: kari config secret ${name}`,
    );
  return value;
}

function readEntries(file: string): Entries {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new ConfigError(`cannot be read (${(error as NodeJS.ErrnoException).code}).`, { file });
  }
  try {
    const { secrets } = JSON.parse(text) as { secrets: Entries };
    return Object.fromEntries(Object.entries(secrets).filter(([, entry]) => isEntry(entry)));
  } catch {
    // Never its content: it may be a secret cut in half.
    throw new ConfigError(
      "is not the JSON that Kari wrote. Mend it, or remove it and give the secrets again.",
      {
        file,
      },
    );
  }
}

function isEntry(entry: unknown): entry is Entry {
  const { in: place, value } = entry as { in?: unknown; value?: unknown };
  return place === "keyring" || (place === "file" && typeof value === "string");
}

function openSystemKeyring(): Keyring {
  const { Entry } = createRequire(import.meta.url)("@napi-rs/keyring") as typeof import("@napi-rs/keyring");
  // On Linux the kernel's keyring would do too, but it forgets everything when the machine is switched off.
  const entry = (name: string) => new Entry(SERVICE, name, { linux: { store: "secret-service" } });
  return {
    get: (name) => entry(name).getPassword() ?? undefined,
    set: (name, value) => entry(name).setPassword(value),
    remove: (name) => void entry(name).deletePassword(),
  };
}
