/** The tools of the code server, in the order in which a client lists them. */
import type { KitTool } from "../../kit/index.ts";
import type { Project } from "../project.ts";
import { createCodeOutline } from "./code-outline.ts";
import { createCodeSection } from "./code-section.ts";
import { createAnalyzeDependencies } from "./dependencies.ts";
import { createFindAndGrep } from "./find-and-grep.ts";
import { createCodeHistory } from "./history.ts";
import { createDefineMetric } from "./metric.ts";
import { createCodeQuality } from "./quality.ts";
import { createCodeReport } from "./report.ts";
import { createSetProjectPath } from "./set-project-path.ts";

export function createCodeTools(project: Project): KitTool[] {
  return [
    createSetProjectPath(project),
    createFindAndGrep(project),
    createCodeOutline(project),
    createCodeSection(project),
    createAnalyzeDependencies(project),
    createCodeHistory(project),
    createCodeQuality(project),
    createDefineMetric(project),
    createCodeReport(project),
  ];
}
