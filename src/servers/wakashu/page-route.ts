/** `GET /`: chooses what the page shows by its query, and sends it under a policy that lets nothing else in. */
import { createHash } from "node:crypto";
import type { HttpRoute } from "../kit/index.ts";
import { type Collection, type Edition, LibraryError } from "./library.ts";
import { readInteger } from "./names.ts";
import { type PageContent, type PageView, renderPage } from "./page.ts";
import { STYLE } from "./page-style.ts";
import type { Shelf } from "./post-picture.ts";
import { findPosts } from "./search.ts";
import type { WakashuParts } from "./server.ts";

const POSTS_ON_A_PAGE = 100;
const HITS_ON_A_PAGE = 50;
const MAX_QUERY_CHARACTERS = 200;
const styleHash = createHash("sha256").update(STYLE).digest("base64");
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
} as const;

export function createPageRoute({ shelf }: WakashuParts): HttpRoute {
  return async (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://localhost");
    const view = await viewOf(shelf, searchParams);
    const status = view.content.kind === "message" ? 404 : 200;
    response.writeHead(status, HEADERS).end(renderPage(view));
    return true;
  };
}

async function viewOf(shelf: Shelf, wanted: URLSearchParams): Promise<PageView> {
  const query = (wanted.get("q") ?? "").trim().slice(0, MAX_QUERY_CHARACTERS);
  const base = {
    layout: wanted.get("layout") === "horizontal" ? ("horizontal" as const) : ("vertical" as const),
    query,
  };
  try {
    const { library } = shelf;
    const collections = library.collections();
    const name = wanted.get("wakashu");
    const collection = name === null ? collections[0] : library.findCollection(name);
    const editions = collection ? library.editions(collection) : [];
    const view = { ...base, collections, collection, editions };
    if (!collection) return { ...view, content: message("その名前の和歌集はありません。") };
    if (query !== "") return { ...view, content: await searched(shelf, collections, query) };
    const number = readInteger(wanted.get("edition") ?? undefined);
    const edition = number === undefined ? editions[0] : editions.find((one) => one.edition === number);
    if (!edition) return { ...view, content: message("その回はありません。") };
    return { ...view, content: shown(shelf, edition, readInteger(wanted.get("from") ?? undefined) ?? 1) };
  } catch (error) {
    if (!(error instanceof LibraryError)) throw error;
    const nothing = { collections: [], collection: undefined, editions: [] };
    return { ...base, ...nothing, content: message("和歌集のフォルダーを読めません。") };
  }
}

function shown({ library, reader }: Shelf, edition: Edition, from: number): PageContent {
  const posts = library.posts(edition);
  const first = Math.max(
    posts.findIndex(({ rank }) => rank >= from),
    0,
  );
  const page = posts.slice(first, first + POSTS_ON_A_PAGE);
  return {
    kind: "edition",
    edition,
    posts: page.map((post) => reader.read(post)),
    previous: first > 0 ? posts[Math.max(first - POSTS_ON_A_PAGE, 0)]?.rank : undefined,
    next: posts[first + POSTS_ON_A_PAGE]?.rank,
  };
}

async function searched(
  { library, reader }: Shelf,
  collections: readonly Collection[],
  query: string,
): Promise<PageContent> {
  const posts = collections
    .flatMap((collection) => library.editions(collection))
    .flatMap((edition) => library.posts(edition));
  const hits = await findPosts(reader, posts, query);
  return {
    kind: "search",
    total: hits.length,
    hits: hits.slice(0, HITS_ON_A_PAGE).map(({ post }) => reader.read(post)),
  };
}

function message(text: string): PageContent {
  return { kind: "message", text };
}
