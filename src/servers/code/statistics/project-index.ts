/**
 * The statistics of one project, kept true. A read asks `refresh`, which looks at every file's size and times
 * beside a new listing, scans what changed, and leaves everything else as it was; while a watcher is on, only
 * what it reported is looked at. What comes out is a numbered version: equal numbers, equal statistics.
 */
import { lstatSync } from "node:fs";
import { type Listing, listFiles } from "../listing.ts";
import { type ListingMark, stillFits } from "../listing-mark.ts";
import type { StatisticsCache } from "./cache.ts";
import { FileTable } from "./file-table.ts";
import type { FirstLook } from "./first-look.ts";
import type { GitLook } from "./git-look.ts";
import { joinScan } from "./join-first-look.ts";
import { type ProjectNames, packNames } from "./names.ts";
import { beginLook, type LookRequest, scanRows } from "./scan-all.ts";

export interface Snapshot {
  readonly version: number;
  readonly table: FileTable;
  readonly source: Listing["source"];
  readonly notUtf8: readonly string[];
  /** When the statistics last changed, as far as this process has seen. */
  readonly updated: Date;
}

/** How long the watcher is believed without a look of our own. */
const TRUST_WATCHER_MS = 60_000;
const SAVE_DELAY_MS = 3000;

export class ProjectIndex {
  readonly root: string;
  readonly #cache: StatisticsCache | undefined;
  #first: FirstLook | undefined;
  #names: ProjectNames | undefined;
  /** As long as it fits, git would list the same names. */
  #mark: ListingMark | undefined;
  /** Taken, and not yet known to be one of these names. */
  #newMark: ListingMark | undefined;
  /** Of these names: what git can look with. */
  #gitLook: GitLook | undefined;
  #table = new FileTable(packNames(Buffer.alloc(0)));
  #source: Listing["source"] = "git";
  #version = 0;
  #updated = new Date();
  #running: Promise<void> | undefined;
  /** Whether the look that is running has begun to look: until then, whoever asks is in time for it. */
  #looking = false;
  #queued: Promise<void> | undefined;
  #rowOf: Map<string, number> | undefined;
  #watching = false;
  #reported = new Set<string>();
  #lastLook = Number.NEGATIVE_INFINITY;
  /** When that look began, as file systems tell the time. */
  #looked = 0;
  #saveTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(root: string, cache: StatisticsCache | undefined, first?: FirstLook) {
    this.root = root;
    this.#cache = cache;
    this.#first = first;
  }

  /** The statistics as of now: whatever changed before this call is in them. */
  async refresh(options: { readonly signal?: AbortSignal } = {}): Promise<Snapshot> {
    if (this.#isFresh()) return this.snapshot();
    // A look that began before this call may have passed a file that changed since; wait for one that begins now.
    if (this.#running && this.#looking) {
      this.#queued ??= this.#running.catch(() => {}).then(() => this.#start());
      await this.#queued;
    } else await this.#start();
    options.signal?.throwIfAborted();
    return this.snapshot();
  }

  snapshot(): Snapshot {
    return {
      version: this.#version,
      table: this.#table,
      source: this.#source,
      notUtf8: this.#names?.notUtf8 ?? [],
      updated: this.#updated,
    };
  }

  /** The row of a file, -1 when it is none of the project's. */
  rowOf(path: string): number {
    this.#rowOf ??= new Map(this.#table.paths.map((name, row) => [name, row]));
    return this.#rowOf.get(path) ?? -1;
  }

  /** From now on changes are told through `report`. */
  watcherStarted(): void {
    this.#watching = true;
    this.#lastLook = Number.NEGATIVE_INFINITY;
  }

  watcherStopped(): void {
    this.#watching = false;
  }

  /** Paths, relative to the root, at which something happened. */
  report(paths: Iterable<string>): void {
    for (const path of paths) this.#reported.add(path);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#saveTimer) this.#save();
  }

  #isFresh(): boolean {
    return (
      this.#watching && this.#reported.size === 0 && performance.now() - this.#lastLook < TRUST_WATCHER_MS
    );
  }

  #start(): Promise<void> {
    this.#queued = undefined;
    if (this.#running && !this.#looking) return this.#running;
    this.#running = this.#look().finally(() => {
      this.#running = undefined;
      this.#looking = false;
    });
    return this.#running;
  }

  async #look(): Promise<void> {
    // Questions often come together, and in more than one piece: those that are here by now get one look.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    this.#looking = true;
    const reported = this.#reported;
    this.#reported = new Set();
    const trusted = this.#watching && performance.now() - this.#lastLook < TRUST_WATCHER_MS;
    if (trusted && this.#names && this.#onlyKnownFiles(reported)) {
      return await this.#rescan([...reported].map((path) => this.rowOf(path)));
    }
    const began = performance.now();
    const since = Date.now();
    // Git needs nothing of what is recalled meanwhile.
    const asked = this.#names ? undefined : this.#cache?.askGit(this.root);
    const scanning = this.#names ? undefined : await this.#recall();
    let look = this.#beginLook(since, asked);
    // The mark of a listing spares the listing.
    const isListed = this.#mark !== undefined && stillFits(this.root, this.#mark);
    const listing = isListed ? undefined : listFiles(this.root);
    if (scanning) {
      await scanning();
      look = this.#beginLook(since);
    }
    const dirty = (await look?.()) ?? [];
    if (listing) await this.#compare(await listing, dirty);
    else await this.#rescan(dirty);
    this.#lastLook = began;
    this.#looked = since;
  }

  #beginLook(since: number, asked?: LookRequest["asked"]): (() => Promise<number[]>) | undefined {
    if (!this.#names) return undefined;
    const gitLook = this.#gitLook;
    return beginLook({ root: this.root, table: this.#table, names: this.#names, since, gitLook, asked });
  }

  async #compare({ names, source }: Listing, dirty: readonly number[]): Promise<void> {
    this.#source = source;
    // Of what git lists: ripgrep reads ignore files of its own.
    const mark = source === "git" ? this.#newMark : undefined;
    this.#newMark = undefined;
    if (!this.#names || !names.equals(this.#names.raw)) {
      this.#mark = undefined;
      return await this.#rebuild(packNames(names), new Set(dirty));
    }
    // The same files: a mark that was taken before is theirs, one that does not fit any more is no use.
    if (mark || this.#mark) this.#saveLater();
    this.#mark = mark;
    await this.#rescan(dirty);
  }

  /** Files that were there and are there: their contents changed, and the list did not. */
  #onlyKnownFiles(paths: ReadonlySet<string>): boolean {
    for (const path of paths) {
      const row = this.rowOf(path);
      if (row < 0 || isIgnoreFile(path) || !exists(`${this.root}/${path}`)) return false;
    }
    return true;
  }

  /**
   * What is known before the first look of our own: from the look that was begun ahead, or from the cache.
   * When that look is still scanning, the function that helps it to its end.
   */
  async #recall(): Promise<(() => Promise<void>) | undefined> {
    const first = this.#first;
    this.#first = undefined;
    const found = await first?.found;
    if (first && found?.kind === "scanning") {
      return async () => {
        this.#know(found.names, await joinScan(first, found));
        this.#saveLater();
      };
    }
    if (first && found?.kind === "cached") {
      // It ends with that, and is then free to help with the next task.
      await first.ended;
      this.#know(found.names, new FileTable(found.names, found.columns), found.gitLook);
      if (found.isNewMark) this.#newMark = found.mark;
      else this.#mark = found.mark;
      return undefined;
    }
    const cached = this.#cache?.load(this.root);
    if (cached) this.#know(cached.names, cached.table, cached.gitLook);
    this.#mark = cached?.mark;
    return undefined;
  }

  #know(names: ProjectNames, table: FileTable, gitLook?: GitLook): void {
    this.#gitLook = gitLook;
    this.#names = names;
    this.#table = table;
    this.#rowOf = undefined;
    this.#changed();
  }

  /** A new list of files: what is known of a file goes with it. */
  async #rebuild(names: ProjectNames, dirty: ReadonlySet<number>): Promise<void> {
    const old = this.#table;
    const table = new FileTable(names);
    const known = new Map(old.paths.map((path, row) => [path, row]));
    const rows: number[] = [];
    for (const [row, path] of table.paths.entries()) {
      const before = known.get(path);
      if (before === undefined || dirty.has(before)) rows.push(row);
      else table.copyRow(row, old, before);
    }
    await scanRows({ root: this.root, table, names, rows });
    this.#know(names, table);
    this.#saveLater();
  }

  async #rescan(rows: readonly number[]): Promise<void> {
    if (rows.length === 0 || !this.#names) return;
    const table = this.#table;
    const before = rows.map((row) => rowText(table.columns, row));
    // Readers see whole versions: the new rows are made apart and put in place together.
    const names = packNames(Buffer.from(`${rows.map((row) => table.path(row)).join("\0")}\0`));
    const apart = new FileTable(names);
    await scanRows({ root: this.root, table: apart, names, rows: rows.map((_, i) => i) });
    for (const [i, path] of apart.paths.entries()) table.copyRow(this.rowOf(path), apart, i);
    const { columns } = table;
    if (rows.every((row, i) => rowText(columns, row) === before[i])) return;
    this.#changed();
    this.#saveLater();
  }

  #changed(): void {
    this.#version += 1;
    this.#updated = new Date();
  }

  /** Not before every answer: a project that is being edited would be written all the time. */
  #saveLater(): void {
    if (!this.#cache || this.#saveTimer || this.#closed) return;
    this.#saveTimer = setTimeout(() => this.#save(), SAVE_DELAY_MS);
    this.#saveTimer.unref();
  }

  #save(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    if (!this.#names || !this.#cache) return;
    const known = { names: this.#names, table: this.#table, mark: this.#mark, looked: this.#looked };
    this.#gitLook = this.#cache.save(this.root, known);
  }
}

function rowText(columns: FileTable["columns"], row: number): string {
  const { state, language, lines, code, comments, decisions, functions, size, modified } = columns;
  return [state, language, lines, code, comments, decisions, functions, size, modified]
    .map((column) => column[row])
    .join();
}

/** Files that change which files are listed. */
function isIgnoreFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name === ".gitignore" || name === ".ignore" || name === ".rgignore";
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
