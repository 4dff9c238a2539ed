/** Tools for finding one's way: which collections and editions there are, and which posts hold some words. */
import { z } from "zod";
import { type Answer, shorten } from "./answer.ts";
import type { Edition, Post } from "./library.ts";
import type { Shelf } from "./post-picture.ts";
import { findCollection } from "./ranking-tools.ts";
import { findPosts } from "./search.ts";
import { defineWakashuTool, integer, type WakashuTool, whole } from "./tool.ts";
import { collectionIri, editionIri, postIri, toUri } from "./uris.ts";

const MAX_EDITIONS = 500;
const MAX_RESULTS = 100;
const DEFAULT_RESULTS = 20;
const EXCERPT_CHARACTERS = 80;

export function listCollectionsTool({ library }: Shelf): WakashuTool {
  return defineWakashuTool({
    name: "listCollections",
    title: "和歌集の一覧",
    description: "どんな和歌集があるか、名前と回の数を並べます。",
    schemas: () => ({
      input: z.object({}),
      output: z.object({
        collections: z.array(z.object({ name: z.string(), editions: whole(), uri: z.string() })),
      }),
    }),
    run() {
      const collections = library.collections().map((collection) => ({
        name: collection.name,
        editions: library.editions(collection).length,
        uri: collectionIri(collection),
      }));
      const lines = collections.map(({ name, editions }) => `「${name}」（全${editions}回）`);
      return said(lines.join("\n") || "和歌集はまだひとつもありません。", { collections });
    },
  });
}

export function listEditionsTool({ library }: Shelf): WakashuTool {
  return defineWakashuTool({
    name: "listEditions",
    title: "和歌集の回の一覧",
    description: "ひとつの和歌集に第何回があるか、各回の投稿の数と順位の範囲を並べます。",
    schemas: () => ({
      input: z.object({ wakashuName: z.string().describe("和歌集の名前") }),
      output: z.object({
        wakashuName: z.string(),
        total: whole(),
        editions: z.array(
          z.object({
            edition: whole(),
            posts: whole(),
            firstRank: whole().optional(),
            lastRank: whole().optional(),
            uri: z.string(),
          }),
        ),
      }),
    }),
    run({ wakashuName }) {
      const collection = findCollection(library, wakashuName);
      if ("isError" in collection) return collection;
      const all = library.editions(collection);
      const editions = all.slice(0, MAX_EDITIONS).map((edition) => summary(edition, library.posts(edition)));
      const lines = editions.map(({ edition, posts, firstRank, lastRank }) =>
        posts === 0
          ? `第${edition}回：投稿なし`
          : `第${edition}回：${posts}件（${firstRank}位から${lastRank}位）`,
      );
      if (all.length > MAX_EDITIONS) {
        lines.push(
          `※ 全${all.length}回のうち、はじめの${MAX_EDITIONS}回を載せました。ほかの回も番号で取得できます。`,
        );
      }
      const text = [`「${collection.name}」`, ...lines].join("\n");
      return said(text, { wakashuName: collection.name, total: all.length, editions });
    },
  });
}

export function searchTool({ library, reader }: Shelf): WakashuTool {
  return defineWakashuTool({
    name: "search",
    title: "和歌集の検索",
    description:
      "本文・アカウント名・プロンプトに言葉を含む投稿を探します。空白で区切った言葉はすべて含むものを探し、ひらがなとカタカナ、全角と半角は区別しません。",
    schemas: () => ({
      input: z.object({
        query: z.string().min(1).max(500).describe("探す言葉（例：雁 夕焼け）"),
        wakashuName: z.string().optional().describe("この和歌集だけを探す"),
        edition: integer("この回だけを探す").optional(),
        field: z.enum(["text", "account", "prompt"]).optional().describe("この項目だけを探す"),
        limit: integer("返す件数（1 から 100、省略すると 20）").optional(),
        offset: integer("飛ばす件数。続きを読むときに使う").optional(),
      }),
      output: z.object({
        query: z.string(),
        total: whole(),
        posts: z.array(
          z.object({
            wakashuName: z.string(),
            edition: whole(),
            rank: whole(),
            account: z.string(),
            excerpt: z.string(),
            uri: z.string(),
          }),
        ),
        nextOffset: whole().optional(),
      }),
    }),
    async run({ query, wakashuName, edition, field, limit, offset }, { signal }) {
      const chosen = wakashuName === undefined ? undefined : findCollection(library, wakashuName);
      if (chosen && "isError" in chosen) return chosen;
      const posts = (chosen ? [chosen] : library.collections())
        .flatMap((collection) => library.editions(collection))
        .filter((candidate) => edition === undefined || candidate.edition === edition)
        .flatMap((candidate) => library.posts(candidate));
      const hits = await findPosts(reader, posts, query, { field, signal });
      const start = Math.max(offset ?? 0, 0);
      const count = Math.min(Math.max(limit ?? DEFAULT_RESULTS, 1), MAX_RESULTS);
      const found = hits.slice(start, start + count).map(({ post, data }) => ({
        wakashuName: post.edition.collection.name,
        edition: post.edition.edition,
        rank: post.rank,
        account: data.account ?? post.name,
        excerpt: shorten((data.text ?? "").replace(/\s+/g, " "), EXCERPT_CHARACTERS),
        uri: postIri(post),
      }));
      const next = start + count < hits.length ? start + count : undefined;
      const lines = found.map(
        (hit) =>
          `「${hit.wakashuName}」第${hit.edition}回 ${hit.rank}位：@${hit.account}\n${hit.excerpt}\n${toUri(hit.uri)}`,
      );
      const head = `「${query}」は${hits.length}件あります。`;
      const more = next === undefined ? [] : [`※ 続きは offset を ${next} にして検索してください。`];
      return said([head, ...lines, ...more].join("\n\n"), {
        query,
        total: hits.length,
        posts: found,
        ...(next !== undefined && { nextOffset: next }),
      });
    },
  });
}

function said(text: string, structured: Record<string, unknown>): Answer {
  return { blocks: [{ type: "text", text }], structured: () => structured, isError: false };
}

function summary(edition: Edition, posts: readonly Post[]) {
  const [first, last] = [posts[0]?.rank, posts.at(-1)?.rank];
  return {
    edition: edition.edition,
    posts: posts.length,
    ...(first !== undefined && { firstRank: first }),
    ...(last !== undefined && { lastRank: last }),
    uri: editionIri(edition),
  };
}
