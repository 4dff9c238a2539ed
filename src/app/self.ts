/**
 * How to start this same program again: from source, from the build, as a single-file executable. It is found by
 * where this module lies and not by what the host program was called with, so that a program that uses Kari as a
 * library needs no `mcp` command of its own (MISSION C1, C8).
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSea } from "node:sea";
import { fileURLToPath } from "node:url";

export interface SelfCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export function selfCommand(): SelfCommand {
  if (isSea()) return { command: process.execPath, args: [] };
  return { command: process.execPath, args: [entry()] };
}

/** The folder of the built program, where the catalog of builtin tools lies; undefined when run from source. */
export function buildFolder(): string | undefined {
  return runsFromSource() ? undefined : dirname(fileURLToPath(import.meta.url));
}

function entry(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  if (runsFromSource()) return join(here, "..", "cli", "main.ts");
  const launcher = join(here, "..", "bin", "kari.js");
  if (!existsSync(launcher)) throw new Error(`Kari's own program is missing: ${launcher}.`);
  return launcher;
}

function runsFromSource(): boolean {
  return import.meta.url.endsWith(".ts");
}
