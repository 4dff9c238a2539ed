/** Makes the report of a project, and writes it where it is wanted. */
import { closeSync, constants, ftruncateSync, readFileSync, writeFileSync } from "node:fs";
import { openInside, SafePathError } from "../../../lib/safe-path.ts";
import type { ProjectIndex } from "../statistics/project-index.ts";
import { gatherReport } from "./report-data.ts";
import { GENERATOR, reportPage } from "./report-page.ts";

export interface ReportOptions {
  /** How far back the history goes, as git understands it. */
  readonly since?: string;
  readonly signal?: AbortSignal;
}

export async function makeReport(index: ProjectIndex, options: ReportOptions = {}): Promise<string> {
  const { since = "1 year ago", signal } = options;
  return reportPage(await gatherReport(index, { since, ...(signal && { signal }) }));
}

export class ReportError extends Error {
  override readonly name = "ReportError";
}

/** Writes into the project. An existing file is replaced only when it is a report. */
export function writeReportInside(root: string, path: string, page: string): string {
  try {
    const { O_CREAT, O_RDWR } = constants;
    const opened = openInside(root, path, { flags: O_CREAT | O_RDWR, mode: 0o644, absolute: "inside" });
    try {
      const before = readFileSync(opened.fd, "utf8");
      if (before !== "" && !before.includes(`content="${GENERATOR}"`)) {
        throw new ReportError(`${opened.relative} exists and is no report. Choose another path.`);
      }
      ftruncateSync(opened.fd, 0);
      writeFileSync(opened.fd, page);
      return opened.relative;
    } finally {
      closeSync(opened.fd);
    }
  } catch (error) {
    if (error instanceof SafePathError)
      throw new ReportError(
        `Cannot write the report: ${error.message}. Its folder must exist in the project.`,
      );
    throw error;
  }
}
