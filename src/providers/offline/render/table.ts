/**
 * Structured values as Markdown: rows of objects as a table, an object as a list of its fields, the rest as JSON.
 * Cells are aligned by their width in columns, so that Japanese lines up too. What is cut is counted.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../conversation/index.ts";
import type { Language } from "../reading/text.ts";
import { padTo, widthOf } from "./width.ts";

const MAX_ROWS = 200;
const MAX_COLUMNS = 12;
const MAX_CELL = 200;
const MAX_DEPTH = 3;

export function renderValue(value: JsonValue, language: Language, depth = 0): string {
  if (Array.isArray(value)) return renderList(value, language, depth);
  if (isJsonObject(value)) return renderObject(value, language, depth);
  return typeof value === "string" ? value : jsonOf(value);
}

/** Worth laying out: a list of objects, or an object. */
export function isStructured(value: JsonValue): boolean {
  return isJsonObject(value) || (Array.isArray(value) && value.length > 0 && value.every(isJsonObject));
}

function renderList(value: readonly JsonValue[], language: Language, depth: number): string {
  if (value.length === 0) return language === "ja" ? "（空）" : "(empty)";
  if (value.every(isJsonObject)) return renderTable(value, language);
  if (depth >= MAX_DEPTH) return jsonOf(value);
  const shown = value.slice(0, MAX_ROWS).map((item) => `- ${oneLine(item)}`);
  return [...shown, ...leftOut(value.length - MAX_ROWS, language)].join("\n");
}

function renderObject(value: JsonObject, language: Language, depth: number): string {
  const simple: string[] = [];
  const nested: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const large = depth < MAX_DEPTH && (isStructured(item) || (Array.isArray(item) && item.length > 3));
    if (large) nested.push(`**${key}**\n\n${renderValue(item, language, depth + 1)}`);
    else simple.push(`- ${key}: ${oneLine(item)}`);
  }
  return [...(simple.length > 0 ? [simple.join("\n")] : []), ...nested].join("\n\n");
}

export function renderTable(rows: readonly JsonObject[], language: Language): string {
  const columns = [...new Set(rows.slice(0, MAX_ROWS).flatMap((row) => Object.keys(row)))];
  const shown = columns.slice(0, MAX_COLUMNS);
  const cells = rows.slice(0, MAX_ROWS).map((row) => shown.map((column) => cell(row[column])));
  const widths = shown.map((column, index) =>
    Math.max(3, widthOf(column), ...cells.map((row) => widthOf(row[index] ?? ""))),
  );
  const numeric = shown.map((column) =>
    rows.every((row) => row[column] === undefined || typeof row[column] === "number"),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((text, index) => align(text, widths[index] ?? 3, numeric[index] === true)).join(" | ")} |`;
  const rule = `| ${widths.map((width, index) => (numeric[index] ? `${"-".repeat(width - 1)}:` : "-".repeat(width))).join(" | ")} |`;
  return [
    line(shown),
    rule,
    ...cells.map(line),
    ...leftOut(rows.length - MAX_ROWS, language),
    ...(columns.length > MAX_COLUMNS ? [omittedColumns(columns.slice(MAX_COLUMNS), language)] : []),
  ].join("\n");
}

function align(text: string, width: number, right: boolean): string {
  return right ? " ".repeat(Math.max(0, width - widthOf(text))) + text : padTo(text, width);
}

function cell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  const text = oneLine(value).replaceAll("|", "\\|");
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}

function oneLine(value: JsonValue): string {
  return (typeof value === "string" ? value : jsonOf(value)).replace(/\s*\n\s*/g, " ");
}

function leftOut(count: number, language: Language): readonly string[] {
  if (count <= 0) return [];
  return [
    "",
    language === "ja" ? `（ほか ${count} 行は省略しました）` : `(${count} more rows are not shown)`,
  ];
}

function omittedColumns(columns: readonly string[], language: Language): string {
  const names = columns.join(", ").slice(0, 300);
  return language === "ja" ? `\n（省略した列: ${names}）` : `\n(columns not shown: ${names})`;
}

/** R12: nesting beyond the stack is said, not thrown. */
function jsonOf(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "(nested too deeply to show)";
  }
}
