/** `set_project_path`: moves the boundary to another folder. */
import { z } from "zod";
import { defineTool, failure, type KitTool, structured } from "../../kit/index.ts";
import type { Project } from "../project.ts";
import { ProjectPathError } from "../project-path.ts";
import { overviewOf } from "../statistics/summary.ts";

export function createSetProjectPath(project: Project): KitTool {
  return defineTool({
    name: "set_project_path",
    title: "Set the project",
    description:
      "Choose the folder whose code this server reads and measures. Nothing outside it can be read afterwards. " +
      "Returns the overview of the project.",
    input: z.object({
      path: z.string().describe("The folder: absolute, or relative to the present project"),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ path }, { signal }) {
      try {
        const root = project.set(path);
        const overview = overviewOf(await project.index().refresh({ signal }), root);
        const { total_files, total_lines, languages } = overview;
        const top = languages.slice(0, 5).join(", ");
        const summary = `Project: ${root}\n${total_files} files, ${total_lines} lines${top && ` (${top})`}\nNext: read code://stats/overview or call find_and_grep.`;
        return structured({ ...overview }, summary);
      } catch (error) {
        if (error instanceof ProjectPathError)
          return failure(`${error.message}. Give the path of a folder that exists.`);
        throw error;
      }
    },
  });
}
