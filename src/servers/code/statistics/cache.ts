/**
 * Keeps what was learned about a project's files between processes, in a database outside the repository.
 * A row of it is believed only when the file's size and times are still the same, so that an old or a foreign
 * snapshot costs time and never truth. A cache that cannot be opened or is broken is done without.
 */
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { LANGUAGES } from "../languages/index.ts";
import type { ListingMark } from "../listing-mark.ts";
import { allocateColumns, COLUMN_NAMES, FileTable } from "./file-table.ts";
import { askGit, forgetGitLooks, type GitLook, prepareGitLook } from "./git-look.ts";
import { forgetKnown, noteKnown } from "./known-projects.ts";
import { countNames, type ProjectNames, packNames, unpackNames } from "./names.ts";

/** To be raised whenever the scanner counts differently: then nothing old is believed. */
const SCANNER_VERSION = 6;
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

export interface CachedProject {
  readonly names: ProjectNames;
  readonly table: FileTable;
  /** As long as it fits, the names are still those. */
  readonly mark?: ListingMark | undefined;
  /** With which git can look at most of the files. */
  readonly gitLook?: GitLook | undefined;
}

export interface ProjectToSave extends Omit<CachedProject, "gitLook"> {
  /** When every row that is older was true (milliseconds since 1970). */
  readonly looked: number;
}

export interface StatisticsCache {
  load(project: string): CachedProject | undefined;
  /** Asks git what has changed of the rows that were saved, before they are loaded. Undefined when it cannot tell. */
  askGit(project: string): Promise<readonly string[] | undefined>;
  /** Gives what git can look with from now on. */
  save(project: string, known: ProjectToSave): GitLook | undefined;
  close(): void;
}

/** Opened when it is first used; then as `openCache`. */
export function cacheIn(folder: string): StatisticsCache {
  let opened: { readonly cache: StatisticsCache | undefined } | undefined;
  const cache = () => {
    opened ??= { cache: openCache(folder) };
    return opened.cache;
  };
  return {
    load: (project) => cache()?.load(project),
    askGit: (project) => askGit(lookFolderIn(folder), project),
    save: (project, known) => cache()?.save(project, known),
    close: () => opened?.cache?.close(),
  };
}

/** Undefined when the folder cannot be used; the server then remembers only while it lives. */
export function openCache(folder: string): StatisticsCache | undefined {
  const file = join(folder, "code-statistics.sqlite");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new SqliteCache(file, folder);
  } catch (error) {
    if (
      (error as { errcode?: number }).errcode !== SQLITE_NOTADB &&
      (error as { errcode?: number }).errcode !== SQLITE_CORRUPT
    ) {
      return undefined;
    }
  }
  try {
    // Broken, and nothing in it that cannot be learned again.
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
    return new SqliteCache(file, folder);
  } catch {
    return undefined;
  }
}

/** Absolute: git is run elsewhere. */
function lookFolderIn(folder: string): string {
  return resolve(folder, "git-look");
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

class SqliteCache implements StatisticsCache {
  readonly #database: DatabaseSync;
  readonly #version = `${SCANNER_VERSION}.${tableMark()}`;
  readonly #folder: string;
  readonly #lookFolder: string;

  constructor(file: string, folder: string) {
    this.#folder = folder;
    this.#lookFolder = lookFolderIn(folder);
    // Made by us, for us alone: the files that the database puts beside it take over its permissions.
    closeSync(openSync(file, "a", 0o600));
    // Loaded here and not at the top: a server that finds nothing to keep never needs it.
    const sqlite = process.getBuiltinModule("node:sqlite");
    this.#database = new sqlite.DatabaseSync(file);
    this.#database.exec(
      "PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
    );
    this.#database.exec(
      "CREATE TABLE IF NOT EXISTS project (path TEXT PRIMARY KEY, version TEXT, saved INTEGER, files INTEGER, data BLOB) STRICT",
    );
  }

  load(project: string): CachedProject | undefined {
    try {
      const row = this.#database
        .prepare("SELECT files, data FROM project WHERE path = ? AND version = ?")
        .get(project, this.#version) as { files: number; data: Uint8Array } | undefined;
      return row && unpack(row.data, row.files, this.#lookFolder);
    } catch {
      return undefined;
    }
  }

  askGit(project: string): Promise<readonly string[] | undefined> {
    return askGit(this.#lookFolder, project);
  }

  save(project: string, { looked, ...known }: ProjectToSave): GitLook | undefined {
    const { table } = known;
    const gitLook = prepareGitLook({ folder: this.#lookFolder, root: project, table, looked });
    try {
      this.#database
        .prepare("INSERT OR REPLACE INTO project (path, version, saved, files, data) VALUES (?, ?, ?, ?, ?)")
        .run(project, this.#version, Date.now(), table.length, pack({ ...known, gitLook }));
      this.#database.prepare("DELETE FROM project WHERE saved < ?").run(Date.now() - KEEP_MS);
      noteKnown(this.#folder, project);
      forgetKnown(this.#folder, Date.now() - KEEP_MS);
      if (gitLook) forgetGitLooks(this.#lookFolder, Date.now() - KEEP_MS);
    } catch {
      // Another process holds it, or the disk is full: the next one learns it again.
    }
    return gitLook;
  }

  close(): void {
    this.#database.close();
  }
}

interface Rest {
  readonly mark?: ListingMark | undefined;
  readonly witness?: string | undefined;
}

/**
 * How long the names, their offsets and the settled rows are; all three; the columns one after another as they lie in
 * memory; the rest as JSON.
 */
function pack({ names, table, mark, gitLook }: CachedProject): Buffer {
  // Names that had to be put in order are put in order again.
  const offsets = names.raw === names.bytes ? bytesOf(names.offsets) : Buffer.alloc(0);
  const settled = gitLook ? bytesOf(gitLook.settled) : Buffer.alloc(0);
  const head = Buffer.from(Uint32Array.of(names.raw.length, offsets.length, settled.length).buffer);
  const columns = COLUMN_NAMES.map((name) => bytesOf(table.columns[name]));
  const rest: Rest = { mark, witness: gitLook?.witness };
  return Buffer.concat([head, names.raw, offsets, settled, ...columns, Buffer.from(JSON.stringify(rest))]);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function unpack(data: Uint8Array, files: number, lookFolder: string): CachedProject | undefined {
  const bytes = bytesOf(data);
  let at = 0;
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const length = () => take(4).readUInt32LE();
  const [namesLength, offsetsLength, settledLength] = [length(), length(), length()];
  const raw = take(namesLength);
  const offsets = take(offsetsLength);
  const settled = take(settledLength);
  const names = offsetsLength > 0 ? unpackNames(raw, offsets) : packNames(Buffer.from(raw));
  if (countNames(names) !== files) return undefined;
  const columns = allocateColumns(files);
  for (const name of COLUMN_NAMES) {
    const column = bytesOf(columns[name]);
    if (take(column.length).copy(column) !== column.length) return undefined;
  }
  const { mark, witness } = JSON.parse(bytes.toString("utf8", at)) as Rest;
  const gitLook =
    witness !== undefined && settled.length === files
      ? { folder: lookFolder, witness, settled: Uint8Array.from(settled) }
      : undefined;
  return { names, table: new FileTable(names, columns), mark, gitLook };
}

/** Rows speak of languages by number, so that another table of languages means another cache. */
function tableMark(): string {
  let hash = 0;
  for (const { name, extensions = "" } of LANGUAGES) {
    for (const character of name + extensions) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  }
  return (hash >>> 0).toString(36);
}
