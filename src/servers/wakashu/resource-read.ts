/**
 * Reads one resource by its URI, whichever way it is spelled. Files are given only when they belong to a post,
 * and only as much as one answer may hold; what is larger says under which name a smaller form is.
 */
import { type KitResourceContents, ResourceError } from "../kit/index.ts";
import { shorten } from "./answer.ts";
import { FileProblem, formatBytes, readSmallFile } from "./files.ts";
import type { Edition, FoundFile, Library, Post } from "./library.ts";
import { fold, isTextFile, readInteger } from "./names.ts";
import { bodyText, headLine, MAX_TEXT_BYTES } from "./post.ts";
import type { Shelf } from "./post-picture.ts";
import { decodeJson, TEXT_DATA_SCHEMA } from "./text-data.ts";
import { editionIri, fileIri, parseUri, postIri, toUri, type WakashuUri } from "./uris.ts";

const MAX_LISTED_POSTS = 1000;
const MAX_LISTED_CHARACTERS = 2000;

export async function readResource(
  shelf: Shelf,
  uri: string,
  maxBytes: number,
): Promise<readonly KitResourceContents[]> {
  const { library } = shelf;
  const wanted = parseUri(uri, library);
  switch (wanted.kind) {
    case "schema":
      return [json(uri, TEXT_DATA_SCHEMA, "application/schema+json")];
    case "collection": {
      const collection = library.findCollection(wanted.wakashuName);
      if (!collection) throw notFound(uri);
      const editions = library.editions(collection).map((edition) => ({
        edition: edition.edition,
        posts: library.posts(edition).length,
        uri: toUri(editionIri(edition)),
      }));
      return [json(uri, { name: collection.name, editions })];
    }
    case "edition": {
      const edition = findEdition(library, wanted);
      if (!edition) throw notFound(uri);
      return [json(uri, editionContents(shelf, edition))];
    }
    case "file":
      return [await readFile(shelf, uri, wanted.path, maxBytes)];
    case "post":
    case "picture":
    case "text":
    case "jpeg":
      return await readPart(shelf, uri, wanted, maxBytes);
    default:
      return wanted satisfies never;
  }
}

async function readPart(
  shelf: Shelf,
  uri: string,
  wanted: WakashuUri & { kind: "post" | "picture" | "text" | "jpeg" },
  maxBytes: number,
): Promise<readonly KitResourceContents[]> {
  const post = findPost(shelf.library, wanted);
  if (!post) throw notFound(uri);
  const { picture, text } = shelf.library.files(post);
  switch (wanted.kind) {
    case "text":
      if (!text) throw notFound(uri);
      return [textContents(shelf, uri, text)];
    case "picture":
      if (!picture) throw notFound(uri);
      return [await pictureContents(shelf, uri, picture, maxBytes)];
    case "jpeg": {
      if (!picture) throw notFound(uri);
      const { mimeType, base64 } = await shelf.pictures.jpeg(shelf.pictures.inspect(picture), wanted.side);
      return [{ uri, mimeType, blob: base64.text }];
    }
    case "post":
      return await readPost(shelf, uri, post, maxBytes);
    default:
      return wanted.kind satisfies never;
  }
}

/** The words as the document writes them, then the picture, if it can be given whole. */
async function readPost(
  shelf: Shelf,
  uri: string,
  post: Post,
  maxBytes: number,
): Promise<readonly KitResourceContents[]> {
  const { picture, pictureProblem, textProblems, ...found } = shelf.reader.read(post);
  const problems = pictureProblem === undefined ? [...textProblems] : [pictureProblem, ...textProblems];
  const contents: KitResourceContents[] = [];
  if (picture) {
    try {
      const name = toUri(fileIri(shelf.library, picture.file));
      contents.push(await pictureContents(shelf, name, picture.file, maxBytes / 2));
    } catch (error) {
      if (!(error instanceof FileProblem) && !(error instanceof ResourceError)) throw error;
      problems.push(error.message);
    }
  }
  const head = headLine(found);
  const words = [head, bodyText(found.data), ...problems.map((problem) => `※ ${problem}`)];
  return [{ uri, mimeType: "text/plain", text: words.filter(Boolean).join("\n") }, ...contents];
}

/** A file is given only when it belongs to a post: the root may hold other things. */
async function readFile(
  shelf: Shelf,
  uri: string,
  path: string,
  maxBytes: number,
): Promise<KitResourceContents> {
  const file = findFile(shelf.library, path);
  if (!file) throw new ResourceError("not-found", `Not a picture or text of the collection: ${uri}`);
  const rank = /(\d+)\.[^.]*$/.exec(fold(file.name))?.[1];
  return isTextFile(file.name, Number(rank))
    ? textContents(shelf, uri, file)
    : await pictureContents(shelf, uri, file, maxBytes);
}

function findFile(library: Library, path: string): FoundFile | undefined {
  const post = findPostOf(library, path);
  if (!post) return undefined;
  const { picture, text, others } = library.files(post);
  const files = [picture, text, ...others].filter((file) => file !== undefined);
  const wanted = path.normalize("NFC");
  return (
    files.find((file) => file.path === path) ?? files.find((file) => file.path.normalize("NFC") === wanted)
  );
}

function findPostOf(library: Library, path: string): Post | undefined {
  const wanted = path.normalize("NFC");
  for (const collection of library.collections()) {
    const edition = library.editions(collection).find((candidate) => isBelow(wanted, candidate.path));
    const post = edition && library.posts(edition).find((candidate) => isBelow(wanted, candidate.path));
    if (post) return post;
  }
  return undefined;
}

function findEdition(
  library: Library,
  wanted: { wakashuName: string; edition: number },
): Edition | undefined {
  const collection = library.findCollection(wanted.wakashuName);
  return collection && library.findEdition(collection, wanted.edition);
}

/** By rank, or by the folder's name where two share a rank. */
export function findPost(
  library: Library,
  wanted: { wakashuName: string; edition: number; rank: string },
): Post | undefined {
  const edition = findEdition(library, wanted);
  if (!edition) return undefined;
  const posts = library.posts(edition);
  const rank = readInteger(wanted.rank);
  return (
    posts.find((post) => fold(post.directory) === fold(wanted.rank)) ??
    posts.find((post) => post.rank === rank)
  );
}

function editionContents(shelf: Shelf, edition: Edition) {
  const all = shelf.library.posts(edition);
  const posts = all.slice(0, MAX_LISTED_POSTS).map((post) => {
    const { picture } = shelf.library.files(post);
    const data = shelf.reader.words(post);
    return {
      rank: post.rank,
      account: data.account ?? post.name,
      ...(data.text !== undefined && { text: shorten(data.text, MAX_LISTED_CHARACTERS) }),
      urls: data.urls,
      ...(data.prompt !== undefined && { prompt: shorten(data.prompt, MAX_LISTED_CHARACTERS) }),
      ...(picture && { picture: toUri(fileIri(shelf.library, picture)) }),
      uri: toUri(postIri(post)),
    };
  });
  const more = all.length - posts.length;
  return {
    wakashuName: edition.collection.name,
    edition: edition.edition,
    posts,
    ...(more > 0 && { notListed: more, hint: "getRanking か search で続きを取得できます。" }),
  };
}

function textContents({ library }: Shelf, uri: string, file: FoundFile): KitResourceContents {
  const { bytes } = readSmallFile(library.boundary, file.path, MAX_TEXT_BYTES);
  const text = decodeJson(bytes);
  if (text === undefined) throw new ResourceError("failed", `${file.name} の文字コードが分かりません。`);
  return { uri, mimeType: "application/json", text };
}

async function pictureContents(
  { library, pictures }: Shelf,
  uri: string,
  file: FoundFile,
  maxBytes: number,
): Promise<KitResourceContents> {
  const info = pictures.inspect(file);
  const problem = pictures.tooLarge(info);
  if (problem !== undefined) throw new ResourceError("refused", problem);
  if ((info.stats.size / 3) * 4 > maxBytes) {
    const post = findPostOf(library, file.path);
    const smaller = post ? `小さくしたものは ${toUri(postIri(post, "jpeg", 1024))} で読めます。` : "";
    throw new ResourceError(
      "refused",
      `${file.name} は ${formatBytes(info.stats.size)} あり、1回の応答に収まりません。${smaller}`,
    );
  }
  const { mimeType, base64 } = await pictures.encode(info);
  return { uri, mimeType, blob: base64.text };
}

function json(uri: string, value: unknown, mimeType = "application/json"): KitResourceContents {
  return { uri, mimeType, text: JSON.stringify(value, null, 1) };
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder.normalize("NFC")}/`);
}

function notFound(uri: string): ResourceError {
  return new ResourceError("not-found", `No such resource: ${uri}. See resources/list for what there is.`);
}
