/**
 * The collection as resources. Listed: the schema, each collection, edition and post (`wakashu://`), each picture
 * and text (file URIs); the templates name the same parts by edition and rank, with completion.
 */
import { type CompletionRequest, ResourceError, type ResourceProvider } from "../kit/index.ts";
import { FileProblem } from "./files.ts";
import { type Library, LibraryError } from "./library.ts";
import { fold, readInteger } from "./names.ts";
import type { Shelf } from "./post-picture.ts";
import { listPage } from "./resource-list.ts";
import { readResource } from "./resource-read.ts";
import { TEMPLATES } from "./uris.ts";

const RANK_URI = { description: "同じ順位が複数あるときは、フォルダーの名前でも指定できます。" };

export function createResources(
  shelf: Shelf,
  maxAnswerBytes: number,
  startWatching: () => void,
): ResourceProvider {
  return {
    list({ cursor }) {
      // Whoever has seen the list wants to know when it changes.
      startWatching();
      return guarded(() => listPage(shelf, cursor));
    },
    templates: [
      { uriTemplate: TEMPLATES.collection, name: "和歌集", mimeType: "application/json" },
      { uriTemplate: TEMPLATES.edition, name: "和歌集の回", mimeType: "application/json" },
      { uriTemplate: TEMPLATES.post, name: "投稿（文字と画像）", ...RANK_URI },
      { uriTemplate: TEMPLATES.picture, name: "投稿の画像（原本）", ...RANK_URI },
      { uriTemplate: TEMPLATES.text, name: "投稿の TextData", mimeType: "application/json", ...RANK_URI },
      {
        uriTemplate: TEMPLATES.jpeg,
        name: "投稿の画像（JPEG）",
        mimeType: "image/jpeg",
        description: "長辺を side 画素以下にした JPEG。HEIC もこれで見られます。",
      },
    ],
    read: (uri) => guarded(() => readResource(shelf, uri, maxAnswerBytes)),
    complete: (request) => guarded(() => completeName(shelf.library, request)),
    startWatching,
  };
}

/** Values for a variable of a template or an argument of a prompt, narrowed by those already chosen. */
export function completeName(
  library: Library,
  { variable, value, others }: Omit<CompletionRequest, "template">,
): string[] {
  const begins = (candidates: readonly string[]) =>
    candidates.filter((candidate) => fold(candidate).startsWith(fold(value)));
  const collections = library.collections();
  if (variable === "wakashuName") return begins(collections.map(({ name }) => name));
  const collection =
    others["wakashuName"] === undefined ? collections[0] : library.findCollection(others["wakashuName"]);
  if (!collection) return [];
  const editions = library.editions(collection);
  if (variable === "edition") return begins(editions.map(({ edition }) => String(edition)));
  const chosen = readInteger(others["edition"]) ?? editions[0]?.edition;
  const edition = editions.find((candidate) => candidate.edition === chosen);
  if (!edition || !["rank", "rankStart", "rankEnd"].includes(variable)) return [];
  return begins([...new Set(library.posts(edition).map(({ rank }) => String(rank)))]);
}

/** The root's own trouble and a file's are errors of reading, told in their own words. */
async function guarded<Value>(action: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof LibraryError) throw new ResourceError("failed", error.message);
    if (!(error instanceof FileProblem)) throw error;
    const code = { missing: "not-found", refused: "refused" } as const;
    throw new ResourceError(
      error.code in code ? code[error.code as keyof typeof code] : "failed",
      error.message,
    );
  }
}
