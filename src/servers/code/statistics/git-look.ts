/**
 * Git looks at many files for us: it asks the system for each file's times in several threads, and without a word of
 * JavaScript. It is given an index of our own in a repository of our own, where nothing but that index is; what the
 * project's repository says (its settings, filters, hooks, and its own index) is not read at all.
 * Git's word is taken only when it names the witness, an entry for a file that has never been there: then it has read
 * the very index that belongs to the rows.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture, SAFE_GIT, SAFE_GIT_ENVIRONMENT } from "../listing.ts";
import type { FileTable } from "./file-table.ts";
import { encodeGitIndex } from "./git-index.ts";
import { fileNameOf } from "./known-projects.ts";
import { nameAt, type PackedNames, rowFrom } from "./names.ts";
import { countRows, settledRows } from "./settled-rows.ts";

/** Plain data: it can be sent to a thread as it is. */
export interface GitLook {
  readonly folder: string;
  readonly witness: string;
  /** 1 for each row that is in the index. */
  readonly settled: Uint8Array;
}

export interface GitLookRequest {
  /** Where indexes are kept, one for each project. */
  readonly folder: string;
  readonly root: string;
  readonly table: FileTable;
  /** When every row that is older was true (milliseconds since 1970). */
  readonly looked: number;
}

/** Fewer are looked at before git has started. */
export const WORTH_ASKING = 5000;

/** Writes the index for the rows as they are. Undefined where git would be of no use. */
export function prepareGitLook({ folder, root, table, looked }: GitLookRequest): GitLook | undefined {
  // There, the time that only the system sets means another thing.
  if (process.platform === "win32") return undefined;
  const settled = settledRows(table.columns, looked);
  if (countRows(settled) < WORTH_ASKING) return undefined;
  const witness = `.kari-witness-${process.getBuiltinModule("node:crypto").randomUUID()}`;
  const index = encodeGitIndex({ names: table.names, columns: table.columns, rows: settled, witness });
  try {
    makeRepository(folder);
    const file = indexFile(folder, root);
    const whole = `${file}.${process.pid}`;
    writeFileSync(whole, index, { mode: 0o600 });
    renameSync(whole, file);
    return { folder, witness, settled };
  } catch {
    // The disk is full, or not ours: there are other ways to look.
    return undefined;
  }
}

/** What git finds changed of the project's index; undefined when there is none, or git fails. */
export async function askGit(folder: string, root: string): Promise<readonly string[] | undefined> {
  if (!existsSync(indexFile(folder, root))) return undefined;
  const environment = environmentFor(folder, root);
  const { code, stdout } = await capture("git", DIFF_FILES, root, { environment });
  return code === 0 ? stdout.toString().split("\0").slice(0, -1) : undefined;
}

/** 1 for each row that is true by git's word; undefined when that is no word about these rows. */
export function believedRows(
  names: PackedNames,
  { witness, settled }: GitLook,
  changed: readonly string[],
): Uint8Array | undefined {
  const believed = new Uint8Array(new SharedArrayBuffer(settled.length));
  believed.set(settled);
  let hasWitness = false;
  for (const name of changed) {
    const row = rowFrom(names, name);
    if (name === witness) hasWitness = true;
    else if (row < settled.length && nameAt(names, row) === name) believed[row] = 0;
    // A name that is none of ours: these are not the rows of that index.
    else return undefined;
  }
  return hasWitness ? believed : undefined;
}

const DIFF_FILES = [
  ...SAFE_GIT,
  "-c",
  "core.trustCtime=true",
  "-c",
  "core.checkStat=default",
  "-c",
  "core.preloadIndex=true",
  // A file that may be executed now is the same file.
  "-c",
  "core.fileMode=false",
  "diff-files",
  "--name-only",
  "-z",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=all",
];

/** Of what we have, nothing that is meant for git: it would be for other repositories. */
function environmentFor(folder: string, root: string): NodeJS.ProcessEnv {
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(plain),
    ...SAFE_GIT_ENVIRONMENT,
    GIT_DIR: folder,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: indexFile(folder, root),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
  };
}

/** The witness tells for certain whose it is. */
function indexFile(folder: string, root: string): string {
  return join(folder, `${fileNameOf(root)}.index`);
}

/** As little as git takes for a repository. */
function makeRepository(folder: string): void {
  for (const inner of ["objects", "refs"]) mkdirSync(join(folder, inner), { recursive: true, mode: 0o700 });
  const head = join(folder, "HEAD");
  if (!existsSync(head)) writeFileSync(head, "ref: refs/heads/none\n", { mode: 0o600 });
}

/** Indexes that were written before this moment (milliseconds since 1970) go. */
export function forgetGitLooks(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.includes(".index") && lstatSync(file).mtimeMs < before) rmSync(file, { force: true });
  }
}
