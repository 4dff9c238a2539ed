/**
 * `code://stats/{overview|languages|complexity|files|skipped}`: the document's JSON, field by field, or CSV.
 * Lists come in pages; a page that is not the last says so and gives the address of the next.
 */
import { type KitResourceContents, ResourceError } from "../kit/index.ts";
import { listIgnored } from "./ignored.ts";
import type { Project } from "./project.ts";
import { toCsv } from "./statistics/csv.ts";
import { encodeCursor, parseStatsQuery, type StatsQuery } from "./statistics/page.ts";
import type { Snapshot } from "./statistics/project-index.ts";
import {
  complexityEntry,
  complexityOf,
  countedRows,
  fileEntry,
  languagesOf,
  overviewOf,
  skippedOf,
} from "./statistics/summary.ts";
import { STATS_QUERY, statsUri } from "./uri.ts";

export const STATS_TYPES = ["overview", "languages", "complexity", "files"] as const;
/** Beside the document's four: what was left out of them, and why. */
export const ALL_STATS_TYPES = [...STATS_TYPES, "skipped"] as const;
type StatsType = (typeof ALL_STATS_TYPES)[number];

const DEFAULT_LIMITS: Readonly<Record<StatsType, number>> = {
  overview: 1,
  languages: 1000,
  complexity: 100,
  files: 500,
  skipped: 200,
};

interface Answer {
  readonly value: Readonly<Record<string, unknown>>;
  /** The list in it, for CSV. */
  readonly rows: readonly object[];
}

export async function readStats(
  project: Project,
  uri: string,
  type: string,
  query: URLSearchParams,
  options: { readonly signal: AbortSignal },
): Promise<KitResourceContents[]> {
  if (!isStatsType(type)) {
    throw new ResourceError(
      "invalid",
      `Unsupported statistics type: ${type.slice(0, 200)}. Supported types: ${STATS_TYPES.join(", ")}`,
    );
  }
  const parsed = parseStatsQuery(query, STATS_QUERY, DEFAULT_LIMITS[type]);
  // One index for all of it: the project may be another one by the time it is looked at.
  const index = project.index();
  const snapshot = await index.refresh(options);
  const make = async () => {
    const { value, rows } = await answer(type, snapshot, index.root, parsed);
    return parsed.format === "csv" ? toCsv(rows) : JSON.stringify(value, null, 2);
  };
  // What is ignored may change without a change of the statistics.
  const { version } = snapshot;
  const text = type === "skipped" ? await make() : await project.remember({ index, version }, uri, make);
  return [{ uri, mimeType: parsed.format === "csv" ? "text/csv" : "application/json", text }];
}

function isStatsType(type: string): type is StatsType {
  return (ALL_STATS_TYPES as readonly string[]).includes(type);
}

async function answer(type: StatsType, snapshot: Snapshot, root: string, query: StatsQuery): Promise<Answer> {
  const { table } = snapshot;
  const last_updated = snapshot.updated.toISOString();
  switch (type) {
    case "overview": {
      const value = { ...overviewOf(snapshot, root, query.filter) };
      return { value, rows: [{ ...value, languages: value.languages.join(" ") }] };
    }
    case "languages": {
      const languages = languagesOf(snapshot, query.filter, query.detail);
      const { page, more } = cut(type, languages, query);
      return {
        value: { languages: page, total_languages: languages.length, last_updated, ...more },
        rows: page,
      };
    }
    case "complexity": {
      const { order, ...totals } = complexityOf(snapshot, query.filter, query.offset + query.limit);
      const { page, more } = cut(type, order, query, totals.total_files_analyzed);
      const files_by_complexity = page.map((row) => complexityEntry(table, row));
      return { value: { ...totals, files_by_complexity, last_updated, ...more }, rows: files_by_complexity };
    }
    case "files": {
      const rows = countedRows(table, query.filter);
      const { page, more } = cut(type, rows, query);
      const files = page.map((row) => fileEntry(table, row, query.detail));
      return { value: { files, total_count: rows.length, last_updated, ...more }, rows: files };
    }
    case "skipped": {
      const ignored = await listIgnored(root);
      const entries = [
        ...skippedOf(snapshot, query.filter),
        ...ignored.filter(({ path }) => query.filter?.(path, "") !== false),
      ];
      const by_reason = Object.fromEntries(
        [...Map.groupBy(entries, ({ reason }) => reason)].map(([reason, list]) => [reason, list.length]),
      );
      const { page, more } = cut(type, entries, query);
      return {
        value: { skipped: page, total_count: entries.length, by_reason, last_updated, ...more },
        rows: [...page],
      };
    }
    default:
      return type satisfies never;
  }
}

/** One page; when it is not the last, what to read for the next. */
function cut<T>(
  type: StatsType,
  list: readonly T[],
  query: StatsQuery,
  total = list.length,
): { page: readonly T[]; more: object } {
  const end = query.offset + query.limit;
  const page = list.slice(query.offset, end);
  if (end >= total) return { page, more: {} };
  const next_cursor = encodeCursor(end);
  return { page, more: { next_cursor, next_uri: statsUri(type, { ...query.rest, cursor: next_cursor }) } };
}
