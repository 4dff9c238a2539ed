/**
 * Puts the server together: one library on the disk, the tools, resources and prompt over it, and the routes that
 * HTTP adds (the document's plain endpoint, the page, the pictures). Nothing is read until somebody asks.
 */
import { createChangeBus, type HttpRoute, type ServerDefinition } from "../kit/index.ts";
import { listCollectionsTool, listEditionsTool, searchTool } from "./browse-tools.ts";
import { Library } from "./library.ts";
import { sampleRoot } from "./package-root.ts";
import { Pictures } from "./pictures.ts";
import { PostReader } from "./post.ts";
import type { Shelf } from "./post-picture.ts";
import { createPrompts } from "./prompt.ts";
import { getPostTool, getRankingTool } from "./ranking-tools.ts";
import { createResources } from "./resources.ts";
import type { WakashuTool } from "./tool.ts";
import { CollectionWatch } from "./watch.ts";

export interface WakashuServerOptions {
  /** The folder of the collections. Without it, `WAKASHU_ROOT`, else the sample that comes with the package. */
  readonly root?: string;
  /** The name under which MCP hosts see `getRanking`; `wakashu_getRanking` unless said otherwise. */
  readonly toolName?: string;
  /** One answer's bytes on the wire; 8 MiB unless said otherwise. */
  readonly maxAnswerBytes?: number;
  readonly version?: string;
}

export interface WakashuServer extends ServerDefinition {
  /** For `serveOnHttp`: `POST /` as in the document, `GET /` for people, and the pictures of that page. */
  readonly routes: readonly HttpRoute[];
}

/** What the plain endpoint and the page use besides the definition. */
export interface WakashuParts {
  readonly shelf: Shelf;
  readonly tools: readonly WakashuTool[];
  readonly definition: ServerDefinition;
  readonly maxAnswerBytes: number;
}

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MIN_ANSWER_BYTES = 64 * 1024;
const INSTRUCTIONS = `順位のついた和歌集（投稿の本文と画像）を読むサーバーです。
- ランキングを頼まれたら getRanking を使います。答えは順位の順に「N位：@アカウント名」、画像、本文・リンク・プロンプトです。その順のまま、画像も見せてください。
- 和歌集の名前や回が分からないときは listCollections、listEditions を、言葉から探すときは search を使います。
- 「※」で始まる文は投稿の言葉ではなく、足りないものや変換についての断りです。`;

export function createWakashuServer(options: WakashuServerOptions = {}): WakashuServer {
  const maxAnswerBytes = Math.max(options.maxAnswerBytes ?? MAX_ANSWER_BYTES, MIN_ANSWER_BYTES);
  const library = new Library(chooseRoot(options.root));
  const pictures = new Pictures(library);
  const shelf: Shelf = { library, pictures, reader: new PostReader(library, pictures) };
  const changes = createChangeBus();
  const watch = new CollectionWatch(library, changes);
  const ranking = getRankingTool(shelf, maxAnswerBytes, options.toolName);
  const tools = [
    ranking,
    getPostTool(shelf, maxAnswerBytes),
    listCollectionsTool(shelf),
    listEditionsTool(shelf),
    searchTool(shelf),
  ];
  const definition: ServerDefinition = {
    name: "wakashu",
    title: "和歌集",
    version: options.version ?? "0.0.0",
    instructions: INSTRUCTIONS,
    tools: tools.map((tool) => tool.mcp),
    aliases: Object.fromEntries(tools.flatMap((tool) => tool.aliases.map((alias) => [alias, tool.mcp.name]))),
    resources: createResources(shelf, maxAnswerBytes, () => void watch.start()),
    prompts: createPrompts(
      shelf,
      (request) => ranking.answer(request, { signal: new AbortController().signal, progress() {} }),
      ranking.mcp.name,
    ),
    changes,
    close: () => watch.close(),
  };
  return { ...definition, routes: [lazyRoute({ shelf, tools, definition, maxAnswerBytes })] };
}

/** On stdio nobody needs the page: its code is loaded with the first request over HTTP. */
function lazyRoute(parts: WakashuParts): HttpRoute {
  let loaded: HttpRoute | undefined;
  return (request, response) => {
    if (loaded) return loaded(request, response);
    return import("./routes.ts").then(({ createRoutes }) => {
      loaded ??= createRoutes(parts);
      return loaded(request, response);
    });
  };
}

function chooseRoot(root: string | undefined): string {
  const chosen = root ?? process.env["WAKASHU_ROOT"] ?? sampleRoot();
  if (chosen) return chosen;
  throw new Error(
    "No collection: give --root DIR or set WAKASHU_ROOT to the folder that holds 第1回, 第2回 … (the sample collection did not come with this installation).",
  );
}
