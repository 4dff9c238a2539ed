/**
 * The rows of a result that the request names: asked for TypeScript, a table of languages is answered with the
 * row of TypeScript first. Only an exact cell counts, and only when it is not every row.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../conversation/index.ts";

const MAX_ROWS = 5000;

export function rowsNamedIn(value: JsonValue, request: string): readonly JsonObject[] {
  const rows = rowsOf(value);
  if (rows.length < 2) return [];
  const asked = request.slice(0, 4000).toLowerCase();
  const named = rows.filter((row) =>
    Object.values(row).some(
      (cell) => typeof cell === "string" && cell.length > 1 && isSaid(cell.toLowerCase(), asked),
    ),
  );
  return named.length > 0 && named.length <= Math.max(1, rows.length / 4) ? named : [];
}

/** The list of rows, or the only list of rows in an object. */
export function rowsOf(value: JsonValue): readonly JsonObject[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ROWS).filter(isJsonObject);
  if (!isJsonObject(value)) return [];
  const lists = Object.values(value).filter((item) => Array.isArray(item) && item.some(isJsonObject));
  const only = lists[0];
  return lists.length === 1 && Array.isArray(only) ? only.slice(0, MAX_ROWS).filter(isJsonObject) : [];
}

function isSaid(cell: string, asked: string): boolean {
  const at = asked.indexOf(cell);
  if (at < 0) return false;
  const letter = /[\p{Script=Latin}\p{N}]/u;
  return !letter.test(asked[at - 1] ?? " ") && !letter.test(asked[at + cell.length] ?? " ");
}
