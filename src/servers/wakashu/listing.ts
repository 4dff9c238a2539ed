/**
 * What a folder's entries mean: editions, posts, or a post's files. Pure over the list of entries, and worked out
 * once for each list: as long as a folder is unchanged its list is the same object.
 */
import { editionOf, isTextFile, PICTURE_EXTENSIONS, pictureExtension, postOf } from "./names.ts";

export interface Entry {
  readonly name: string;
  /** `refused` is a link that leads out of the root, or a device, FIFO or socket. */
  readonly kind: "directory" | "file" | "refused";
}

export type Listing = readonly Entry[];

export interface ListedEdition {
  readonly edition: number;
  readonly directory: string;
  readonly unread: readonly string[];
  readonly refused: boolean;
}

export interface ListedPost {
  readonly rank: number;
  readonly name: string;
  readonly directory: string;
  readonly tied: boolean;
  readonly refused: boolean;
}

export interface ListedFiles {
  /** The first is the one to read. */
  readonly texts: readonly string[];
  readonly pictures: readonly string[];
}

/** By number. Of several folders for one edition, the document's own spelling: 第1回 before 第01回. */
export const editionsIn = once((listing): readonly ListedEdition[] => {
  const found = listing.flatMap(({ name, kind }) => {
    const edition = kind === "file" ? undefined : editionOf(name);
    return edition === undefined ? [] : [{ edition, name, kind }];
  });
  return [...Map.groupBy(found, ({ edition }) => edition)]
    .toSorted(([a], [b]) => a - b)
    .map(([edition, entries]) => {
      const [first, ...rest] = entries.toSorted(
        (a, b) => a.name.length - b.name.length || compare(a.name, b.name),
      );
      return {
        edition,
        directory: first?.name ?? "",
        unread: rest.map(({ name }) => name),
        refused: first?.kind === "refused",
      };
    });
});

/** By rank; folders of the same rank by name. */
export const postsIn = once((listing): readonly ListedPost[] => {
  const found = listing.flatMap(({ name: directory, kind }) => {
    const post = kind === "file" ? undefined : postOf(directory);
    return post ? [{ ...post, directory, refused: kind === "refused" }] : [];
  });
  const byRank = Map.groupBy(found, ({ rank }) => rank);
  return found
    .toSorted((a, b) => a.rank - b.rank || compare(a.directory, b.directory))
    .map((post) => ({ ...post, tied: (byRank.get(post.rank)?.length ?? 0) > 1 }));
});

/** The document's spelling first; pictures in the document's order of formats. */
export function filesIn(listing: Listing, rank: number): ListedFiles {
  return filesOf(listing)(rank);
}

const filesOf = once((listing) => {
  const byRank = new Map<number, ListedFiles>();
  return (rank: number): ListedFiles => {
    const known = byRank.get(rank);
    if (known) return known;
    const names = listing.filter(({ kind }) => kind !== "directory").map(({ name }) => name);
    const order = (name: string) => PICTURE_EXTENSIONS.indexOf(pictureExtension(name, rank) ?? "png");
    const files = {
      texts: names.filter((name) => isTextFile(name, rank)).toSorted(bySpelling("TextData")),
      pictures: names
        .filter((name) => pictureExtension(name, rank) !== undefined)
        .toSorted((a, b) => order(a) - order(b) || bySpelling("Picture")(a, b)),
    };
    byRank.set(rank, files);
    return files;
  };
});

/** Works a value out once for each listing. */
export function once<Value>(make: (listing: Listing) => Value): (listing: Listing) => Value {
  const made = new WeakMap<Listing, { readonly value: Value }>();
  return (listing) => {
    const known = made.get(listing);
    if (known) return known.value;
    const value = make(listing);
    made.set(listing, { value });
    return value;
  };
}

function bySpelling(prefix: string): (a: string, b: string) => number {
  const order = (name: string) => (name.startsWith(prefix) ? 0 : 1);
  return (a, b) => order(a) - order(b) || compare(a, b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
