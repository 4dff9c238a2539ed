/**
 * Chooses tools for a request and fills their arguments. The words decide first (BM25); among the best few, a
 * tool whose required arguments can be filled goes before one whose cannot, and one that the request names goes
 * before all.
 */
import type { ToolDefinition } from "../../conversation/index.ts";
import { stem } from "../../lib/ranking/stem.ts";
import { isStopWord } from "../../lib/ranking/stop-words.ts";
import { tokenize } from "../../lib/ranking/tokenize.ts";
import { likenessOf } from "./arguments/cues.ts";
import { type Filling, fillArguments } from "./arguments/fill.ts";
import { identifierWords } from "./arguments/parameter.ts";
import { mentionsIn } from "./mentions.ts";
import type { Reading } from "./reading/reading.ts";
import { withoutSpans } from "./reading/reading.ts";
import type { ToolIndex } from "./tool-index.ts";

export interface Proposal {
  readonly tool: ToolDefinition;
  readonly filling: Filling;
  readonly score: number;
  /** The request names the tool or its extension. */
  readonly mentioned: boolean;
}

const CONSIDERED = 8;
/** So many tools are looked at even where no word meets: their arguments may fit. */
const AT_LEAST = 3;
const MENTIONED_TOOL = 3;
const MENTIONED_EXTENSION = 1;

export function propose(request: Reading, index: ToolIndex): readonly Proposal[] {
  const tools = [...index.tools.values()];
  const mentions = mentionsIn(request, tools);
  const reading = withoutSpans(request, mentions.spans);
  const ranked = new Map<string, number>();
  for (const { id, score } of index.ranker.rank(wordsToRank(reading), CONSIDERED)) ranked.set(id, score);
  for (const tool of tools) {
    const named = mentions.tools.has(tool.name) || mentions.extensions.has(tool.extension);
    if ((named && ranked.size < 2 * CONSIDERED) || ranked.size < AT_LEAST)
      ranked.set(tool.name, ranked.get(tool.name) ?? 0);
  }
  const extensions = [...new Set(tools.map(({ extension }) => extension))];
  const lists = new Map([
    ["extensionname", extensions],
    ["extension", extensions],
  ]);
  const said = new Set(tokenize(wordsToRank(reading)).map(({ term }) => term));
  const best = Math.max(...ranked.values(), 0) || 1;
  const proposals: Proposal[] = [];
  for (const [name, score] of ranked) {
    const tool = index.tools.get(name);
    if (tool === undefined) continue;
    const filling = fillArguments(tool, reading, lists);
    const byName = mentions.tools.has(name) ? MENTIONED_TOOL : 0;
    const byExtension = mentions.extensions.has(tool.extension) ? MENTIONED_EXTENSION : 0;
    proposals.push({
      tool,
      filling,
      score:
        score / best +
        fitness(filling, reading) +
        NAMED * nameShare(tool, said, reading.folded) +
        byName +
        byExtension -
        (byExtension === 0 ? ABOUT * aboutItsOwner(tool) : 0) +
        readOnlyBonus(tool, reading),
      mentioned: byName + byExtension > 0,
    });
  }
  return proposals.sort((left, right) => right.score - left.score);
}

/** The request without what are plainly values: "notes.txt" is no note. */
function wordsToRank({ folded, literals }: Reading): string {
  let text = folded;
  for (const { type, start, end } of literals)
    if (type === "quoted" || type === "path" || type === "url" || type === "email" || type === "json")
      text = `${text.slice(0, start)}${" ".repeat(end - start)}${text.slice(end)}`;
  return text.trim() === "" ? folded : text;
}

const GOOD = 4;
const QUALITY = 0.3;
const MISSING = 0.35;
const USED = 0.3;
const READS = 0.1;
const LOOKS = 0.35;
const NAMED = 0.2;
const ABOUT = 0.25;

/** A tool that bears its extension's name (`wakashu_search`) is about that, and not about anything: 0 or 1. */
function aboutItsOwner({ extension, toolName }: ToolDefinition): number {
  const words = new Set(identifierWords(toolName));
  return identifierWords(extension).every((word) => words.has(word)) ? 1 : 0;
}

/** What only reads goes before what may write, and far before it where the request only looks. */
function readOnlyBonus({ annotations }: ToolDefinition, reading: Reading): number {
  if (annotations?.readOnlyHint !== true) return 0;
  const says = (words: RegExp) =>
    reading.tokens.some(({ type, lower }) => type === "word" && words.test(lower));
  return says(LOOKING) && !says(CHANGING) ? LOOKS : READS;
}

const LOOKING =
  /^(?:show|shows|view|display|see|read|open|list|get|find|search|look|fetch|print|count|check|tell|what|how|which|where|who|表示|見|見せ|読|開|開い|一覧|取得|検索|探|調べ|教え)$/;
const CHANGING =
  /^(?:write|save|create|make|delete|remove|edit|update|change|replace|insert|add|move|rename|run|execute|send|post|set|undo|実行|保存|削除|作成|編集|変更|書|書き|送|送信|追加|投稿)$/;

/** 0 to 1: how much of the tool's own name the request says. "list files" says all of `list_files`. */
function nameShare(tool: ToolDefinition, said: ReadonlySet<string>, text: string): number {
  const title = tool.title?.toLowerCase() ?? "";
  if (title.length > 3 && text.toLowerCase().includes(title)) return 1;
  const owner = new Set(identifierWords(tool.extension));
  const words = identifierWords(tool.toolName).filter((word) => !owner.has(word) && !isStopWord(word));
  const heard = words.filter((word) => {
    const wanted = stem(word);
    return said.has(wanted) || [...said].some((other) => likenessOf(other, wanted) >= 0.5);
  });
  if (words.length === 0) return 0;
  // One word alone ("search") is said by many requests that mean another tool.
  return (heard.length / words.length) * (words.length === 1 ? 0.5 : 1);
}

/**
 * How well the request answers what the tool asks for: nothing missing, values that fit well, and none of the
 * request's own values (quoted text, numbers, dates, names) left over.
 */
function fitness(filling: Filling, reading: Reading): number {
  const required = filling.filled.filter(({ parameter }) => parameter.required);
  const total = required.length + filling.missing.length;
  const quality = required.reduce((sum, { score }) => sum + Math.min(score, GOOD) / GOOD, 0);
  // A tool that insists on nothing answers with what it was given: its best value counts as the required one.
  const offered = Math.max(0, ...filling.filled.map(({ score }) => Math.min(score, GOOD) / GOOD));
  const asked =
    total === 0
      ? QUALITY * offered
      : QUALITY * (quality / total) - MISSING * (filling.missing.length / total);
  return asked + USED * usedValues(filling, reading);
}

/** The share of the request's literals that became arguments. */
function usedValues(filling: Filling, reading: Reading): number {
  const values = reading.literals.filter((literal) => !(literal.type === "number" && literal.number.implied));
  if (values.length === 0) return 0;
  const spans = filling.filled.flatMap(({ provenance }) =>
    provenance.from === "request" ? provenance.spans : [],
  );
  const used = values.filter(({ start, end }) =>
    spans.some((span) => span.start <= start && end <= span.end),
  );
  return used.length / values.length;
}
