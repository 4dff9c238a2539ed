/**
 * Tells of changes in the working directory once somebody subscribed to a resource. Loaded only then. Where a
 * whole home or disk would have to be watched, or the system has no watches left, nothing is watched: the edits
 * of this server are told all the same, by itself.
 */
import { homedir } from "node:os";
import { dirname, parse } from "node:path";
import { pathToFileURL } from "node:url";
import type { ChangeBus } from "../kit/changes.ts";

/** Folders whose changes come by thousands and interest nobody. */
const IGNORED = ["**/.git/**", "**/node_modules/**", "**/__pycache__/**", "**/.venv/**"];

interface Subscription {
  unsubscribe(): Promise<void>;
}

export class WorkspaceWatch {
  readonly #root: string;
  readonly #changes: ChangeBus;
  #subscription: Promise<Subscription | undefined> | undefined;
  #active: Subscription | undefined;
  #isClosed = false;

  constructor(root: string, changes: ChangeBus) {
    this.#root = root;
    this.#changes = changes;
  }

  start(): void {
    if (this.#subscription || this.#root === parse(this.#root).root || this.#root === homedir()) return;
    this.#subscription = this.#subscribe();
  }

  /** Resolves when the watch is on; for whoever must not miss a change. */
  async ready(): Promise<boolean> {
    return (await this.#subscription) !== undefined;
  }

  /** Does not wait for a watch that is still going through the folders: it ends by itself when it is on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#active?.unsubscribe();
  }

  async #subscribe(): Promise<Subscription | undefined> {
    try {
      const { subscribe } = await import("@parcel/watcher");
      const active = await subscribe(this.#root, (error, events) => this.#tell(error ? [] : events), {
        ignore: IGNORED,
      });
      if (this.#isClosed) await active.unsubscribe();
      else this.#active = active;
      return this.#active;
    } catch (error) {
      process.stderr.write(`developer: ${this.#root} is not watched: ${(error as Error).message}\n`);
      return undefined;
    }
  }

  #tell(events: readonly { readonly path: string; readonly type: string }[]): void {
    for (const { path } of events) {
      this.#changes.publish({ type: "resource-updated", uri: pathToFileURL(path).href });
    }
    const listed = events.some(({ path, type }) => type !== "update" && dirname(path) === this.#root);
    if (listed) this.#changes.publish({ type: "resources-changed" });
  }
}
