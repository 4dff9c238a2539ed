/** `kari mcp code`: the options this server adds to those every builtin server has. */
import { UsageError } from "../../lib/usage-error.ts";
import type { ServerCommand, ServerValues } from "../kit/command.ts";
import type { CodeServerOptions } from "./index.ts";
import { ProjectPathError, resolveFolder } from "./project-path.ts";
import { defaultCacheFolder } from "./statistics/cache-folder.ts";
import { beginFirstLook } from "./statistics/first-look.ts";

export function codeCommand(version: string): ServerCommand {
  return {
    name: "code",
    summary: "files and statistics of a project",
    options: {
      project: { type: "string", value: "DIR", help: "the project to look at (where it is started)" },
      "no-project": { type: "boolean", help: "start without a project; set_project_path chooses one" },
      cache: { type: "string", value: "DIR", help: "where statistics are kept between runs" },
      "no-cache": { type: "boolean", help: "keep nothing between runs" },
      report: {
        type: "string",
        value: "FILE",
        help: "write a report of the project to this HTML file, and end",
      },
      since: {
        type: "string",
        value: "DATE",
        help: "with --report: how far back the history goes (1 year ago)",
      },
    },
    async instead(values) {
      const { report, since } = values;
      if (typeof report !== "string") return false;
      const output = { output: report, ...(typeof since === "string" && { since }) };
      const { writeCodeReport } = await import("./index.ts");
      await usable(() => writeCodeReport({ ...readCodeOptions(values), ...output }));
      console.log(`Report written: ${report}`);
      return true;
    },
    async create(values) {
      const options = readCodeOptions(values);
      return {
        definition: await usable(async () => {
          const begun = lookAhead(options);
          const { createCodeServer } = await import("./index.ts");
          return createCodeServer({ ...options, ...begun, version });
        }),
      };
    },
  };
}

function readCodeOptions(values: ServerValues): CodeServerOptions {
  const { project, cache } = values;
  return {
    ...(typeof project === "string" && { projectPath: project }),
    ...(values["no-project"] === true && { projectPath: null }),
    ...(typeof cache === "string" && { cacheDir: cache }),
    ...(values["no-cache"] === true && { cacheDir: null }),
  };
}

/** Another thread looks at the project while the server is loaded: both take about as long. */
function lookAhead({ projectPath, cacheDir }: CodeServerOptions): Partial<CodeServerOptions> {
  if (projectPath === null) return {};
  const root = resolveFolder(projectPath ?? process.cwd(), process.cwd());
  const cacheFolder = cacheDir === null ? undefined : (cacheDir ?? defaultCacheFolder());
  return { firstLook: beginFirstLook({ root, cacheFolder }) };
}

/** A folder that is none is a mistake in the command line, not in the program. */
async function usable<T>(action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ProjectPathError) throw new UsageError(`--project: ${error.message}.`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EACCES" || code === "EISDIR") {
      throw new UsageError(`The report cannot be written there (${code}).`);
    }
    throw error;
  }
}
