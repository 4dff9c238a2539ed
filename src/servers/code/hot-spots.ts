/** Hot spots: files that are both complex and often changed, where a look pays most. */
import type { FileChurn } from "./history.ts";
import { FileState, type FileTable } from "./statistics/file-table.ts";
import type { ProjectIndex } from "./statistics/project-index.ts";
import { fileComplexity, languageAt } from "./statistics/summary.ts";

export interface HotSpot {
  readonly file: string;
  readonly language: string;
  readonly commits: number;
  readonly complexity: number;
  readonly line_count: number;
  /** Changes times complexity. */
  readonly score: number;
}

export function findHotSpots(
  index: ProjectIndex,
  table: FileTable,
  churn: readonly FileChurn[],
  limit: number,
): HotSpot[] {
  const spots: HotSpot[] = [];
  for (const { path, commits } of churn) {
    const row = index.rowOf(path);
    if (row < 0 || table.columns.state[row] !== FileState.counted) continue;
    const complexity = fileComplexity(table, row);
    if (complexity === 0) continue;
    spots.push({
      file: path,
      language: languageAt(table, row),
      commits,
      complexity,
      line_count: table.columns.lines[row] as number,
      score: commits * complexity,
    });
  }
  return spots.sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1)).slice(0, limit);
}
