/** `create_code_report`: the page people look at, written into the project. */
import { z } from "zod";
import { defineTool, failure, type KitTool, structured } from "../../kit/index.ts";
import type { Project } from "../project.ts";
import { fileUri } from "../uri.ts";

export function createCodeReport(project: Project): KitTool {
  return defineTool({
    name: "create_code_report",
    title: "Report for people",
    description:
      "Write one self-contained HTML page about the project: languages, a treemap of size and complexity, hot spots, " +
      "the largest and most complex files, history. It opens without network.",
    input: z.object({
      path: z.string().default("code-report.html").describe("Where to write it, from the project's root"),
      since: z.string().max(100).default("1 year ago").describe("How far back the history goes"),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ path, since }, { signal }) {
      if (!/\.html?$/i.test(path))
        return failure(`The report is an HTML page: "${path}" should end in .html.`);
      // Its numbers are written as people write them, and whoever can do that takes long to load.
      const { makeReport, ReportError, writeReportInside } = await import("../report/index.ts");
      try {
        const { root } = project.index();
        const page = await makeReport(project.index(), { since, signal });
        const file = writeReportInside(root, path, page);
        const value = { file, uri: fileUri(file), size_bytes: Buffer.byteLength(page) };
        return structured(
          value,
          `Report written: ${file} (${value.size_bytes} bytes). Open it in a browser.`,
        );
      } catch (error) {
        if (error instanceof ReportError) return failure(error.message);
        throw error;
      }
    },
  });
}
