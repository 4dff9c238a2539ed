/**
 * "That file", "the second one", そのファイル: what a request points at instead of naming it, looked up in the
 * last call and its result. Only what is unmistakable is resolved; the rest stays a question.
 */
import { isJsonObject, type JsonValue, type ToolContent } from "../../conversation/index.ts";
import type { Call } from "./history.ts";
import { findLiterals } from "./reading/literals.ts";

export interface Reference {
  readonly start: number;
  readonly end: number;
  /** 0 is the first; -1 the last; undefined for "it", "that file". */
  readonly position: number | undefined;
}

const ENGLISH =
  /\b(?:(?:the|its|their)\s+(?:very\s+)?(first|second|third|fourth|fifth|last|next)\s+(?:file|one|result|entry|item|match|path|resource|link|document)|(?:that|this|the same)\s+(?:file|one|result|entry|item|path|resource|link|document|directory|folder)|it\b(?!\s+(?:is|was|will|would|has|be)\b)|them\b)/i;
const JAPANESE =
  /(?:(最初|一番目|1番目|二番目|2番目|三番目|3番目|最後)の(?:ファイル|もの|結果|項目|リンク|リソース|1つ|ひとつ|やつ)?|(?:その|この|上の|先ほどの|さっきの)(?:ファイル|もの|結果|項目|リンク|リソース|パス|ディレクトリ|フォルダ)|それ|これ)/;
const POSITIONS: Readonly<Record<string, number>> = {
  first: 0,
  second: 1,
  third: 2,
  fourth: 3,
  fifth: 4,
  last: -1,
  next: 1,
  最初: 0,
  一番目: 0,
  "1番目": 0,
  二番目: 1,
  "2番目": 1,
  三番目: 2,
  "3番目": 2,
  最後: -1,
};

export function referenceIn(text: string): Reference | undefined {
  const match = ENGLISH.exec(text) ?? JAPANESE.exec(text);
  if (match === null) return undefined;
  const word = match[1]?.toLowerCase();
  return {
    start: match.index,
    end: match.index + match[0].length,
    position: word === undefined ? undefined : POSITIONS[word],
  };
}

/** What the reference means, or undefined when that is not plain. Newest call first. */
export function resolveReference(reference: Reference, calls: readonly Call[]): string | undefined {
  const [newest] = calls;
  if (newest === undefined) return undefined;
  if (reference.position !== undefined) {
    // "the second file" of the listing, though one file of it was read since.
    const listing = calls.slice(0, REMEMBERED).find((call) => targetsOf(call).length > 0 && !readsOne(call));
    return listing === undefined ? undefined : targetsOf(listing).at(reference.position);
  }
  const read = readsOne(newest) ? argumentOf(newest) : undefined;
  const found = targetsOf(newest);
  return read ?? (found.length === 1 ? found[0] : argumentOf(newest));
}

const REMEMBERED = 5;

/** It brought the contents of one thing: paths inside them are not what it is about. */
function readsOne(call: Call): boolean {
  const target = argumentOf(call);
  return target !== undefined && (/:\/\//.test(target) || /\.\w{1,8}$/.test(target));
}

const MAX_TARGETS = 2000;

/** Paths and URIs of a result, in order, each once. */
export function targetsOf(call: Call): readonly string[] {
  const { response } = call;
  if (response === undefined || response.isError) return [];
  const found = new Set<string>();
  if (response.structuredContent !== undefined) collect(response.structuredContent, undefined, found, 0);
  if (found.size === 0) for (const content of response.content) collectContent(content, found);
  const base = directoryOf(call);
  return [...found].map((target) =>
    base === undefined || /[/\\:]/.test(target) ? target : `${base}/${target}`,
  );
}

function collect(value: JsonValue, key: string | undefined, found: Set<string>, depth: number): void {
  if (depth > 6 || found.size >= MAX_TARGETS) return;
  if (typeof value === "string") {
    if (
      key !== undefined &&
      /^(?:path|file|file_?path|filename|uri|url|href|name)$/i.test(key) &&
      looksLikeTarget(value)
    )
      found.add(value);
  } else if (Array.isArray(value)) for (const item of value) collect(item, key, found, depth + 1);
  else if (isJsonObject(value))
    for (const [name, item] of Object.entries(value))
      if (item !== undefined) collect(item, name, found, depth + 1);
}

function looksLikeTarget(value: string): boolean {
  return value.length < 1000 && !value.includes("\n") && /[./\\:]/.test(value);
}

function collectContent(content: ToolContent, found: Set<string>): void {
  if (content.type === "resource-link") found.add(content.link.uri);
  else if (content.type === "resource" && !("text" in content.resource)) found.add(content.resource.uri);
  else if (content.type === "text" || content.type === "resource") {
    const text =
      content.type === "text" ? content.text : "text" in content.resource ? content.resource.text : "";
    for (const line of text.slice(0, 200_000).split("\n")) {
      if (found.size >= MAX_TARGETS) return;
      // "src/a.ts:12: …" names src/a.ts; a line number is no part of it.
      const literal = findLiterals(line.slice(0, 500).replace(/:(?=\d)/g, " "), EPOCH).find(
        ({ type }) => type === "path" || type === "url",
      );
      if (literal !== undefined && "value" in literal && typeof literal.value === "string")
        found.add(literal.value);
    }
  }
}

const EPOCH = new Date(0);

/** The path or URI that the call itself was about. */
function argumentOf({ request }: Call): string | undefined {
  for (const [name, value] of Object.entries(request.arguments))
    if (/path|file|uri|url/i.test(name) && typeof value === "string") return value;
  return undefined;
}

/** A listing names its entries without their folder. */
function directoryOf(call: Call): string | undefined {
  if (!/list|ls|dir|tree/i.test(call.request.name)) return undefined;
  const path = argumentOf(call);
  return path === undefined || path === "." || path === "" ? undefined : path.replace(/[/\\]+$/, "");
}
