/** `code_history`: churn, authors, change over time, and the hot spots where churn meets complexity. */
import { z } from "zod";
import { defineTool, failure, type KitTool, structured } from "../../kit/index.ts";
import { HistoryError, readHistory } from "../history.ts";
import { findHotSpots } from "../hot-spots.ts";
import type { Project } from "../project.ts";
import { folderInside, ToolInputError } from "./tool-input.ts";

export function createCodeHistory(project: Project): KitTool {
  return defineTool({
    name: "code_history",
    title: "History of the project",
    description:
      "From git: who changed what and how often, month by month, the files that change most, and the hot spots " +
      "(often changed and complex).",
    input: z.object({
      since: z
        .string()
        .max(100)
        .default("1 year ago")
        .describe('How far back: "6 months ago", "2025-01-01", "all"'),
      path: z.string().optional().describe("Only this file or folder"),
      limit: z.int().min(1).max(200).default(15).describe("Most files, authors and hot spots to give"),
      max_commits: z.int().min(1).max(50_000).default(5000).describe("Most commits to read, newest first"),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async run({ since, path, limit, max_commits }, { signal }) {
      try {
        const index = project.index();
        const folder = folderInside(index.root, path);
        const [history, { table }] = await Promise.all([
          readHistory({
            root: index.root,
            since: since === "all" ? undefined : since,
            path: folder,
            maxCommits: max_commits,
            signal,
          }),
          index.refresh({ signal }),
        ]);
        const hot_spots = findHotSpots(index, table, history.files, limit);
        const value = {
          commits: history.commits,
          ...(history.cut && {
            cut: `Only the newest ${max_commits} commits were read; raise max_commits for more.`,
          }),
          ...(history.first !== undefined && { first_commit: history.first, last_commit: history.last }),
          authors: history.authors.slice(0, limit),
          total_authors: history.authors.length,
          months: history.months.slice(-36),
          churn: history.files
            .slice(0, limit)
            .map(({ authors, path: file, ...counts }) => ({ file, ...counts, authors: authors.size })),
          total_files: history.files.length,
          hot_spots,
          ...(!history.hasLines && {
            note: "This clone lacks old contents: lines added and deleted are not known.",
          }),
        };
        const lines = [
          `${history.commits} commits by ${history.authors.length} authors${history.cut ? " (the newest; more were not read)" : ""}`,
          "Hot spots (commits × complexity):",
          ...hot_spots.map(
            (spot) => `${String(spot.score).padStart(8)}  ${spot.file}  ${spot.commits} × ${spot.complexity}`,
          ),
          "Most changed:",
          ...value.churn.map(
            (file) =>
              `${String(file.commits).padStart(8)}  ${file.file}  +${file.added} −${file.deleted}, ${file.authors} authors`,
          ),
          `Authors: ${value.authors.map(({ name, commits }) => `${name} (${commits})`).join(", ")}`,
          `Months: ${value.months
            .slice(-12)
            .map(({ month, commits }) => `${month} ${commits}`)
            .join(", ")}`,
        ];
        return structured(value, lines.join("\n"));
      } catch (error) {
        if (error instanceof ToolInputError) return failure(error.message);
        if (error instanceof HistoryError)
          return failure(`No history: ${error.message}. The project must be a git repository with commits.`);
        throw error;
      }
    },
  });
}
