/** The words that a tool says of itself, as stems, and whether a word is one of them or stands for one. */
import type { ToolDefinition } from "../../conversation/index.ts";
import { stem } from "../../lib/ranking/stem.ts";
import { everydaySynonyms } from "../../lib/ranking/synonyms.ts";
import { tokenize } from "../../lib/ranking/tokenize.ts";
import { identifierWords } from "./arguments/parameter.ts";

export function isReadOnly(tool: ToolDefinition): boolean {
  return tool.annotations?.readOnlyHint === true;
}

export function isKnown(word: string, known: ReadonlySet<string>): boolean {
  if (known.has(word)) return true;
  for (const [other, likeness] of everydaySynonyms().get(word) ?? [])
    if (likeness >= 0.6 && known.has(other)) return true;
  return false;
}

const cache = new WeakMap<ToolDefinition, ReadonlySet<string>>();

export function wordsOf(tool: ToolDefinition): ReadonlySet<string> {
  const cached = cache.get(tool);
  if (cached !== undefined) return cached;
  const properties = JSON.stringify(tool.inputSchema).slice(0, 4000);
  const text = `${tool.extension} ${tool.toolName} ${tool.title ?? ""} ${tool.description ?? ""} ${properties}`;
  const bounded = text.slice(0, 8000);
  const words = new Set([
    ...identifierWords(bounded).map(stem),
    ...tokenize(bounded).map(({ term }) => term),
  ]);
  cache.set(tool, words);
  return words;
}

/** "in this project", "here": where one works anyway; said of anything. */
export const SURROUNDINGS =
  /^(?:project|repository|repo|workspace|directory|folder|current|here|this|contents?|プロジェクト|現在|ディレクトリ|内容|中身)$/;
