/**
 * Finds our own package on the disk, from the source tree and from the bundle alike, by walking up to its
 * manifest. Where there is none (a single-file executable) the caller says what it needs.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface PackageRoot {
  readonly path: string;
  readonly version: string;
}

const PACKAGE_NAME = "kari-agent";

export function findPackage(from: string = dirname(fileURLToPath(import.meta.url))): PackageRoot | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = readManifest(join(folder, "package.json"));
    if (manifest?.name === PACKAGE_NAME) return { path: folder, version: manifest.version ?? "0.0.0" };
    if (dirname(folder) === folder) return undefined;
  }
}

/** The collection that comes with the package. */
export function sampleRoot(from?: string): string | undefined {
  const found = findPackage(from);
  const sample = found && join(found.path, "examples", "wakashu");
  return sample !== undefined && existsSync(sample) ? sample : undefined;
}

function readManifest(file: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
