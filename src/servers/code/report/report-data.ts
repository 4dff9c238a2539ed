/** Everything the report shows, gathered once: statistics, the largest and most complex files, history, hot spots. */
import { basename } from "node:path";
import { type History, HistoryError, readHistory } from "../history.ts";
import { findHotSpots, type HotSpot } from "../hot-spots.ts";
import { isProgram } from "../languages/index.ts";
import type { ProjectIndex } from "../statistics/project-index.ts";
import {
  complexityOf,
  countedRows,
  fileComplexity,
  type LanguageEntry,
  languageAt,
  languagesOf,
  overviewOf,
} from "../statistics/summary.ts";

export interface ReportFile {
  readonly path: string;
  readonly language: string;
  readonly lines: number;
  readonly code: number;
  readonly complexity: number;
  readonly program: boolean;
}

export interface ReportData {
  readonly name: string;
  readonly root: string;
  readonly made: string;
  readonly totalFiles: number;
  readonly totalLines: number;
  readonly codeLines: number;
  readonly commentLines: number;
  readonly averageComplexity: number;
  readonly maxComplexity: number;
  readonly languages: readonly LanguageEntry[];
  readonly files: readonly ReportFile[];
  readonly hotSpots: readonly HotSpot[];
  /** Undefined when there is none to read. */
  readonly history: History | undefined;
  readonly historySince: string;
}

export async function gatherReport(
  index: ProjectIndex,
  options: { readonly since: string; readonly signal?: AbortSignal },
): Promise<ReportData> {
  const [snapshot, history] = await Promise.all([index.refresh(options), historyOrNone(index.root, options)]);
  const { table } = snapshot;
  const overview = overviewOf(snapshot, index.root);
  const languages = languagesOf(snapshot, undefined, true);
  const complexity = complexityOf(snapshot);
  const files = countedRows(table).map((row) => ({
    path: table.path(row),
    language: languageAt(table, row),
    lines: table.columns.lines[row] as number,
    code: table.columns.code[row] as number,
    complexity: fileComplexity(table, row),
    program: isProgram(table.columns.language[row] as number),
  }));
  return {
    name: basename(index.root),
    root: index.root,
    made: overview.last_updated,
    totalFiles: overview.total_files,
    totalLines: overview.total_lines,
    codeLines: languages.reduce((sum, { code_lines = 0 }) => sum + code_lines, 0),
    commentLines: languages.reduce((sum, { comment_lines = 0 }) => sum + comment_lines, 0),
    averageComplexity: complexity.average_complexity,
    maxComplexity: complexity.max_complexity,
    languages,
    files,
    hotSpots: history ? findHotSpots(index, table, history.files, 20) : [],
    history,
    historySince: options.since,
  };
}

async function historyOrNone(
  root: string,
  { since, signal }: { since: string; signal?: AbortSignal },
): Promise<History | undefined> {
  try {
    const history = await readHistory({
      root,
      since,
      path: undefined,
      maxCommits: 20_000,
      ...(signal && { signal }),
    });
    return history.commits > 0 ? history : undefined;
  } catch (error) {
    if (error instanceof HistoryError) return undefined;
    throw error;
  }
}
