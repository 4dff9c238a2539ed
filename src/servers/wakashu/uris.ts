/**
 * The names under which parts of the collection are shared: file URIs for pictures and texts, and `wakashu://`
 * for what is not one file. All are built as IRIs, readable as the document shows them; `toUri` gives the same
 * name in ASCII (RFC 3986, 8089). Both spellings are understood wherever a name comes in.
 */
import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ResourceError } from "../kit/index.ts";
import type { Collection, Edition, FoundFile, Library, Post } from "./library.ts";
import { fold, readInteger } from "./names.ts";

export type WakashuUri =
  | { readonly kind: "schema" }
  | { readonly kind: "collection"; readonly wakashuName: string }
  | { readonly kind: "edition"; readonly wakashuName: string; readonly edition: number }
  | {
      readonly kind: "post" | "text" | "picture" | "jpeg";
      readonly wakashuName: string;
      readonly edition: number;
      /** A rank, or the folder's name where two share a rank. */
      readonly rank: string;
      /** For `jpeg`: the longest side in pixels. */
      readonly side: number | undefined;
    }
  | { readonly kind: "file"; readonly path: string };

export const SCHEMA_URI = "wakashu://schema/textdata";
export const TEMPLATES = {
  collection: "wakashu://collection/{wakashuName}",
  edition: "wakashu://edition/{wakashuName}/{edition}",
  post: "wakashu://post/{wakashuName}/{edition}/{rank}",
  picture: "wakashu://picture/{wakashuName}/{edition}/{rank}",
  text: "wakashu://text/{wakashuName}/{edition}/{rank}",
  jpeg: "wakashu://jpeg/{wakashuName}/{edition}/{rank}{?side}",
} as const;

const rootIris = new WeakMap<Library, string>();
const MAX_URI_CHARACTERS = 8192;
const MIN_SIDE = 16;
const MAX_SIDE = 2560;

export function collectionIri(collection: Collection): string {
  return `wakashu://collection/${segment(collection.name)}`;
}

export function editionIri({ collection, edition }: Edition): string {
  return partIri("edition", { wakashuName: collection.name, edition });
}

export function postIri(
  post: Post,
  kind: "post" | "text" | "picture" | "jpeg" = "post",
  side?: number,
): string {
  const { collection, edition } = post.edition;
  const rank = post.tied ? post.directory : String(post.rank);
  const query = side === undefined ? "" : `?side=${side}`;
  return `${partIri(kind, { wakashuName: collection.name, edition, rank })}${query}`;
}

export function partIri(
  kind: "edition" | "post" | "text" | "picture" | "jpeg",
  { wakashuName, edition, rank }: { wakashuName: string; edition: number; rank?: string },
): string {
  const base = `wakashu://${kind}/${segment(wakashuName)}/${edition}`;
  return rank === undefined ? base : `${base}/${segment(rank)}`;
}

export function fileIri(library: Library, file: FoundFile): string {
  let root = rootIris.get(library);
  if (root === undefined) {
    root = toIri(pathToFileURL(library.root).href).replace(/\/$/, "");
    rootIris.set(library, root);
  }
  return `${root}/${file.path.split("/").map(segment).join("/")}`;
}

/** The IRI in ASCII letters alone. */
export function toUri(iri: string): string {
  return iri.replace(/[^\u0000-\u007f]+/g, encodeURIComponent);
}

/** The URI with its Japanese readable; what has a meaning in a URI stays encoded. */
export function toIri(uri: string): string {
  return uri.replace(/(?:%[89A-F][0-9A-F])+/gi, (bytes) => decoded(bytes) ?? bytes);
}

/** Throws ResourceError for what is no name of ours. `path` of a file is relative to the root. */
export function parseUri(uri: string, library: Library): WakashuUri {
  if (uri.length > MAX_URI_CHARACTERS)
    throw new ResourceError(
      "invalid",
      `The URI has ${uri.length} characters; at most ${MAX_URI_CHARACTERS} are read.`,
    );
  if (/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(uri))
    throw new ResourceError("invalid", "The URI contains control characters.");
  if (/^file:/i.test(uri)) return { kind: "file", path: pathInRoot(uri, library) };
  const match = /^wakashu:\/\/([a-z]+)\/([^?#]*)(?:\?([^#]*))?$/i.exec(uri);
  if (!match)
    throw new ResourceError(
      "invalid",
      `Not a URI of this server: ${shown(uri)}. It shares file: and wakashu: URIs; see resources/list.`,
    );
  const [, kind = "", rest = "", query] = match;
  // A name may hold a slash: it is compared with names and never becomes a path.
  const parts = rest.split("/").map((part) => {
    const value = decoded(part);
    if (value === undefined || value.includes("\0"))
      throw new ResourceError("invalid", `Malformed percent-encoding in ${shown(uri)}`);
    return value;
  });
  const found = fromParts(kind.toLowerCase(), parts, new URLSearchParams(query));
  if (!found)
    throw new ResourceError(
      "not-found",
      `No such resource: ${shown(uri)}. The shapes are: ${Object.values(TEMPLATES).join(", ")}`,
    );
  return found;
}

function fromParts(kind: string, parts: readonly string[], query: URLSearchParams): WakashuUri | undefined {
  const [wakashuName = "", editionText, rank] = parts;
  const edition = readInteger(editionText);
  switch (kind) {
    case "schema":
      return parts.length === 1 && fold(wakashuName) === "textdata" ? { kind: "schema" } : undefined;
    case "collection":
      return parts.length === 1 ? { kind, wakashuName } : undefined;
    case "edition":
      return parts.length === 2 && edition !== undefined ? { kind, wakashuName, edition } : undefined;
    case "post":
    case "text":
    case "picture":
    case "jpeg": {
      if (parts.length !== 3 || edition === undefined || !rank) return undefined;
      return { kind, wakashuName, edition, rank, side: sideOf(query.get("side")) };
    }
    default:
      return undefined;
  }
}

function sideOf(value: string | null): number | undefined {
  const side = readInteger(value ?? undefined);
  return side === undefined ? undefined : Math.min(Math.max(side, MIN_SIDE), MAX_SIDE);
}

function pathInRoot(uri: string, library: Library): string {
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch {
    throw new ResourceError("invalid", `Not a file URI of this machine: ${shown(uri)}`);
  }
  const inside = relative(library.root, path);
  if (inside === "" || isAbsolute(inside) || inside.split(sep)[0] === "..") {
    throw new ResourceError("refused", `Outside the collection: ${shown(uri)}`);
  }
  return inside.split(sep).join("/");
}

/** One segment of a path: everything that has a meaning in a URI is encoded, other letters stay readable. */
function segment(name: string): string {
  return name.replace(/[\u0000-\u0020"#%/<>?[\\\]^`{|}\u007f]/g, encodeURIComponent);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function shown(uri: string): string {
  return uri.length > 200 ? `${uri.slice(0, 200)}…` : uri;
}
