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
import { editionOf, fold, isTextFile, PICTURE_EXTENSIONS, pictureExtension, postOf } from "./names.ts";
import { RealRoot } from "./real-root.ts";
import { StatCache, stateOf } from "./stat-cache.ts";

export interface Collection {
  /** As shown: from its description file, else the folder's own name. */
  readonly name: string;
  /** Without a description file a collection that is the whole root answers to every name. */
  readonly named: boolean;
  /** From the root, with forward slashes; empty for the root itself. */
  readonly path: string;
}

export interface Edition {
  readonly collection: Collection;
  readonly edition: number;
  readonly directory: string;
  readonly path: string;
  /** Other folders that also say they are this edition; they are not read. */
  readonly unread: readonly string[];
  /** Set when the folder is a link that leads out of the root: it is not entered. */
  readonly refused: boolean;
}

export interface Post {
  readonly edition: Edition;
  readonly rank: number;
  /** What follows the rank in the folder's name. */
  readonly name: string;
  readonly directory: string;
  readonly path: string;
  /** Whether another folder has the same rank: both are given. */
  readonly tied: boolean;
  /** As of an edition. */
  readonly refused: boolean;
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

interface Entry {
  readonly name: string;
  readonly kind: "directory" | "file" | "refused";
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
  readonly #listings = new StatCache<readonly Entry[]>(MAX_LISTED_ENTRIES);
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
    const below = entries
      .filter(
        ({ name, kind }) => kind === "directory" && editionOf(name) === undefined && !name.startsWith("."),
      )
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
    const byNumber = Map.groupBy(
      (this.#list(collection.path) ?? []).filter(
        ({ name, kind }) => kind !== "file" && editionOf(name) !== undefined,
      ),
      ({ name }) => editionOf(name) as number,
    );
    return [...byNumber]
      .toSorted(([a], [b]) => a - b)
      .map(([edition, entries]) => {
        // The document's own spelling first: 第1回 before 第01回.
        const [first, ...rest] = entries.toSorted(
          (a, b) => a.name.length - b.name.length || compare(a.name, b.name),
        );
        const directory = first?.name ?? "";
        return {
          collection,
          edition,
          directory,
          path: below(collection.path, directory),
          unread: rest.map(({ name }) => name),
          refused: first?.kind === "refused",
        };
      });
  }

  findEdition(collection: Collection, edition: number): Edition | undefined {
    return this.editions(collection).find((candidate) => candidate.edition === edition);
  }

  /** By rank; folders of the same rank by name. */
  posts(edition: Edition): Post[] {
    const found = (this.#list(edition.path) ?? []).flatMap(({ name: directory, kind }) => {
      const post = kind === "file" ? undefined : postOf(directory);
      return post ? [{ ...post, directory, refused: kind === "refused" }] : [];
    });
    const byRank = Map.groupBy(found, ({ rank }) => rank);
    return found
      .toSorted((a, b) => a.rank - b.rank || compare(a.directory, b.directory))
      .map((post) => ({
        ...post,
        edition,
        path: below(edition.path, post.directory),
        tied: (byRank.get(post.rank)?.length ?? 0) > 1,
      }));
  }

  files(post: Post): PostFiles {
    const entries = post.refused ? undefined : this.#list(post.path);
    if (!entries) return { text: undefined, picture: undefined, others: [], unreadable: true };
    const names = entries.filter(({ kind }) => kind !== "directory");
    const found = (name: string): FoundFile => ({ name, path: below(post.path, name) });
    const texts = names
      .filter(({ name }) => isTextFile(name, post.rank))
      .map(({ name }) => name)
      .toSorted((a, b) => spelling(a, "TextData") - spelling(b, "TextData") || compare(a, b));
    const pictures = names
      .flatMap(({ name }) => {
        const extension = pictureExtension(name, post.rank);
        return extension ? [{ name, order: PICTURE_EXTENSIONS.indexOf(extension) }] : [];
      })
      .toSorted(
        (a, b) =>
          a.order - b.order ||
          spelling(a.name, "Picture") - spelling(b.name, "Picture") ||
          compare(a.name, b.name),
      )
      .map(({ name }) => name);
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

  #collection(path: string, entries: readonly Entry[]): Collection {
    const described = this.#describedName(path, entries);
    const folder = basename(this.absolute(path)).normalize("NFC");
    return { name: described ?? (folder || "和歌集"), named: described !== undefined || path !== "", path };
  }

  #describedName(path: string, entries: readonly Entry[]): string | undefined {
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
  #list(path: string): readonly Entry[] | undefined {
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
      if (!followed) this.#listings.set(folder, state, entries, entries.length + 1);
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

function hasEditions(entries: readonly Entry[]): boolean {
  return entries.some(({ name, kind }) => kind === "directory" && editionOf(name) !== undefined);
}

/** 「名」 and "name" mean the name inside. */
function unquote(name: string): string {
  return name.trim().replace(/^[「『"'“]+|[」』"'”]+$/g, "");
}

function isPartOf(known: string, wanted: string): boolean {
  return wanted.length >= 2 && (known.includes(wanted) || wanted.includes(known));
}

/** Files written exactly as in the document come before other spellings. */
function spelling(file: string, prefix: string): number {
  return file.startsWith(prefix) ? 0 : 1;
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
