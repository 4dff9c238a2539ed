/** The document's tool, and the one that gives a single post whole. */
import { z } from "zod";
import { type Answer, failed } from "./answer.ts";
import { AnswerCache } from "./answer-cache.ts";
import type { Collection, Edition, Library } from "./library.ts";
import type { Shelf } from "./post-picture.ts";
import { answerRanking } from "./ranking.ts";
import { defineWakashuTool, integer, type WakashuTool, whole } from "./tool.ts";

const MAX_BODY_CHARACTERS = 20_000;
const MAX_LISTED = 20;
const KEPT_ANSWER_BYTES = 32 * 1024 * 1024;

/** What the two tools share. */
function parts() {
  const wakashuName = z
    .string({ error: "和歌集の名前を文字列で指定してください" })
    .describe("和歌集の名前（例：遠慮したラップトップ和歌集）");
  const edition = integer("第何回の和歌集か（第1回なら 1）");

  const post = z.object({
    rank: whole("順位"),
    account: z.string().describe("アカウント名（@ なし）"),
    text: z.string().optional().describe("本文"),
    urls: z.array(z.string()).describe("リンク"),
    prompt: z.string().optional().describe("ジャケット生成に使ったプロンプト"),
    picture: z
      .object({
        uri: z.string().describe("原本の URI。resources/read で読めます"),
        name: z.string(),
        mimeType: z.string(),
        bytes: whole("原本の大きさ"),
        form: z
          .enum(["original", "jpeg", "link", "none"])
          .describe("content での渡し方：原本のまま、JPEG に変換、リンクのみ、なし"),
      })
      .optional(),
    uri: z.string().describe("この投稿のリソース URI"),
    notes: z.array(z.string()).describe("足りないもの、変換したものなど"),
  });

  const output = z.object({
    wakashuName: z.string(),
    edition: whole(),
    rankStart: whole(),
    rankEnd: whole(),
    posts: z.array(post),
    notes: z.array(z.string()).describe("範囲についての断り"),
    nextRank: whole("続きがあるときの次の順位").optional(),
  });
  return { wakashuName, edition, output };
}

export function getRankingTool(shelf: Shelf, maxAnswerBytes: number, mcpName?: string): WakashuTool {
  const kept = new AnswerCache(KEPT_ANSWER_BYTES);
  return defineWakashuTool(
    {
      name: "getRanking",
      title: "和歌集ランキング情報取得",
      description: "指定された和歌集の、指定された回の、指定された順位範囲のランキング情報を取得します。",
      schemas() {
        const { wakashuName, edition, output } = parts();
        const rankStart = integer("取得する範囲の開始順位（1位からなら 1）");
        const rankEnd = integer("取得する範囲の終了順位（3位までなら 3）");
        return { input: z.object({ wakashuName, edition, rankStart, rankEnd }), output };
      },
      run(args, { signal, progress }) {
        const { wakashuName, edition, rankStart, rankEnd } = args;
        return kept.answer(JSON.stringify([wakashuName, edition, rankStart, rankEnd]), async () => {
          const found = findEdition(shelf.library, args);
          if ("isError" in found) return found;
          return await answerRanking(
            shelf,
            { ...args, edition: found },
            { maxAnswerBytes, maxBodyCharacters: MAX_BODY_CHARACTERS },
            { signal, progress: (done, total) => progress({ progress: done, total }) },
          );
        });
      },
    },
    mcpName,
  );
}

export function getPostTool(shelf: Shelf, maxAnswerBytes: number): WakashuTool {
  return defineWakashuTool({
    name: "getPost",
    title: "和歌集の投稿ひとつ",
    description: "ひとつの順位の投稿を、画像・本文・リンク・プロンプトとも省略せずに見せます。",
    schemas() {
      const { wakashuName, edition, output } = parts();
      return { input: z.object({ wakashuName, edition, rank: integer("順位（1位なら 1）") }), output };
    },
    async run(args, { signal, progress }) {
      const found = findEdition(shelf.library, args);
      if ("isError" in found) return found;
      return await answerRanking(
        shelf,
        { edition: found, rankStart: args.rank, rankEnd: args.rank },
        { maxAnswerBytes, maxBodyCharacters: Math.floor(maxAnswerBytes / 16) },
        { signal, progress: (done, total) => progress({ progress: done, total }) },
      );
    },
  });
}

/** The edition that is meant, or the answer that says what there is instead. */
export function findEdition(
  library: Library,
  wanted: { readonly wakashuName: string; readonly edition: number },
): Edition | Answer {
  const collection = findCollection(library, wanted.wakashuName);
  if ("isError" in collection) return collection;
  const found = library.findEdition(collection, wanted.edition);
  if (found) return found;
  const known = library.editions(collection).map((candidate) => `第${candidate.edition}回`);
  return failed(`「${collection.name}」に第${wanted.edition}回はありません。${listing(known, "ある回")}`);
}

export function findCollection(library: Library, name: string): Collection | Answer {
  const found = library.findCollection(name);
  if (found) return found;
  const known = library.collections().map((collection) => `「${collection.name}」`);
  return failed(`和歌集「${name.slice(0, 100)}」は見つかりません。${listing(known, "ある和歌集")}`);
}

function listing(names: readonly string[], what: string): string {
  if (names.length === 0) return `${what}はまだひとつもありません。`;
  const rest = names.length > MAX_LISTED ? `など ${names.length} 件` : "";
  return `${what}：${names.slice(0, MAX_LISTED).join("、")}${rest}`;
}
