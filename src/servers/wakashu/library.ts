/**
 * The collections under one root, as they lie on the disk right now:
 * `<root>/第{n}回/{rank}-{name}/`, or the same one folder deeper when several collections share the root.
 * Folders are listed when they are asked for and never at the start; a listing is reused only while the folder
 * is unchanged. Names given by a caller are matched against what was listed and never become a path.
 */
import { readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { isInside, resolveInside, SafePathError } from "../../lib/safe-path.ts";
import { readSmallFile } from "./files.ts";
import {
  type Entry,
  editionsIn,
  filesIn,
  type ListedEdition,
  type ListedPost,
  type Listing,
  once,
  postsIn,
} from "./listing.ts";
import { editionOf, fold } from "./names.ts";
import { RealRoot } from "./real-root.ts";
import { doNotKeep, StatCache, stateOf } from "./stat-cache.ts";

export interface Collection {
  /** As shown: from its description file, else the folder's own name. */
  readonly name: string;
  /** Without a description file a collection that is the whole root answers to every name. */
  readonly named: boolean;
  /** From the root, with forward slashes; empty for the root itself. */
  readonly path: string;
}

/** `unread` are other folders that say they are this edition; `refused` is a link out of the root, not entered. */
export interface Edition extends ListedEdition {
  readonly collection: Collection;
  readonly path: string;
}

/** `tied`: another folder has the same rank, and both are given. `refused`: as of an edition. */
export interface Post extends ListedPost {
  readonly edition: Edition;
  readonly path: string;
}

export interface FoundFile {
  readonly name: string;
  readonly path: string;
}

export interface PostFiles {
  readonly text: FoundFile | undefined;
  readonly picture: FoundFile | undefined;
  /** More texts or pictures of the same rank, which the post does not show. */
  readonly others: readonly FoundFile[];
  /** The folder itself could not be listed. */
  readonly unreadable: boolean;
}

/** The root cannot be read at all. Everything below it that is missing is an ordinary answer. */
export class LibraryError extends Error {
  override readonly name = "LibraryError";
}

const DESCRIPTION_FILES = ["collection.json", "和歌集.json"];
const DESCRIPTION_KEYS = ["name", "wakashuname", "title", "名前", "和歌集名", "題名"];
const MAX_DESCRIPTION_BYTES = 64 * 1024;
const MAX_NAME_CHARACTERS = 200;
/** Folder entries kept over all folders; one entry costs about 100 bytes. */
const MAX_LISTED_ENTRIES = 200_000;

export class Library {
  /** Absolute, as it was given. */
  readonly root: string;
  readonly boundary: RealRoot;
  readonly #listings = new StatCache<Listing>(MAX_LISTED_ENTRIES);
  readonly #descriptions = new StatCache<string>(1000);

  constructor(root: string) {
    this.boundary = new RealRoot(root);
    this.root = this.boundary.path;
  }

  collections(): Collection[] {
    const entries = this.#list("");
    if (entries === undefined) {
      throw new LibraryError(
        `和歌集のルートディレクトリー「${this.root}」を読めません。--root か環境変数 WAKASHU_ROOT で正しい場所を指定してください。`,
      );
    }
    const own = hasEditions(entries) || this.#describedName("", entries) !== undefined;
    const below = otherFolders(entries)
      .filter(({ name }) => hasEditions(this.#list(name) ?? []))
      .map(({ name }) => this.#collection(name, this.#list(name) ?? []));
    return own ? [this.#collection("", entries), ...below] : below;
  }

  /**
   * The collection a caller means: by its name or its folder's name, else by a part of its name when only one
   * has it. The one collection of a root that has no description file answers to every name.
   */
  findCollection(name: string): Collection | undefined {
    const collections = this.collections();
    const wanted = fold(unquote(name));
    const exact =
      collections.find((candidate) => fold(candidate.name) === wanted) ??
      collections.find((candidate) => candidate.path !== "" && fold(candidate.path) === wanted);
    if (exact) return exact;
    const [only] = collections;
    if (collections.length === 1 && only && !only.named && only.path === "") return only;
    const partly = collections.filter(({ name: known }) => isPartOf(fold(known), wanted));
    return partly.length === 1 ? partly[0] : undefined;
  }

  editions(collection: Collection): Edition[] {
    return editionsIn(this.#list(collection.path) ?? []).map((listed) => inCollection(collection, listed));
  }

  findEdition(collection: Collection, edition: number): Edition | undefined {
    const listed = editionsIn(this.#list(collection.path) ?? []).find((one) => one.edition === edition);
    return listed && inCollection(collection, listed);
  }

  /** By rank; folders of the same rank by name. */
  posts(edition: Edition): Post[] {
    return this.ranks(edition).map((listed) => this.post(edition, listed));
  }

  /** What `posts` are made from, for those who want only a few of them. */
  ranks(edition: Edition): readonly ListedPost[] {
    return postsIn(this.#list(edition.path) ?? []);
  }

  post(edition: Edition, listed: ListedPost): Post {
    return { ...listed, edition, path: below(edition.path, listed.directory) };
  }

  files(post: Post): PostFiles {
    const listing = post.refused ? undefined : this.#list(post.path);
    if (!listing) return { text: undefined, picture: undefined, others: [], unreadable: true };
    const found = (name: string): FoundFile => ({ name, path: below(post.path, name) });
    const { texts, pictures } = filesIn(listing, post.rank);
    const [text, ...otherTexts] = texts;
    const [picture, ...otherPictures] = pictures;
    return {
      text: text === undefined ? undefined : found(text),
      picture: picture === undefined ? undefined : found(picture),
      others: [...otherPictures, ...otherTexts].map(found),
      unreadable: false,
    };
  }

  absolute(path: string): string {
    return path === "" ? this.root : join(this.root, path);
  }

  #collection(path: string, entries: Listing): Collection {
    const described = this.#describedName(path, entries);
    const folder = basename(this.absolute(path)).normalize("NFC");
    return { name: described ?? (folder || "和歌集"), named: described !== undefined || path !== "", path };
  }

  #describedName(path: string, entries: Listing): string | undefined {
    for (const wanted of DESCRIPTION_FILES) {
      const entry = entries.find(({ name, kind }) => kind === "file" && fold(name) === fold(wanted));
      const file = entry && below(path, entry.name);
      const state = file === undefined ? undefined : stateOf(this.absolute(file));
      if (file === undefined || state === undefined) continue;
      const known = this.#descriptions.get(file, state);
      const name = known ?? this.#readName(file);
      if (name === undefined) continue;
      this.#descriptions.set(file, state, name, 1);
      return name;
    }
    return undefined;
  }

  /** A description that cannot be read is no description: the folder's name serves. */
  #readName(file: string): string | undefined {
    try {
      const { bytes } = readSmallFile(this.boundary, file, MAX_DESCRIPTION_BYTES);
      const parsed: unknown = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
      if (typeof parsed !== "object" || parsed === null) return undefined;
      for (const [key, value] of Object.entries(parsed)) {
        if (!DESCRIPTION_KEYS.includes(fold(key)) || typeof value !== "string") continue;
        const name = value.normalize("NFC").replace(/\s+/g, " ").trim().slice(0, MAX_NAME_CHARACTERS);
        if (name !== "") return name;
      }
      return undefined;
    } catch {
      return undefined;
    }
  }

  /** Undefined when the folder cannot be listed. */
  #list(path: string): Listing | undefined {
    const folder = this.absolute(path);
    const state = stateOf(folder);
    if (state === undefined || !state.isDirectory()) return undefined;
    const known = this.#listings.get(folder, state);
    if (known) return known;
    let followed = false;
    try {
      if (path !== "" && !isInside(this.boundary.real, realpathSync.native(folder))) return undefined;
      const entries = readdirSync(folder, { withFileTypes: true }).flatMap((entry): Entry[] => {
        if (entry.isDirectory()) return [{ name: entry.name, kind: "directory" }];
        if (entry.isFile()) return [{ name: entry.name, kind: "file" }];
        if (!entry.isSymbolicLink()) return [{ name: entry.name, kind: "refused" }];
        followed = true;
        return [{ name: entry.name, kind: this.#kindOfLink(below(path, entry.name)) }];
      });
      // Where a link leads can change without a trace in the folder that holds it.
      if (followed) doNotKeep();
      else this.#listings.set(folder, state, entries, entries.length + 1);
      return entries;
    } catch {
      return undefined;
    }
  }

  #kindOfLink(path: string): Entry["kind"] {
    try {
      const target = stateOf(resolveInside(this.root, path).path);
      if (target?.isDirectory()) return "directory";
      return target?.isFile() ? "file" : "refused";
    } catch (error) {
      if (error instanceof SafePathError) return "refused";
      throw error;
    }
  }
}

/** Folders that may hold a collection of their own. */
const otherFolders = once((listing) =>
  listing.filter(
    ({ name, kind }) => kind === "directory" && editionOf(name) === undefined && !name.startsWith("."),
  ),
);

function hasEditions(listing: Listing): boolean {
  return editionsIn(listing).some(({ refused }) => !refused);
}

function inCollection(collection: Collection, listed: ListedEdition): Edition {
  return { ...listed, collection, path: below(collection.path, listed.directory) };
}

/** 「名」 and "name" mean the name inside. */
function unquote(name: string): string {
  return name.trim().replace(/^[「『"'“]+|[」』"'”]+$/g, "");
}

function isPartOf(known: string, wanted: string): boolean {
  return wanted.length >= 2 && (known.includes(wanted) || wanted.includes(known));
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}
