/**
 * Brings the resources that matter into the context by themselves: those of priority 1.0, those the person attached
 * or pinned. Reads them once, again when their server says that they changed, and, where a server cannot say, at the
 * start of each of the person's turns. What the model is told lives in agent/context; this is the reading.
 */
import {
  type Candidate,
  type ContextSource,
  chooseWithinBudget,
  type LeftOut,
  NO_ROOM,
  Shelf,
  type Snapshot,
  tokensOf,
  type Unread,
} from "../agent/index.ts";
import {
  isActive,
  isFor,
  type Resource,
  type ResourceContents,
  type ShelfEntry,
  type UserMessage,
} from "../conversation/index.ts";
import { type ExtensionManager, isServerExtension, type ServerExtension } from "../extensions/index.ts";
import { whyUnusable } from "../lib/resource-uri.ts";
import { isTextType } from "../lib/text-type.ts";

export interface ActiveResourcesOptions {
  /** Tokens that all resources in the context may have together. */
  readonly budget: number;
  /** False for extensions that are known to have no active resources: they are not even started for it. */
  mayBeActive(key: string): boolean;
  onShelf(entries: readonly ShelfEntry[]): void;
}

interface Watched {
  list: readonly Resource[] | undefined;
  /** By URI; absent means: read it. */
  readonly snapshots: Map<string, Snapshot>;
  /** Bytes of those that turned out to be larger than the whole budget: their content is not kept. */
  readonly tooLarge: Map<string, number>;
  readonly subscribed: Set<string>;
}

/** How long one question waits for resources; what is late comes with the next. */
const COLLECT_MS = 5000;

export class ActiveResources implements ContextSource {
  readonly #manager: ExtensionManager;
  readonly #options: ActiveResourcesOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #attached = new Map<string, Candidate>();
  /** Active ones that the person does not want. */
  readonly #dropped = new Set<string>();
  #shelf = new Shelf();

  constructor(manager: ExtensionManager, options: ActiveResourcesOptions) {
    this.#manager = manager;
    this.#options = options;
  }

  get shelf(): readonly ShelfEntry[] {
    return this.#shelf.entries();
  }

  /** What should be on the shelf and is not, and why. */
  get leftOut(): readonly LeftOut[] {
    return this.#shelf.leftOut;
  }

  /** The person speaks: what its server does not watch for us is read again. */
  startRun(): void {
    for (const extension of this.#servers()) {
      if (extension.listing?.tellsChanges === true) continue;
      const watched = this.#watched.get(extension.key);
      if (!watched) continue;
      watched.list = undefined;
      watched.snapshots.clear();
      watched.tooLarge.clear();
    }
  }

  attach(extension: string, uri: string, why: "attached" | "pinned"): void {
    const key = keyOf(extension, uri);
    this.#dropped.delete(key);
    this.#attached.set(key, { extension, why, resource: { uri, name: uri } });
  }

  /** Takes a resource out, whatever brought it in, until it is attached again. True when it was there. */
  drop(uri: string): boolean {
    const attached = [...this.#attached.values()].map(({ extension, resource }) => ({
      extension,
      uri: resource.uri,
    }));
    const found = [...attached, ...this.#shelf.entries()].filter((entry) => entry.uri === uri);
    for (const { extension } of found) {
      this.#attached.delete(keyOf(extension, uri));
      this.#dropped.add(keyOf(extension, uri));
    }
    return found.length > 0;
  }

  /** The messages that told of the shelf are gone: everything is told again. */
  reset(): void {
    this.#shelf = new Shelf();
  }

  async collect({ signal }: { readonly signal: AbortSignal }): Promise<readonly UserMessage[]> {
    const servers = this.#servers().filter(({ key }) => this.#options.mayBeActive(key));
    if (servers.length === 0 && this.#attached.size === 0 && this.#shelf.entries().length === 0) return [];
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(COLLECT_MS)]);
    await Promise.all(servers.map((extension) => this.#list(extension, deadline)));
    const { snapshots, leftOut } = await chooseWithinBudget(
      this.#candidates(),
      this.#options.budget,
      (candidate) => this.#read(candidate, deadline),
    );
    const message = this.#shelf.put(snapshots, leftOut, new Date().toISOString());
    if (!message) return [];
    this.#options.onShelf(this.#shelf.entries());
    return [message];
  }

  #servers(): readonly ServerExtension[] {
    return this.#manager
      .all()
      .filter(isServerExtension)
      .filter(({ listing }) => listing?.hasResources === true);
  }

  /** What is attached by the person goes before what a server thinks important; each resource once. */
  #candidates(): readonly Candidate[] {
    const active = [...this.#watched].flatMap(([extension, { list = [], tooLarge }]) =>
      list.filter(reachesModel).map((resource): Candidate => {
        const size = tooLarge.get(resource.uri) ?? resource.size;
        return { extension, resource: { ...resource, ...(size !== undefined && { size }) }, why: "active" };
      }),
    );
    const wanted = active.filter(({ extension, resource }) => {
      const key = keyOf(extension, resource.uri);
      return !this.#attached.has(key) && !this.#dropped.has(key);
    });
    return [...this.#attached.values(), ...wanted];
  }

  async #list(extension: ServerExtension, signal: AbortSignal): Promise<void> {
    const watched = this.#watch(extension);
    if (watched.list) return;
    try {
      watched.list = await extension.listResources({ signal });
    } catch {
      // It failed or is late: its failure is told where extensions are told of, and the next turn asks again.
    }
  }

  async #read({ extension: key, resource, why }: Candidate, signal: AbortSignal): Promise<Snapshot | Unread> {
    const { uri } = resource;
    const extension = this.#manager.get(key);
    if (!extension) return { reason: `there is no extension ${key}` };
    const unusable = whyUnusable(uri);
    if (unusable !== undefined) return { reason: unusable };
    const watched = isServerExtension(extension) ? this.#watch(extension) : undefined;
    const known = watched?.snapshots.get(uri);
    if (known) return { ...known, why };
    try {
      const contents = await extension.readResource(uri, { signal });
      const snapshot = await toSnapshot(key, resource, why, contents);
      if (watched && isServerExtension(extension)) this.#subscribe(extension, watched, uri);
      if ("reason" in snapshot) return snapshot;
      if (tokensOf(snapshot) <= this.#options.budget) {
        watched?.snapshots.set(uri, snapshot);
        return snapshot;
      }
      const size = bytesOf(snapshot);
      watched?.tooLarge.set(uri, size);
      return { reason: NO_ROOM, size };
    } catch (error) {
      if (signal.aborted) return { reason: "it is late and may come with the next turn" };
      return { reason: `it could not be read: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  #watch(extension: ServerExtension): Watched {
    const known = this.#watched.get(extension.key);
    if (known) return known;
    const watched: Watched = {
      list: undefined,
      snapshots: new Map(),
      tooLarge: new Map(),
      subscribed: new Set(),
    };
    this.#watched.set(extension.key, watched);
    extension.onChange((change) => {
      if (change.type === "resources") watched.list = undefined;
      if (change.type !== "resource") return;
      watched.snapshots.delete(change.uri);
      watched.tooLarge.delete(change.uri);
    });
    return watched;
  }

  #subscribe(extension: ServerExtension, watched: Watched, uri: string): void {
    if (watched.subscribed.has(uri)) return;
    watched.subscribed.add(uri);
    // Where it is refused, the resource is read again at the person's next turn.
    extension.subscribe(uri).catch(() => watched.subscribed.delete(uri));
  }
}

/** Important enough, and meant for the model: what is for the person alone is shown where it is listed. */
function reachesModel(resource: Resource): boolean {
  return isActive(resource) && isFor("assistant", resource.annotations);
}

async function toSnapshot(
  extension: string,
  resource: Resource,
  why: Snapshot["why"],
  contents: readonly ResourceContents[],
): Promise<Snapshot | Unread> {
  const { uri, name, mimeType, annotations } = resource;
  const common = {
    extension,
    uri,
    name,
    why,
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations?.priority !== undefined && { priority: annotations.priority }),
    ...(annotations?.lastModified !== undefined && { lastModified: annotations.lastModified }),
  };
  const [first] = contents;
  if (first && contents.length === 1 && "blob" in first && first.mimeType?.startsWith("image/")) {
    return { ...common, body: { type: "image", data: first.blob, mimeType: first.mimeType } };
  }
  const texts = await Promise.all(contents.map(asText));
  if (texts.every((text) => text === undefined))
    return { reason: `it is binary (${first?.mimeType ?? "unknown type"})` };
  const text =
    contents.length === 1
      ? (texts[0] ?? "")
      : contents.map(({ uri: part }, i) => `${part}:\n${texts[i] ?? "[binary]"}`).join("\n\n");
  return { ...common, body: { type: "text", text } };
}

function bytesOf({ body }: Snapshot): number {
  return Buffer.byteLength(body.type === "text" ? body.text : body.data);
}

function keyOf(extension: string, uri: string): string {
  return `${extension}\0${uri}`;
}

async function asText(contents: ResourceContents): Promise<string | undefined> {
  if ("text" in contents) return contents.text;
  if (!isTextType(contents.mimeType)) return undefined;
  const { textOfBlob } = await import("../lib/blob-text.ts");
  return textOfBlob(contents);
}
