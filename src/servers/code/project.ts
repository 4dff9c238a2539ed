/**
 * The project this server looks at: its root, which is the boundary of everything, its index, and the watcher
 * that keeps both fresh. `set` moves the boundary; everything of the former project is let go.
 */
import { type ChangeBus, ResourceError } from "../kit/index.ts";
import { resolveFolder } from "./project-path.ts";
import { cacheIn, type StatisticsCache } from "./statistics/cache.ts";
import type { FirstLook } from "./statistics/first-look.ts";
import { ProjectIndex } from "./statistics/project-index.ts";
import { watchProject } from "./statistics/watch.ts";
import { ALL_STATS_URIS } from "./stats-uris.ts";

export interface ProjectOptions {
  readonly path: string | undefined;
  /** Undefined: nothing is kept between processes. */
  readonly cacheFolder: string | undefined;
  readonly changes: ChangeBus;
  /** A look at the project that was begun before. */
  readonly firstLook?: FirstLook;
}

const MAX_REMEMBERED_CHARACTERS = 4 * 1024 * 1024;

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

  /** An answer that was made for this version of the index is given again as it was. */
  async remember(
    { index, version }: { readonly index: ProjectIndex; readonly version: number },
    key: string,
    make: () => Promise<string>,
  ): Promise<string> {
    // Asked before the boundary moved: another project's versions have the same numbers.
    if (index !== this.#index) return await make();
    if (version !== this.#rememberedVersion) this.#forget(version);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const text = await make();
    const room = this.#rememberedSize + text.length <= MAX_REMEMBERED_CHARACTERS;
    if (index === this.#index && this.#rememberedVersion === version && room) {
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
    if (cacheFolder !== undefined) this.#cache ??= cacheIn(cacheFolder);
    const { firstLook } = this.#options;
    this.#index = new ProjectIndex(root, this.#cache, firstLook?.root === root ? firstLook : undefined);
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
