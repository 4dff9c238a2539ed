/** `kari mcp code`: the options this server adds to those every builtin server has, and the report. */
import type { ServerCommand } from "../kit/command.ts";
import { createCodeServer, writeCodeReport } from "./index.ts";

export function codeCommand(version: string): ServerCommand {
  return {
    name: "code",
    summary: "files and statistics of any project, at the speed of the disk",
    options: {
      root: { type: "string", value: "DIR", help: "the project (where it is started)" },
      "no-project": { type: "boolean", help: "start without a project; set_project_path chooses one" },
      report: { type: "string", value: "FILE", help: "write an HTML report of the project and exit" },
      since: {
        type: "string",
        value: "WHEN",
        help: "with --report: how far back its history goes, as git takes it",
      },
    },
    async instead({ report, root, since }) {
      if (typeof report !== "string") return false;
      await writeCodeReport({
        output: report,
        ...(typeof root === "string" && { projectPath: root }),
        ...(typeof since === "string" && { since }),
      });
      console.log(report);
      return true;
    },
    create: async (values) => {
      const root = values["root"];
      const projectPath = values["no-project"] === true ? null : typeof root === "string" ? root : undefined;
      return { definition: createCodeServer({ version, ...(projectPath !== undefined && { projectPath }) }) };
    },
  };
}
