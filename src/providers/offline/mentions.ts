/**
 * Tools and extensions that the request names: `developer__shell`, "with list_files", "use the memory extension",
 * 'wakashu'で…. A name that is an ordinary word ("code", "memory") counts only where the sentence uses it as a
 * name; the words of a mention are no values.
 */
import type { ToolDefinition } from "../../conversation/index.ts";
import type { Span } from "./reading/literals.ts";
import type { Reading } from "./reading/reading.ts";
import { readerOf } from "./resource-hints.ts";

export interface Mentions {
  /** Exposed names. */
  readonly tools: ReadonlySet<string>;
  readonly extensions: ReadonlySet<string>;
  readonly spans: readonly Span[];
}

export function mentionsIn(reading: Reading, tools: readonly ToolDefinition[]): Mentions {
  const named = new Set<string>();
  const extensions = new Set<string>();
  const spans: Span[] = [];
  const words = new Map<string, Span[]>();
  for (const match of reading.folded.toLowerCase().matchAll(/[\p{L}\p{N}][\p{L}\p{N}_./-]{0,127}/gu))
    for (const [word, start] of variants(match[0], match.index))
      words.set(word, [...(words.get(word) ?? []), { start, end: start + word.length }]);
  for (const tool of tools) {
    const found = [tool.name, tool.toolName].flatMap((name) => words.get(name.toLowerCase()) ?? []);
    const meant = found.filter(
      (span) =>
        isIdentifier(tool.toolName) ||
        tool.name.length === span.end - span.start ||
        usesAsName(reading, span),
    );
    if (meant.length === 0) continue;
    named.add(tool.name);
    spans.push(...meant);
  }
  // A resource's URI names the tool that reads it.
  const reader = readerOf(tools);
  const uris = reading.literals.filter(
    (one) => one.type === "url" && /^(?!https?:)[a-z][\w+.-]*:\/\//i.test(one.value),
  );
  if (reader !== undefined && uris.length > 0) named.add(reader.name);
  for (const extension of new Set(tools.map((tool) => tool.extension))) {
    const meant = (words.get(extension.toLowerCase()) ?? []).filter((span) => usesAsName(reading, span));
    if (meant.length === 0) continue;
    extensions.add(extension);
    spans.push(...meant);
  }
  return { tools: named, extensions, spans };
}

/** Japanese runs on without a space: `wakashuで` is a mention of `wakashu`. A full stop ends a word. */
function variants(word: string, start: number): readonly (readonly [string, number])[] {
  const latin = /^[\p{Script=Latin}\p{N}_./-]+/u.exec(word)?.[0].replace(/[./-]+$/, "") ?? word;
  return latin === word
    ? [[word, start]]
    : [
        [word, start],
        [latin, start],
      ];
}

/** `list_files`, `getRanking`: no word of a sentence looks like that. */
function isIdentifier(name: string): boolean {
  return /[_/-]|[a-z][A-Z]/.test(name);
}

function usesAsName(reading: Reading, { start, end }: Span): boolean {
  const before = reading.folded.slice(Math.max(0, start - 24), start).toLowerCase();
  const after = reading.folded.slice(end, end + 16).toLowerCase();
  const quoted = /["'`「『“]$/.test(before) && /^["'`」』”]/.test(after);
  const closing = after.replace(/^["'`」』”]/, "");
  if (/^\s*(?:extension|server|tool|mcp|拡張|サーバー|サーバ|ツール)/.test(closing)) return true;
  if (/^(?:で|を使|の拡張|から)/.test(closing)) return true;
  const opening = before.replace(/["'`「『“]$/, "");
  if (/\b(?:with|use|using|via|through|ask|in|from|by)\s+(?:the\s+)?$/.test(opening))
    return quoted || /\b(?:with|use|using|via|ask)\s+(?:the\s+)?$/.test(opening);
  return false;
}
