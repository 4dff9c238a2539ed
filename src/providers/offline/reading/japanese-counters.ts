/**
 * Japanese counters: what a number before one counts, as the stems by which parameters are named.
 */
import { stem } from "../../../lib/ranking/stem.ts";

const COUNTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    位: "rank 順位 ranking place",
    回: "edition 回 round time",
    件: "count limit 件数 result",
    個: "count limit 個数 number",
    ページ: "page ページ",
    頁: "page ページ",
    年: "year 年",
    月: "month 月",
    日: "day 日",
    人: "people 人数 person",
    名: "people 人数 person",
    行: "line 行 行数",
    章: "chapter 章",
    巻: "volume 巻",
    歳: "age 年齢",
    円: "price amount 金額",
    番: "number 番号",
    番目: "number index 番号",
    枚: "count 枚数 page",
    時間: "hour 時間",
    分: "minute 分",
    秒: "second 秒",
    号: "number issue 号",
  }),
);

export function countersOf(word: string): readonly string[] {
  return COUNTERS.get(word)?.split(" ").map(stem) ?? [];
}
