/**
 * Changes the user's `config.yaml`, and nothing in it but what was asked. Every change starts from the file as it is
 * on the disk at that moment, under a lock, so that two processes never lose each other's change and nothing is ever
 * rolled back. A file that is broken is not touched; a change that would break it is refused.
 */
import { lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { withFileLock } from "../lib/file-lock.ts";
import { replaceFile } from "../lib/replace-file.ts";
import { ConfigError } from "./config-error.ts";
import { checkConfig, parseConfig } from "./file.ts";
import type { FileSettings } from "./settings.ts";
import { editYaml, type YamlEdit } from "./yaml-edit.ts";

export interface WrittenConfig {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const HEADER = "# Settings of Kari. All keys: docs/configuration.md\n";
/** How often we start again because somebody without a lock (an editor) saved the file meanwhile. */
const MAX_TRIES = 5;

/** `plan` sees the settings as they are now and may throw; it is called again when the file changes meanwhile. */
export async function editConfig(
  file: string,
  plan: (settings: FileSettings) => readonly YamlEdit[],
): Promise<WrittenConfig> {
  const target = followLink(file);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    return await withFileLock(target, () => {
      for (let tries = 1; ; tries++) {
        const written = tryToEdit(target, file, plan, tries === MAX_TRIES);
        if (written) return written;
      }
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM" || code === "EROFS" || code === "ENOSPC" || code === "ENOTDIR")
      throw new ConfigError(`cannot be written (${code}). Nothing was changed.`, { file });
    throw error;
  }
}

/** Undefined when the file was changed while we were at it. */
function tryToEdit(
  target: string,
  file: string,
  plan: (settings: FileSettings) => readonly YamlEdit[],
  isLastTry: boolean,
): WrittenConfig | undefined {
  const before = readIfAny(target);
  const edits = plan(parseConfig(before ?? "", file));
  const after = edited(before ?? HEADER, edits, file);
  if (after === before || edits.length === 0) return { file, before: before ?? "", after: before ?? "" };
  refuseIfBroken(after, file);
  try {
    replaceFile(target, after, {
      confirm: () => {
        if (readIfAny(target) !== before) throw new ChangedMeanwhile(file);
      },
    });
  } catch (error) {
    if (error instanceof ChangedMeanwhile && !isLastTry) return undefined;
    throw error;
  }
  return { file, before: before ?? "", after };
}

/** The line would be one of a file that nobody has seen: the key says enough. */
function refuseIfBroken(text: string, file: string): void {
  const { errors } = checkConfig(text, file);
  const [error] = errors;
  if (error === undefined) return;
  const key = error.key === undefined ? {} : { key: error.key };
  throw new ConfigError(`${error.reason}. Nothing was changed.`, key);
}

class ChangedMeanwhile extends ConfigError {
  constructor(file: string) {
    super("is being changed by another program all the time. Nothing was written.", { file });
  }
}

function edited(text: string, edits: readonly YamlEdit[], file: string): string {
  try {
    return editYaml(text, edits);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { file });
  }
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Somebody keeps it elsewhere and links to it: the file there is replaced, not the link. */
function followLink(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isSymbolicLink()) return file;
  try {
    return realpathSync(file);
  } catch {
    return resolve(dirname(file), readlinkSync(file));
  }
}
