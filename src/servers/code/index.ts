/**
 * The `code` server: files and statistics of any project, at the speed of the disk.
 * Makes the project, its resources and its tools, and ends the watcher and the cache when it closes.
 */
import { writeFile } from "node:fs/promises";
import { type ChangeBus, createChangeBus, type ServerDefinition } from "../kit/index.ts";
import { Project } from "./project.ts";
import { createCodeResources } from "./resources.ts";
import { defaultCacheFolder } from "./statistics/cache-folder.ts";
import type { FirstLook } from "./statistics/first-look.ts";
import { createCodeTools } from "./tools/index.ts";

export interface CodeServerOptions {
  /** The project to look at; the working directory when absent, none when `null`. */
  readonly projectPath?: string | null;
  /** Where the statistics are kept between processes; `null` keeps nothing. */
  readonly cacheDir?: string | null;
  readonly version?: string;
  /** A look at the project that was begun while this was being loaded. */
  readonly firstLook?: FirstLook;
}

export function createCodeServer(options: CodeServerOptions = {}): ServerDefinition {
  const changes = createChangeBus();
  const project = createProject(options, changes);
  return {
    name: "code",
    title: "Code",
    version: options.version ?? "0.0.0",
    instructions: INSTRUCTIONS,
    tools: createCodeTools(project),
    resources: createCodeResources(project),
    changes,
    close: () => project.close(),
  };
}

function createProject(options: CodeServerOptions, changes: ChangeBus = createChangeBus()): Project {
  return new Project({
    path: options.projectPath === null ? undefined : (options.projectPath ?? process.cwd()),
    cacheFolder: options.cacheDir === null ? undefined : (options.cacheDir ?? defaultCacheFolder()),
    changes,
    ...(options.firstLook && { firstLook: options.firstLook }),
  });
}

/** `kari mcp code --report FILE`: the report of a project, written to any place the user names. */
export async function writeCodeReport(
  options: CodeServerOptions & { readonly output: string; readonly since?: string },
): Promise<void> {
  const { makeReport } = await import("./report/index.ts");
  const project = createProject(options);
  try {
    const page = await makeReport(
      project.index(),
      options.since === undefined ? {} : { since: options.since },
    );
    await writeFile(options.output, page);
  } finally {
    project.close();
  }
}

const INSTRUCTIONS = `Reads and measures the code of one project (a folder).
1. set_project_path chooses the project; without it, the folder in which the server was started.
2. code://stats/overview says what is there; languages, complexity, files and skipped say more (?language=, ?path=, ?limit=, ?cursor=, ?format=csv).
3. find_and_grep finds files and lines; every hit has its code://file address.
4. code://file/{file_path} gives a file, with ?lines=10-50 a part of it.
get_code_outline before reading a long file; extract_code_section for one function or range.`;
