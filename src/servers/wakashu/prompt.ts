/**
 * The conversation of the document as a prompt: a person asks for a range of ranks, and the answer shows each
 * post's head line, picture and words in turn. With `include` the posts come along, for clients that show a
 * prompt without calling tools; they come as the person's messages, since no LLM API takes pictures from itself.
 */
import { ProtocolError } from "@modelcontextprotocol/server";
import type { KitPrompt } from "../kit/index.ts";
import { type Answer, toToolResult } from "./answer.ts";
import { LibraryError } from "./library.ts";
import { fold, readInteger } from "./names.ts";
import type { Shelf } from "./post-picture.ts";
import { completeName } from "./resources.ts";

export interface RankingRequest {
  readonly wakashuName: string;
  readonly edition: number;
  readonly rankStart: number;
  readonly rankEnd: number;
}

const INVALID_PARAMS = -32602;
const DEFAULT_LAST_RANK = 3;
const SHOW =
  "投稿は順位の順に、ひとつずつ、「N位：@アカウント名」、画像、本文とリンク、「ジャケット生成に使ったプロンプト」の順で見せてください。足りないものの断りがあれば、それもその場所で伝えてください。";

export function createPrompts(
  { library }: Shelf,
  ranking: (request: RankingRequest) => Promise<Answer>,
  toolName: string,
): KitPrompt[] {
  return [
    {
      name: "wakashu_conversation",
      title: "和歌集のランキングを会話で見る",
      description: "和歌集の名前と回と順位を選ぶと、その投稿を画像つきで順に見せる会話になります。",
      arguments: [
        { name: "wakashuName", description: "和歌集の名前", required: true },
        { name: "edition", description: "第何回か（第1回なら 1）", required: true },
        { name: "rankStart", description: "開始順位（省略すると 1）" },
        { name: "rankEnd", description: "終了順位（省略すると 3）" },
        { name: "include", description: "yes なら、投稿そのものも会話に入れます" },
      ],
      async get(args) {
        const request = {
          wakashuName: args["wakashuName"] ?? "",
          edition: number(args, "edition", 1),
          rankStart: number(args, "rankStart", 1),
          rankEnd: number(args, "rankEnd", DEFAULT_LAST_RANK),
        };
        const include = ["yes", "true", "1", "はい"].includes(fold(args["include"] ?? ""));
        const { wakashuName, edition, rankStart, rankEnd } = request;
        const ask = `'wakashu'で「${wakashuName}」のランキング情報を取得してください。取得するのは第${edition}回の和歌集のランキング${rankStart}位から${rankEnd}位の投稿です。`;
        const how = include
          ? `取得した投稿は次のとおりです。${SHOW}`
          : `ツール ${toolName} を使ってください。${SHOW}`;
        const posts = include ? toToolResult(await ranking(request)).content : [];
        return {
          description: `「${wakashuName}」第${edition}回 ${rankStart}位から${rankEnd}位`,
          messages: [
            { role: "user", content: { type: "text", text: `${ask}\n\n${how}` } },
            ...posts.map((content) => ({ role: "user" as const, content })),
          ],
        };
      },
      complete(variable, value, others) {
        if (variable === "include") return ["yes", "no"].filter((choice) => choice.startsWith(value));
        try {
          return completeName(library, { variable, value, others });
        } catch (error) {
          if (error instanceof LibraryError) return [];
          throw error;
        }
      },
    },
  ];
}

function number(args: Readonly<Record<string, string>>, name: string, otherwise: number): number {
  const given = args[name];
  if (given === undefined || given.trim() === "") return otherwise;
  const value = readInteger(given);
  if (value !== undefined) return value;
  throw new ProtocolError(
    INVALID_PARAMS,
    `${name} は整数で指定してください（「${given.slice(0, 50)}」でした）。`,
  );
}
