/**
 * Whether a tool can do what is asked at all, whatever its words: it knows what the request wants done, it takes the
 * file or address that was named, and if it may change something, it is spoken of. A tool that shares a word with a
 * request is not yet one that answers it; a call that does something else is worse than none.
 */
import type { ToolDefinition } from "../../conversation/index.ts";
import { stem } from "../../lib/ranking/stem.ts";
import { isStopWord } from "../../lib/ranking/stop-words.ts";
import { identifierWords } from "./arguments/parameter.ts";
import type { Proposal } from "./propose.ts";
import type { Literal } from "./reading/literals.ts";
import type { Reading } from "./reading/reading.ts";
import { isKnown, isReadOnly, SURROUNDINGS, wordsOf } from "./tool-words.ts";

export function isAble(proposal: Proposal, reading: Reading): boolean {
  if (proposal.mentioned) return true;
  const { tool } = proposal;
  const verbs = verbsOf(reading);
  if (verbs.length > 0 && verbs.some((verb) => !isKnown(verb, deedsOf(tool)))) return false;
  if (reading.literals.some((literal) => !takes(proposal, literal))) return false;
  if (searchesNothing(proposal)) return false;
  return isReadOnly(tool) || isSpokenOf(tool, reading);
}

/** What it says that it does, and the ways it lists; names of parameters (`rankEnd`) are no deeds. */
function deedsOf(tool: ToolDefinition): ReadonlySet<string> {
  const ways = [
    ...JSON.stringify(tool.inputSchema)
      .slice(0, 8000)
      .matchAll(/"enum":\[([^\]]{1,500})\]/g),
  ];
  const inputSchema = { ways: ways.map(([, values = ""]) => values).join(" ") };
  return wordsOf({ ...tool, inputSchema });
}

/** What a request wants done beyond looking: a tool that has no word for it does something else. */
const DOING = new Set(
  `write save create make delete remove erase edit update modify change replace insert append move rename copy
  send post submit email mail install uninstall deploy publish upload download commit push merge fix refactor
  summarize summarise translate explain compose draw paint sing buy book order pay schedule remind start stop restart kill build
  保存 削除 消 作 作成 生成 編集 変更 更新 置換 書 送 送信 投稿 追加 移動 改名 複製 インストール 公開 要約 翻訳 訳 説明 描 詠 歌 買 予約 注文 修正`.split(
    /\s+/,
  ),
);
/** An English verb that asks stands first, or after one of these. */
const BEFORE_A_VERB = /^(?:please|you|to|and|then|just|now|also|us|let's)$/;

function verbsOf({ tokens }: Reading): readonly string[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== "word" || !DOING.has(token.lower)) return [];
    const before = tokens[index - 1];
    const asks = token.unspaced
      ? /^(?:し|て|っ|って|い|き|け|せ|ん|り|る|す|く|む)/.test(tokens[index + 1]?.text ?? "")
      : before === undefined || before.type === "mark" || BEFORE_A_VERB.test(before.lower);
    return asks ? [token.stem] : [];
  });
}

/** A file or an address is what the request is about; other values count where the tool takes none at all. */
function takes({ tool, filling }: Proposal, literal: Literal): boolean {
  const isUsed = filling.filled.some(
    ({ provenance }) =>
      provenance.from === "request" &&
      provenance.spans.some((span) => span.start <= literal.start && literal.end <= span.end),
  );
  if (isUsed) return true;
  if (literal.type === "path" || literal.type === "email") return false;
  if (literal.type !== "date" && literal.type !== "quoted" && literal.type !== "url") return true;
  const takesNothing = Object.keys(Object(tool.inputSchema["properties"])).length === 0;
  return !takesNothing || isKnown(stem(literal.value.toLowerCase()), wordsOf(tool));
}

/** A search that was told nothing to search for. */
function searchesNothing({ tool, filling }: Proposal): boolean {
  const properties = tool.inputSchema["properties"];
  const takesQuery = Object.keys(Object(properties)).some((name) =>
    /^(?:query|q|pattern|search|keywords?)$/i.test(name),
  );
  return takesQuery && filling.filled.length === 0 && filling.missing.length === 0;
}

const MAX_CLAUSE = 200;

/** At least one word of its name, its title or its first clause is said, and not only the verb: "create a file" is no "create report". A path says "file". */
function isSpokenOf(tool: ToolDefinition, reading: Reading): boolean {
  const owner = new Set(identifierWords(tool.extension));
  const clause = (tool.description ?? "").slice(0, MAX_CLAUSE).split(/[.:;(。（]/, 1)[0] ?? "";
  const names = identifierWords(`${tool.toolName} ${tool.title ?? ""} ${clause}`);
  const own = names.filter((word) => !owner.has(word) && !isStopWord(word));
  const things = own.filter((word) => !DOING.has(word));
  const words = new Set((things.length > 0 ? things : own).map(stem));
  const said = reading.tokens
    .filter(({ type, lower }) => type === "word" && !SURROUNDINGS.test(lower))
    .map((token) => token.stem);
  if (reading.literals.some(({ type }) => type === "path")) said.push(stem("file"), stem("path"));
  return said.some((word) => isKnown(word, words));
}
