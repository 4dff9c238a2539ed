/**
 * Filters and pages of a statistic, read from its query. A cursor is opaque to the client and says where the next
 * page begins; it stays good when the statistics change, as a place in the list as it is then.
 */
import { ResourceError } from "../../kit/index.ts";
import { globToRegExp } from "../glob.ts";
import type { RowFilter } from "./summary.ts";

export interface StatsQuery {
  readonly filter: RowFilter | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly format: "json" | "csv";
  readonly detail: boolean;
  /** The query without its cursor, for the address of the next page. */
  readonly rest: Readonly<Record<string, string>>;
}

const MAX_LIMIT = 10_000;

export function parseStatsQuery(
  query: URLSearchParams,
  known: ReadonlySet<string>,
  defaultLimit: number,
): StatsQuery {
  for (const key of query.keys()) {
    if (!known.has(key)) {
      throw new ResourceError(
        "invalid",
        `Unknown parameter "${key}". Known parameters: ${[...known].join(", ")}`,
      );
    }
  }
  const { cursor, ...rest } = Object.fromEntries(query);
  const format = query.get("format") ?? "json";
  if (format !== "json" && format !== "csv") {
    throw new ResourceError("invalid", `Unsupported format: ${format}. Supported formats: json, csv`);
  }
  const detail = query.get("detail") ?? "";
  if (!["", "full", "true", "false"].includes(detail)) {
    throw new ResourceError("invalid", `Unsupported detail: ${detail}. Use detail=full or leave it out`);
  }
  return {
    filter: makeFilter(query.getAll("language"), query.getAll("path")),
    limit: parseLimit(query.get("limit"), defaultLimit),
    offset: cursor === undefined ? 0 : decodeCursor(cursor),
    format,
    detail: detail === "full" || detail === "true",
    rest,
  };
}

export function encodeCursor(offset: number): string {
  return Buffer.from(`at:${offset}`).toString("base64url");
}

function decodeCursor(cursor: string): number {
  const match = /^at:(\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (!match)
    throw new ResourceError("invalid", `Invalid cursor: ${cursor.slice(0, 80)}. Read the first page again`);
  return Number(match[1]);
}

function parseLimit(text: string | null, defaultLimit: number): number {
  if (text === null) return defaultLimit;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new ResourceError(
      "invalid",
      `Invalid limit: ${text.slice(0, 80)}. Use a whole number from 1 to ${MAX_LIMIT}`,
    );
  }
  return limit;
}

/** `language=a,b` and `path=src` (a folder or a file) or a glob; several of one kind are alternatives. */
function makeFilter(languages: readonly string[], paths: readonly string[]): RowFilter | undefined {
  const wanted = new Set(
    languages.flatMap((list) => list.split(",")).map((name) => name.trim().toLowerCase()),
  );
  const patterns = paths.map(pathFilter);
  if (wanted.size === 0 && patterns.length === 0) return undefined;
  return (path, language) =>
    (wanted.size === 0 || wanted.has(language)) &&
    (patterns.length === 0 || patterns.some((matches) => matches(path)));
}

export function pathFilter(pattern: string): (path: string) => boolean {
  const clean = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
  if (clean === "" || clean === ".") return () => true;
  if (!/[*?[{]/.test(clean)) return (path) => path === clean || path.startsWith(`${clean}/`);
  const glob = globToRegExp(clean);
  return (path) => glob.test(path);
}
