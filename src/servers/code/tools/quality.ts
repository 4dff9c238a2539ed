/** `code_quality`: where the code is long, deep, repeated or without comments. */
import { z } from "zod";
import { defineTool, failure, type KitTool, structured } from "../../kit/index.ts";
import type { Project } from "../project.ts";
import { assessQuality, type FunctionFinding } from "../quality/assess.ts";
import { pathFilter } from "../statistics/page.ts";
import { folderInside, ToolInputError } from "./tool-input.ts";

export function createCodeQuality(project: Project): KitTool {
  return defineTool({
    name: "code_quality",
    title: "Quality of the code",
    description:
      "Long functions, complex functions, deep nesting, duplicated code and the share of comments, in the whole " +
      "project or below path. Functions are measured in the most complex files.",
    input: z.object({
      path: z.string().optional().describe("Only this file or folder"),
      max_lines: z.int().min(1).default(80).describe("Functions longer than this are long"),
      max_complexity: z.int().min(1).default(15).describe("Functions more complex than this are complex"),
      max_nesting: z.int().min(1).default(4).describe("Functions nested deeper than this are deep"),
      duplicate_lines: z
        .int()
        .min(4)
        .max(100)
        .default(10)
        .describe("Fewest equal lines that count as a duplicate"),
      files: z.int().min(1).max(2000).default(100).describe("Most files in which to measure functions"),
      limit: z.int().min(1).max(100).default(10).describe("Most findings of each kind"),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async run(
      { path, max_lines, max_complexity, max_nesting, duplicate_lines, files, limit },
      { signal, progress },
    ) {
      try {
        const folder = folderInside(project.index().root, path);
        const quality = await assessQuality(project.index(), {
          within: folder === undefined ? () => true : pathFilter(folder),
          maxLines: max_lines,
          maxComplexity: max_complexity,
          maxNesting: max_nesting,
          duplicateLines: duplicate_lines,
          files,
          limit,
          signal,
          progress: (done, total, message) => progress({ progress: done, total, message }),
        });
        const notes = [
          ...(quality.files_not_parsed > 0
            ? [
                `Functions were measured in the ${files} most complex files; ${quality.files_not_parsed} more have functions (raise files, or give path).`,
              ]
            : []),
          ...(quality.duplicates_cut
            ? ["The search for duplicates was cut: give path to search a part."]
            : []),
        ];
        const lines = [
          `${quality.functions} functions measured; ${(100 * quality.comment_ratio).toFixed(1)} % of the lines are comments`,
          ...notes,
          ...section("Long functions", quality.long_functions, ({ lines: count }) => `${count} lines`),
          ...section(
            "Complex functions",
            quality.complex_functions,
            ({ complexity }) => `complexity ${complexity}`,
          ),
          ...section("Deep nesting", quality.deep_functions, ({ nesting }) => `${nesting} levels`),
          ...(quality.duplicates.length > 0 ? ["Duplicates:"] : []),
          ...quality.duplicates.map(
            ({ lines: count, places }) =>
              `  ${count} lines: ${places.map(({ file, start_line }) => `${file}:${start_line}`).join(", ")}`,
          ),
        ];
        return structured({ ...quality, notes }, lines.join("\n"));
      } catch (error) {
        if (error instanceof ToolInputError) return failure(error.message);
        throw error;
      }
    },
  });
}

function section(
  title: string,
  findings: readonly FunctionFinding[],
  measure: (finding: FunctionFinding) => string,
): string[] {
  if (findings.length === 0) return [`${title}: none`];
  return [
    `${title}:`,
    ...findings.map(
      (finding) => `  ${finding.file}:${finding.start_line}  ${finding.name}  ${measure(finding)}`,
    ),
  ];
}
