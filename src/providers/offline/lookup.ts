/**
 * A missing value that the extension itself can list: which collections are there, which repositories. A listing
 * that only reads and needs nothing is called first; its only entry is the value, and of several the person is
 * asked to choose.
 */
import {
  isJsonObject,
  type JsonValue,
  type ToolDefinition,
  type ToolResponse,
} from "../../conversation/index.ts";
import { tokenize } from "../../lib/ranking/tokenize.ts";
import type { Parameter } from "./arguments/parameter.ts";
import { parametersOf } from "./arguments/parameter.ts";
import { unsettled } from "./open-question.ts";
import type { Proposal } from "./propose.ts";
import { isReadOnly } from "./tool-words.ts";

export interface Lookup {
  readonly lister: ToolDefinition;
  readonly parameter: Parameter;
  readonly proposal: Proposal;
}

const LISTS = /^(?:list|一覧|リスト)$/;
/** Words of listings and of parameters that say nothing about what is listed. */
const VAGUE = new Set(["list", "name", "get", "all", "id", "一覧", "リスト", "名前", "取得"]);
const MAX_VALUES = 1000;

/** Where exactly one text is missing and a listing of its kind stands beside the tool. */
export function lookupFor(proposal: Proposal, tools: Iterable<ToolDefinition>): Lookup | undefined {
  const [parameter, ...others] = unsettled(proposal);
  if (parameter?.type !== "string" || parameter.closed || others.length > 0 || !isReadOnly(proposal.tool))
    return undefined;
  const wanted = termsOf(`${parameter.name} ${parameter.description}`);
  let best: { readonly lister: ToolDefinition; readonly shared: number } | undefined;
  for (const tool of tools) {
    if (tool.extension !== proposal.tool.extension || tool === proposal.tool || !isReadOnly(tool)) continue;
    if (parametersOf(tool.inputSchema).some(({ required }) => required)) continue;
    const title = termsOf(`${tool.toolName} ${tool.title ?? ""}`, true);
    if (![...title].some((term) => LISTS.test(term))) continue;
    const shared = [...title].filter((term) => wanted.has(term)).length;
    if (shared > 0 && shared > (best?.shared ?? 0)) best = { lister: tool, shared };
  }
  return best === undefined ? undefined : { lister: best.lister, parameter, proposal };
}

function termsOf(text: string, withVague = false): ReadonlySet<string> {
  const terms = tokenize(text.slice(0, 1000)).map(({ term }) => term);
  return new Set(
    terms.filter((term) => (withVague ? !VAGUE.has(term) || LISTS.test(term) : !VAGUE.has(term))),
  );
}

/** The values that a listing offers for the parameter, each once, in order. */
export function listedValues(response: ToolResponse, parameter: Parameter): readonly string[] {
  const found = new Set<string>();
  if (response.isError) return [];
  if (response.structuredContent !== undefined) collect(response.structuredContent, parameter.name, found);
  if (found.size > 0) return [...found].slice(0, MAX_VALUES);
  for (const content of response.content) {
    if (content.type !== "text") continue;
    const value = parsed(content.text);
    if (value !== undefined) collect(value, parameter.name, found);
    else
      for (const match of content.text.slice(0, 50_000).matchAll(/「([^「」\n]{1,200})」/g))
        found.add(match[1] ?? "");
  }
  return [...found].slice(0, MAX_VALUES);
}

/** The rows of the only list there is: by the parameter's own name, else by what rows are usually called by. */
function collect(value: JsonValue, name: string, found: Set<string>): void {
  const lists = Array.isArray(value)
    ? [value]
    : isJsonObject(value)
      ? Object.values(value).filter(Array.isArray)
      : [];
  const [rows, ...others] = lists;
  if (rows === undefined || others.length > 0) return;
  for (const row of rows) {
    const cell = isJsonObject(row) ? (row[name] ?? row["name"] ?? row["title"] ?? row["id"]) : row;
    if (typeof cell === "string" && cell !== "") found.add(cell);
  }
}

function parsed(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > 1_000_000) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
