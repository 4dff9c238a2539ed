/**
 * What builtins offer, known from the build: the first question to the model waits for no child process, and
 * connecting to one needs no handshake. scripts/builtin-catalog.ts asks the built servers and writes the file.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Remembered } from "../extensions/index.ts";
import { buildFolder } from "./self.ts";

export const CATALOG_FILE = "builtin-catalog.json";

export type BuiltinCatalog = Readonly<Record<string, Remembered>>;

let loaded: BuiltinCatalog | undefined;

/** Undefined when run from source: then the child is asked. */
export function recallBuiltin(name: string): Remembered | undefined {
  loaded ??= load();
  return Object.hasOwn(loaded, name) ? loaded[name] : undefined;
}

function load(): BuiltinCatalog {
  const folder = buildFolder();
  if (folder === undefined) return {};
  try {
    return JSON.parse(readFileSync(join(folder, CATALOG_FILE), "utf8")) as BuiltinCatalog;
  } catch {
    return {};
  }
}
