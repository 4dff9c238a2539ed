/**
 * Tells subscribers when files of the collection change. Answers never depend on it (they look at the disk each
 * time), so it starts only when somebody wants to be told. Events are gathered for a moment, because one saved
 * file is several of them.
 */
import { relative, sep } from "node:path";
import type { AsyncSubscription } from "@parcel/watcher";
import type { ChangeBus } from "../kit/index.ts";
import { type Library, LibraryError } from "./library.ts";
import { editionOf, postOf } from "./names.ts";
import { collectionIri, fileIri, partIri, toUri } from "./uris.ts";

interface FileEvent {
  readonly path: string;
  readonly type: "create" | "update" | "delete";
}

const GATHER_MS = 50;

export class CollectionWatch {
  readonly #library: Library;
  readonly #changes: ChangeBus;
  #watching: Promise<AsyncSubscription | undefined> | undefined;
  #gathered: FileEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #active: AsyncSubscription | undefined;
  #isClosed = false;

  constructor(library: Library, changes: ChangeBus) {
    this.#library = library;
    this.#changes = changes;
  }

  /** Does nothing when it already watches. Resolves when changes are seen from now on. */
  async start(): Promise<void> {
    this.#watching ??= this.#subscribe();
    await this.#watching;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isClosed = true;
    // One that is still going through the folders ends by itself when it is on.
    await this.#active?.unsubscribe();
  }

  async #subscribe(): Promise<AsyncSubscription | undefined> {
    try {
      const { default: watcher } = await import("@parcel/watcher");
      const active = await watcher.subscribe(this.#library.root, (error, events) => {
        if (error) process.stderr.write(`wakashu: watching stopped: ${error.message}\n`);
        else this.#gather(events);
      });
      if (this.#isClosed) await active.unsubscribe();
      else this.#active = active;
      return this.#active;
    } catch (error) {
      // Nothing but the notifications is lost: reading looks at the disk itself.
      process.stderr.write(`wakashu: cannot watch ${this.#library.root} for changes: ${String(error)}\n`);
      this.#watching = undefined;
      return undefined;
    }
  }

  #gather(events: readonly FileEvent[]): void {
    this.#gathered.push(...events);
    this.#timer ??= setTimeout(() => this.#tell(), GATHER_MS);
  }

  #tell(): void {
    const events = this.#gathered;
    this.#gathered = [];
    this.#timer = undefined;
    const iris = new Set(events.flatMap(({ path }) => this.#affected(path)));
    // A client may have subscribed by either spelling.
    for (const uri of new Set([...iris].flatMap((iri) => [toUri(iri), iri]))) {
      this.#changes.publish({ type: "resource-updated", uri });
    }
    if (events.some(({ type }) => type !== "update")) this.#changes.publish({ type: "resources-changed" });
  }

  /** The names of everything that shows what lies at this path, whether it is still there or not. */
  #affected(path: string): string[] {
    const inside = relative(this.#library.root, path).split(sep).join("/");
    return this.#collections().flatMap((collection) => {
      const base = collection.path === "" ? "" : `${collection.path}/`;
      if (!inside.startsWith(base)) return [];
      const [directory = "", postDirectory = ""] = inside.slice(base.length).split("/");
      const edition = editionOf(directory);
      if (edition === undefined) return base === "" ? [] : [collectionIri(collection)];
      const parts = { wakashuName: collection.name, edition };
      const post = postOf(postDirectory);
      const ranks = post ? [String(post.rank), postDirectory] : [];
      return [
        fileIri(this.#library, { name: "", path: inside }),
        ...ranks.flatMap((rank) =>
          (["post", "text", "picture", "jpeg"] as const).map((kind) => partIri(kind, { ...parts, rank })),
        ),
        partIri("edition", parts),
        collectionIri(collection),
      ];
    });
  }

  #collections() {
    try {
      return this.#library.collections();
    } catch (error) {
      if (error instanceof LibraryError) return [];
      throw error;
    }
  }
}
