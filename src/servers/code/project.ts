/**
 * The project this server looks at: its root, which is the boundary of everything, its index, and the watcher
 * that keeps both fresh. `set` moves the boundary; everything of the former project is let go.
 */
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { shown } from "../../lib/safe-path.ts";
import { type ChangeBus, ResourceError } from "../kit/index.ts";
import { openCache, type StatisticsCache } from "./statistics/cache.ts";
import { ProjectIndex } from "./statistics/project-index.ts";
import { watchProject } from "./statistics/watch.ts";
import { ALL_STATS_URIS } from "./stats-uris.ts";

export interface ProjectOptions {
  readonly path: string | undefined;
  /** Undefined: nothing is kept between processes. */
  readonly cacheFolder: string | undefined;
  readonly changes: ChangeBus;
}

const MAX_REMEMBERED_CHARACTERS = 4 * 1024 * 1024;

export class ProjectPathError extends Error {
  override readonly name = "ProjectPathError";
}

export class Project {
  readonly #options: ProjectOptions;
  #cache: StatisticsCache | undefined;
  #index: ProjectIndex | undefined;
  #stopWatching: (() => void) | undefined;
  #watchWanted = false;
  readonly #remembered = new Map<string, string>();
  #rememberedVersion = -1;
  #rememberedSize = 0;

  constructor(options: ProjectOptions) {
    this.#options = options;
    if (options.path !== undefined) this.#use(resolveFolder(options.path, process.cwd()));
  }

  /** The index of the project; the document's error when none is set. */
  index(): ProjectIndex {
    if (!this.#index)
      throw new ResourceError("invalid", "Project path not set. Call set_project_path() first.");
    return this.#index;
  }

  get root(): string | undefined {
    return this.#index?.root;
  }

  set(path: string): string {
    const root = resolveFolder(path, this.#index?.root ?? process.cwd());
    if (root === this.#index?.root) return root;
    this.#stop();
    this.#use(root);
    const { changes } = this.#options;
    changes.publish({ type: "resources-changed" });
    for (const uri of ALL_STATS_URIS) changes.publish({ type: "resource-updated", uri });
    return root;
  }

  /** Called when a client first subscribes; from then on changes are told through the bus. */
  startWatching(): void {
    this.#watchWanted = true;
    if (!this.#index || this.#stopWatching) return;
    this.#stopWatching = watchProject(this.#index, this.#options.changes);
  }

  /** An answer that was made for this version is given again as it was. */
  async remember(version: number, key: string, make: () => Promise<string>): Promise<string> {
    if (version !== this.#rememberedVersion) this.#forget(version);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const text = await make();
    const room = this.#rememberedSize + text.length <= MAX_REMEMBERED_CHARACTERS;
    if (this.#rememberedVersion === version && room) {
      this.#remembered.set(key, text);
      this.#rememberedSize += text.length;
    }
    return text;
  }

  close(): void {
    this.#stop();
    this.#cache?.close();
    this.#cache = undefined;
  }

  #use(root: string): void {
    const { cacheFolder } = this.#options;
    if (cacheFolder !== undefined) this.#cache ??= openCache(cacheFolder);
    this.#index = new ProjectIndex(root, this.#cache);
    this.#forget(-1);
    if (this.#watchWanted) this.startWatching();
  }

  #forget(version: number): void {
    this.#remembered.clear();
    this.#rememberedSize = 0;
    this.#rememberedVersion = version;
  }

  #stop(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#index?.close();
    this.#index = undefined;
  }
}

/** The real path of a folder that exists; says what is wrong with any other. */
function resolveFolder(path: string, base: string): string {
  if (path === "") throw new ProjectPathError("Project path cannot be empty");
  if (path.includes("\0")) throw new ProjectPathError("Project path contains null bytes");
  const wanted = isAbsolute(path) ? path : resolve(base, path);
  try {
    const real = realpathSync.native(wanted);
    if (!statSync(real).isDirectory())
      throw new ProjectPathError(`Project path is not a directory: ${shown(path)}`);
    return real;
  } catch (error) {
    if (error instanceof ProjectPathError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES") throw new ProjectPathError(`Permission denied: ${shown(path)}`);
    throw new ProjectPathError(`Project path does not exist: ${shown(path)}`);
  }
}
