/**
 * A tool's result as the person sees it: text as it is, structured data as tables, links as links, and a line
 * for each picture (whoever shows the conversation shows the picture itself). Nothing is summed up or reworded.
 */
import {
  isFor,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ResourceContents,
  type ToolContent,
  type ToolResponse,
} from "../../../conversation/index.ts";
import type { Language } from "../reading/text.ts";
import { rowsMostIn } from "./greatest-rows.ts";
import { rowsNamedIn } from "./named-rows.ts";
import { isStructured, renderTable, renderValue } from "./table.ts";

const MAX_CHARACTERS = 60_000;

export interface ResultQuestion {
  readonly language: Language;
  /** What was asked: a row that it names is put first. */
  readonly request: string;
}

export function renderResponse(response: ToolResponse, question: ResultQuestion): string {
  const { language } = question;
  const blocks: string[] = [];
  const data = structuredOf(response);
  if (data !== undefined) {
    const asked = rowsAskedFor(data, question.request);
    if (asked.length > 0) blocks.push(renderTable(asked, language));
    blocks.push(renderValue(data, language));
  }
  for (const content of response.content) {
    if (!isFor("user", "annotations" in content ? content.annotations : undefined)) continue;
    const block = renderContent(content, question, data !== undefined);
    if (block !== undefined && block !== "") blocks.push(block);
  }
  const text = blocks.join("\n\n").trim();
  const shown = text === "" ? nothingIn(response.name, language) : cut(text, language);
  return response.isError ? `${failed(response.name, language)}\n\n${shown}` : shown;
}

/** structuredContent, unless the text beside it already says the same in words. */
function structuredOf(response: ToolResponse): JsonValue | undefined {
  const data = response.structuredContent;
  if (data === undefined || !isStructured(data)) return undefined;
  const prose = response.content
    .map((content) => (content.type === "text" && parsed(content.text) === undefined ? content.text : ""))
    .join("\n");
  // Words among pictures or links are a page that the server laid out; the data is for programs.
  if (prose.trim() !== "" && response.content.some(({ type }) => type !== "text")) return undefined;
  const values = leaves(data, 0).slice(0, MAX_COMPARED);
  const said = values.filter((value) => prose.includes(value));
  return prose.trim() !== "" && said.length >= values.length * MOSTLY ? undefined : data;
}

const MAX_COMPARED = 60;
const MOSTLY = 0.5;

function leaves(value: JsonValue, depth: number): readonly string[] {
  if (depth > 6) return [];
  if (Array.isArray(value)) return value.slice(0, MAX_COMPARED).flatMap((item) => leaves(item, depth + 1));
  if (isJsonObject(value))
    return Object.values(value).flatMap((item) => (item === undefined ? [] : leaves(item, depth + 1)));
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

function renderContent(content: ToolContent, question: ResultQuestion, hasData: boolean): string | undefined {
  switch (content.type) {
    case "text":
      // Servers repeat structured content as JSON text, for clients that know no better.
      if (hasData && parsed(content.text) !== undefined) return undefined;
      return renderText(content.text, question);
    case "image":
      return picture(content.source?.uri ?? "", content.mimeType, content.data, question.language);
    case "audio":
      return `♪ ${content.mimeType} (${size(content.data)})`;
    case "resource":
      return renderResource(content.resource, question);
    case "resource-link": {
      const { uri, name, title, description } = content.link;
      return `[${title ?? name}](${uri})${description === undefined ? "" : ` ${description}`}`;
    }
  }
}

function renderResource(
  resource: ResourceContents & { readonly name?: string },
  question: ResultQuestion,
): string {
  const mimeType = resource.mimeType ?? "application/octet-stream";
  // A file that was asked for by name is shown as it is, JSON or not.
  const isNamed = /\.\w+$/.test(resource.uri) && question.request.includes(nameIn(resource.uri));
  if ("text" in resource) return isNamed ? resource.text : renderText(resource.text, question);
  if (mimeType.startsWith("image/"))
    return picture(
      resource.name ?? nameIn(resource.uri),
      mimeType,
      resource.blob,
      question.language,
      resource.uri,
    );
  return `[${resource.name ?? resource.uri}](${resource.uri}) ${mimeType} (${size(resource.blob)})`;
}

/** The last part of a URI, as people wrote it. */
function nameIn(uri: string): string {
  const last = uri.split("/").at(-1) ?? uri;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function renderText(text: string, question: ResultQuestion): string {
  const value = parsed(text);
  if (value === undefined) return text;
  const asked = rowsAskedFor(value, question.request);
  const whole = renderValue(value, question.language);
  return asked.length > 0 ? `${renderTable(asked, question.language)}\n\n${whole}` : whole;
}

function rowsAskedFor(value: JsonValue, request: string): readonly JsonObject[] {
  const named = rowsNamedIn(value, request);
  return named.length > 0 ? named : rowsMostIn(value, request);
}

/** JSON worth laying out as a table; anything else stays text. */
function parsed(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > 1_000_000) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isStructured(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function picture(name: string, mimeType: string, data: string, language: Language, uri?: string): string {
  const label = language === "ja" ? "画像" : "picture";
  const link = uri === undefined || uri === name ? name : `${name} (${uri})`;
  return `[${label}] ${link === "" ? "" : `${link} `}${mimeType}, ${size(data)}`;
}

function size(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function nothingIn(name: string, language: Language): string {
  return language === "ja" ? `\`${name}\` は何も返しませんでした。` : `\`${name}\` returned nothing.`;
}

function failed(name: string, language: Language): string {
  return language === "ja" ? `\`${name}\` は失敗しました。` : `\`${name}\` failed.`;
}

function cut(text: string, language: Language): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const rest = text.length - MAX_CHARACTERS;
  const note =
    language === "ja"
      ? `（長いため残り ${rest} 文字を省略しました。範囲を指定して続きを取得してください）`
      : `(cut: ${rest} more characters. Ask for a range to get the rest)`;
  return `${text.slice(0, MAX_CHARACTERS)}\n\n${note}`;
}
