/**
 * Watches a project and tells subscribers what changed: first the index looks, then the news goes out, so that
 * whoever reads after the news reads the new numbers. Bursts are told once. Without a watcher (too many folders,
 * no permission) reads still look for themselves; only the news is missing, and that is said on stderr.
 */
import { relative, sep } from "node:path";
import type { ChangeBus } from "../../kit/index.ts";
import { ALL_STATS_URIS } from "../stats-uris.ts";
import { fileUri } from "../uri.ts";
import type { ProjectIndex } from "./project-index.ts";

/** A burst of changes (a checkout, a build) is told at most so often. */
const QUIET_MS = 250;
/** More files than these at once are not told one by one. */
const MAX_FILE_NEWS = 1000;
const NEVER_WATCHED = [".git", ".hg", ".svn", "**/node_modules/**", "**/.git/**"];

/** Returns the function that stops watching. */
export function watchProject(index: ProjectIndex, changes: ChangeBus): () => void {
  let stopped = false;
  let unsubscribe: (() => Promise<void>) | undefined;
  const news = new NewsDesk(index, changes);
  const start = async () => {
    const { subscribe } = await import("@parcel/watcher");
    const subscription = await subscribe(
      index.root,
      (error, events) => {
        if (error) return news.lostTrack();
        news.add(events.map(({ path }) => relative(index.root, path).split(sep).join("/")));
      },
      { ignore: NEVER_WATCHED },
    );
    if (stopped) return await subscription.unsubscribe();
    unsubscribe = () => subscription.unsubscribe();
    // Whatever changed before it was ready is found by a look at everything.
    news.lostTrack();
  };
  start().catch((error: unknown) => {
    if (!stopped)
      process.stderr.write(`code: cannot watch the project, changes are not told: ${String(error)}\n`);
  });
  return () => {
    stopped = true;
    news.stop();
    index.watcherStopped();
    unsubscribe?.().catch(() => {});
  };
}

class NewsDesk {
  readonly #index: ProjectIndex;
  readonly #changes: ChangeBus;
  #paths = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #lastSent = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #told: number;

  constructor(index: ProjectIndex, changes: ChangeBus) {
    this.#index = index;
    this.#changes = changes;
    this.#told = index.snapshot().version;
  }

  add(paths: readonly string[]): void {
    this.#index.report(paths);
    for (const path of paths) this.#paths.add(path);
    this.#schedule();
  }

  /** Events were lost: the index must look at everything. */
  lostTrack(): void {
    this.#index.watcherStarted();
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer || this.#stopped) return;
    const wait = Math.max(0, this.#lastSent + QUIET_MS - performance.now());
    this.#timer = setTimeout(() => void this.#send(), wait);
  }

  async #send(): Promise<void> {
    this.#timer = undefined;
    this.#lastSent = performance.now();
    const paths = this.#paths;
    this.#paths = new Set();
    try {
      await this.#index.refresh();
    } catch (error) {
      process.stderr.write(`code: cannot look at the changed files: ${String(error)}\n`);
      return;
    }
    if (this.#stopped) return;
    for (const path of [...paths].slice(0, MAX_FILE_NEWS)) {
      for (const uri of new Set([fileUri(path), `code://file/${path}`])) {
        this.#changes.publish({ type: "resource-updated", uri });
      }
    }
    // Not "did this look change it": a reader may have looked before us.
    const { version } = this.#index.snapshot();
    if (version === this.#told) return;
    this.#told = version;
    for (const uri of ALL_STATS_URIS) this.#changes.publish({ type: "resource-updated", uri });
  }
}
