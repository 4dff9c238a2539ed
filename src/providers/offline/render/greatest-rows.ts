/**
 * The rows that a superlative asks for: "which files are the largest?" is answered with the ten largest first. The
 * column is the one that the request speaks of; without a plain one, nothing is sorted.
 */
import type { JsonObject, JsonValue } from "../../../conversation/index.ts";
import { rowsOf } from "./named-rows.ts";

const SHOWN = 10;

/** What is asked for, and the names of the columns that tell it. */
const SUPERLATIVES: readonly { readonly said: RegExp; readonly column: RegExp; readonly least?: true }[] = [
  { said: /\bsmallest\b|(?:一番|最も|もっとも)小さ|最小/i, column: /size|bytes|length/i, least: true },
  { said: /\bshortest\b|(?:一番|最も|もっとも)短/i, column: /line|length|duration/i, least: true },
  { said: /\b(?:longest|most lines)\b|(?:一番|最も|もっとも)(?:長|行数)/i, column: /line|length|duration/i },
  { said: /\b(?:largest|biggest|heaviest)\b|(?:一番|最も|もっとも)大き|最大/i, column: /size|bytes|line/i },
  { said: /\b(?:most complex|complexest)\b|(?:一番|最も|もっとも)複雑/i, column: /complex/i },
  { said: /\b(?:newest|latest|most recent)\b|最新|最近/i, column: /modified|updated|changed|date|time/i },
  {
    said: /\boldest\b|(?:一番|最も|もっとも)古/i,
    column: /modified|updated|changed|date|time/i,
    least: true,
  },
];

export function rowsMostIn(value: JsonValue, request: string): readonly JsonObject[] {
  const rows = rowsOf(value);
  const asked = SUPERLATIVES.find(({ said }) => said.test(request.slice(0, 4000)));
  if (asked === undefined || rows.length < 2) return [];
  const column = columnFor(rows, asked.column);
  if (column === undefined) return [];
  const sorted = rows.toSorted((a, b) => compare(b[column], a[column]));
  return (asked.least ? sorted.reverse() : sorted).slice(0, SHOWN);
}

/** Numbers, or texts that sort as dates do; the first word of the pattern that a column has decides. */
function columnFor(rows: readonly JsonObject[], pattern: RegExp): string | undefined {
  const sortable = Object.keys(rows[0] ?? {}).filter((column) =>
    rows.every((row) => typeof row[column] === "number" || isDate(row[column])),
  );
  for (const word of pattern.source.split("|")) {
    const found = sortable.find((column) => column.toLowerCase().includes(word));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isDate(value: JsonValue | undefined): boolean {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value);
}

function compare(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
