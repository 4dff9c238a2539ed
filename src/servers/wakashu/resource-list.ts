/**
 * The list of resources, in pages. A cursor is a position by name, so that files which come and go while somebody
 * pages neither repeat nor hide others. Only folders are read for it, and the header of each picture.
 */
import { ProtocolError } from "@modelcontextprotocol/server";
import type { KitResource } from "../kit/index.ts";
import { FileProblem } from "./files.ts";
import type { Edition, FoundFile, Library, Post } from "./library.ts";
import type { Shelf } from "./post-picture.ts";
import { stateOf } from "./stat-cache.ts";
import { collectionIri, editionIri, fileIri, postIri, SCHEMA_URI, toUri } from "./uris.ts";

/** Clients follow a bounded number of pages: 100 editions of 100 ranks should fit into what they follow. */
const PAGE_SIZE = 1000;
const INVALID_PARAMS = -32602;

export function listPage(shelf: Shelf, cursor: string | undefined) {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const resources: KitResource[] = [];
  let last = after;
  if (!after) resources.push(schemaResource());
  for (const { position, list } of positions(shelf.library, after)) {
    if (resources.length >= PAGE_SIZE) return { resources, nextCursor: JSON.stringify(last) };
    resources.push(...list().map((resource) => describe(shelf, resource)));
    last = position;
  }
  return { resources };
}

type Position = readonly [collection: string, edition: number, rank: number, directory: string];
type Listed = KitResource & { readonly file?: FoundFile };

/** Everything in order, from just behind `after`: a collection, its editions, their posts. */
function* positions(library: Library, after: Position | undefined) {
  for (const collection of library.collections().toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (after && collection.path < after[0]) continue;
    const sameCollection = after !== undefined && collection.path === after[0];
    if (!sameCollection) {
      const position: Position = [collection.path, 0, 0, ""];
      yield {
        position,
        list: (): Listed[] => [
          {
            uri: collectionIri(collection),
            name: collection.name,
            mimeType: "application/json",
            description: "和歌集",
          },
        ],
      };
    }
    for (const edition of library.editions(collection)) {
      if (sameCollection && edition.edition < after[1]) continue;
      const sameEdition = sameCollection && edition.edition === after[1];
      if (!sameEdition) {
        const position: Position = [collection.path, edition.edition, 0, ""];
        yield { position, list: (): Listed[] => [editionResource(edition)] };
      }
      for (const post of library.posts(edition)) {
        if (sameEdition && (post.rank < after[2] || (post.rank === after[2] && post.directory <= after[3])))
          continue;
        const position: Position = [collection.path, edition.edition, post.rank, post.directory];
        yield { position, list: () => postResources(library, post) };
      }
    }
  }
}

function postResources(library: Library, post: Post): Listed[] {
  const title = `第${post.edition.edition}回 ${post.rank}位 ${post.name}`;
  const { picture, text } = library.files(post);
  return [
    {
      uri: postIri(post),
      name: title,
      description: `「${post.edition.collection.name}」の投稿（文字と画像）`,
    },
    ...(picture
      ? [{ uri: fileIri(library, picture), name: picture.name, title: `${title} の画像`, file: picture }]
      : []),
    ...(text
      ? [
          {
            uri: fileIri(library, text),
            name: text.name,
            title: `${title} の文字`,
            mimeType: "application/json",
            file: text,
          },
        ]
      : []),
  ];
}

function editionResource(edition: Edition): KitResource {
  return {
    uri: editionIri(edition),
    name: `${edition.collection.name} 第${edition.edition}回`,
    mimeType: "application/json",
    description: "その回の投稿の一覧（順位、アカウント名、本文、リンク、プロンプト）",
  };
}

function schemaResource(): KitResource {
  return {
    uri: SCHEMA_URI,
    name: "TextData.schema.json",
    mimeType: "application/schema+json",
    description: "TextData{順位}.json の書き方（JSON Schema）",
  };
}

/** Adds what the disk knows about a file, and a picture's type by its bytes. */
function describe({ library, pictures }: Shelf, { file, ...resource }: Listed): KitResource {
  const listed = { ...resource, uri: toUri(resource.uri) };
  const state = file && stateOf(library.absolute(file.path));
  if (!file || !state) return listed;
  const known = { size: state.size, annotations: { lastModified: state.mtime.toISOString() } };
  if (resource.mimeType !== undefined) return { ...listed, ...known };
  try {
    return { ...listed, ...known, mimeType: pictures.inspect(file).header.mimeType };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { ...listed, description: error.message };
  }
}

function parseCursor(cursor: string): Position {
  try {
    const [collection, edition, rank, directory]: unknown[] = JSON.parse(cursor);
    if (
      typeof collection === "string" &&
      typeof edition === "number" &&
      typeof rank === "number" &&
      typeof directory === "string"
    ) {
      return [collection, edition, rank, directory];
    }
  } catch {
    // Said below, with every other shape that is not ours.
  }
  throw new ProtocolError(INVALID_PARAMS, "The cursor is not one of this server: start again without it.");
}
