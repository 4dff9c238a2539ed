/**
 * Requests that only make sense after a call: the next page, the same again with another value. They reuse the
 * last call's tool and arguments and change what was said; what the last result does not offer is said plainly.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolDefinition,
  type ToolResponse,
} from "../../conversation/index.ts";
import { fillArguments } from "./arguments/fill.ts";
import { type Parameter, parametersOf } from "./arguments/parameter.ts";
import { type Exchange, lastCall } from "./history.ts";
import type { Reading } from "./reading/reading.ts";

export type FollowUp =
  | {
      readonly type: "call";
      readonly tool: ToolDefinition;
      readonly arguments: JsonObject;
      readonly because: string;
    }
  | { readonly type: "no-next-page"; readonly tool: ToolDefinition }
  | { readonly type: "no-earlier-call" };

const NEXT_PAGE =
  /^\W*(?:(?:show|give|get)\s+(?:me\s+)?)?(?:the\s+)?(?:next\s+(?:page|one|results?|items?|entries)|more(?:\s+(?:results|items|entries|please))?|continue|go on)\W*$|次の?ページ|続きを?|つづき|もっと(?:見|表示)|次の(?:結果|一覧)/i;
const AGAIN =
  /\b(?:again|once more|repeat|same(?:\s+(?:thing|call|again))?)\b|もう一度|もういちど|再度|同じ(?:こと|条件)/i;

export function followUp(
  reading: Reading,
  exchanges: readonly Exchange[],
  tools: ReadonlyMap<string, ToolDefinition>,
): FollowUp | undefined {
  const text = reading.folded.trim();
  const next = NEXT_PAGE.test(text);
  if (!next && !AGAIN.test(text)) return undefined;
  const last = lastCall(exchanges);
  const tool = last === undefined ? undefined : tools.get(last.request.name);
  if (last === undefined || tool === undefined)
    return next || ownWords(reading) <= 1 ? { type: "no-earlier-call" } : undefined;
  if (!next) return again(reading, tool, last.request.arguments);
  const changes = nextPage(tool, last.request.arguments, last.response);
  if (changes === undefined) return { type: "no-next-page", tool };
  return { type: "call", tool, arguments: { ...last.request.arguments, ...changes }, because: "next page" };
}

function nextPage(tool: ToolDefinition, before: JsonObject, response: ToolResponse): JsonObject | undefined {
  const parameters = parametersOf(tool.inputSchema).filter(({ path }) => path.length === 1);
  const said = saidToGoOn(parameters, response);
  if (said !== undefined) return said;
  const cursor = cursorIn(response);
  const byCursor = parameters.find(({ name }) => /cursor|continuation|next_?token|page_?token/i.test(name));
  if (byCursor !== undefined) return cursor === undefined ? undefined : { [byCursor.name]: cursor };
  const byPage = parameters.find(
    ({ name, type }) => /^page(?:_?(?:number|no|index))?$/i.test(name) && isNumeric(type),
  );
  if (byPage !== undefined) return { [byPage.name]: numberAt(before, byPage, 1) + 1 };
  const byOffset = parameters.find(
    ({ name, type }) => /^(?:offset|skip|start(?:_?index)?)$/i.test(name) && isNumeric(type),
  );
  if (byOffset === undefined) return nextRange(parameters, before);
  const limit = parameters.find(({ name }) =>
    /^(?:limit|count|size|page_?size|per_?page|max_?results)$/i.test(name),
  );
  const step = limit === undefined ? 0 : numberAt(before, limit, 0);
  return step > 0 ? { [byOffset.name]: numberAt(before, byOffset, 0) + step } : undefined;
}

/** "[3 more; go on with after: \"src\"]": the result itself says with which value of which parameter to go on. */
function saidToGoOn(parameters: readonly Parameter[], response: ToolResponse): JsonObject | undefined {
  const texts = response.content.flatMap((content) =>
    content.type === "text" ? [content.text.slice(-TAIL)] : [],
  );
  for (const { name, type } of parameters) {
    const line = /^(?:start_?line|from_?line)$/i.test(name) ? /\bfrom line (\d+)/i : undefined;
    const next = texts.map((text) => line?.exec(text)?.[1]).find((one) => one !== undefined);
    if (next !== undefined) return { [name]: Number(next) };
    const pattern = new RegExp(
      `(?:go on|read on|continue|next|続き)[^\\n]{0,60}?\\b${name.replace(/\W/g, "\\$&")}\\s*[:=]\\s*("(?:[^"\\\\]|\\\\.){0,500}"|[\\w./-]{1,500})`,
      "i",
    );
    const found = texts.map((text) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
    if (found === undefined) continue;
    const value = found.startsWith('"') ? parsed(found) : found;
    const number = Number(value);
    if (isNumeric(type)) return Number.isNaN(number) ? undefined : { [name]: number };
    return value === undefined ? undefined : { [name]: value };
  }
  return undefined;
}

const TAIL = 2000;

function parsed(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Ranks 1 to 3 are followed by 4 to 6. */
function nextRange(parameters: readonly Parameter[], before: JsonObject): JsonObject | undefined {
  const start = parameters.find(
    ({ role, type, name }) => role === "start" && isNumeric(type) && typeof before[name] === "number",
  );
  const end = parameters.find(
    ({ role, type, name }) => role === "end" && isNumeric(type) && typeof before[name] === "number",
  );
  if (start === undefined || end === undefined) return undefined;
  const from = numberAt(before, start, 0);
  const to = numberAt(before, end, 0);
  return { [start.name]: to + 1, [end.name]: to + (to - from) + 1 };
}

function isNumeric(type: Parameter["type"]): boolean {
  return type === "integer" || type === "number";
}

function numberAt(before: JsonObject, parameter: Parameter, otherwise: number): number {
  const value = before[parameter.name] ?? parameter.default;
  return typeof value === "number" ? value : otherwise;
}

/** The cursor of a result, wherever its server put it. */
function cursorIn(response: ToolResponse): JsonValue | undefined {
  for (const place of [response.structuredContent, response.meta]) {
    const found = place === undefined ? undefined : fieldNamed(place, 0);
    if (found !== undefined) return found;
  }
  for (const content of response.content) {
    if (content.type !== "text") continue;
    const match = /"?next_?(?:cursor|page_?token)"?\s*[:=]\s*"?([^\s",}]{1,500})/i.exec(
      content.text.slice(-20_000),
    );
    if (match?.[1] !== undefined && match[1] !== "null") return match[1];
  }
  return undefined;
}

function fieldNamed(value: JsonValue, depth: number): JsonValue | undefined {
  if (!isJsonObject(value) || depth > 3) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null || item === "") continue;
    if (/^next_?(?:cursor|page_?token|token)$/i.test(key)) return item;
    const inner = fieldNamed(item, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Words that say something beside "again". */
function ownWords(reading: Reading): number {
  return reading.tokens.filter((token) => token.content && !AGAIN.test(token.text)).length;
}

/** The same call; a value said now goes where it fits, a lone number into the only number there was. */
function again(reading: Reading, tool: ToolDefinition, before: JsonObject): FollowUp | undefined {
  const filling = fillArguments(tool, reading);
  const changes: Record<string, JsonValue> = {};
  for (const { parameter, value, provenance, certain } of filling.filled)
    if (
      provenance.from === "request" &&
      certain &&
      parameter.path.length === 1 &&
      isNumeric(parameter.type) === (typeof value === "number")
    )
      changes[parameter.name] = value;
  const numbers = reading.literals.filter(({ type }) => type === "number");
  const numeric = parametersOf(tool.inputSchema).filter(
    ({ type, name, path }) => path.length === 1 && isNumeric(type) && typeof before[name] === "number",
  );
  const only = numeric[0];
  const number = numbers[0];
  if (numbers.length === 1 && number?.type === "number" && numeric.length === 1 && only !== undefined) {
    for (const name of Object.keys(changes)) delete changes[name];
    changes[only.name] = number.number.value;
  }
  // "run the tests again" is a request of its own; "again", "again with 5" is not.
  if (ownWords(reading) > 3 && Object.keys(changes).length === 0) return undefined;
  return { type: "call", tool, arguments: { ...before, ...changes }, because: "again" };
}
