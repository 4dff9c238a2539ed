/**
 * What this server shares: its statistics as resources (the overview is active), its files by template.
 * Reading goes to file-resource.ts and stats-resource.ts by the form of the address.
 */
import type { CompletionRequest, KitResource, KitResourceTemplate, ResourceProvider } from "../kit/index.ts";
import { readFileResource } from "./file-resource.ts";
import { LANGUAGES } from "./languages/index.ts";
import type { Project } from "./project.ts";
import { ALL_STATS_TYPES, readStats } from "./stats-resource.ts";
import { parseCodeUri, statsUri } from "./uri.ts";

const FILE_TEMPLATE = "code://file/{file_path}";
const STATS_TEMPLATE = "code://stats/{stats_type}";
const FILTER_TEMPLATE = `${STATS_TEMPLATE}{?language,path,limit,cursor,format,detail}`;
const MAX_COMPLETIONS = 101;

const DESCRIPTIONS: Readonly<
  Record<(typeof ALL_STATS_TYPES)[number], readonly [title: string, text: string, priority: number]>
> = {
  overview: ["Project overview", "Number of files and lines, and the languages, most lines first", 1],
  languages: ["Languages", "Files, lines and share of each language", 0.6],
  complexity: ["Complexity", "Average, maximum, and the files, most complex first", 0.5],
  files: ["Files", "Every counted file with language, lines, size and time", 0.3],
  skipped: ["Skipped files", "What the statistics leave out, and why", 0.2],
};

export function createCodeResources(project: Project): ResourceProvider {
  return {
    list: () => ({ resources: ALL_STATS_TYPES.map(describe) }),
    templates: TEMPLATES,
    async read(uri, options) {
      const parsed = parseCodeUri(uri);
      return parsed.kind === "file"
        ? await readFileResource(project, uri, parsed.path, parsed.query, options)
        : await readStats(project, uri, parsed.type, parsed.query, options);
    },
    complete: (request) => complete(project, request),
    startWatching: () => project.startWatching(),
  };
}

function describe(type: (typeof ALL_STATS_TYPES)[number]): KitResource {
  const [title, description, priority] = DESCRIPTIONS[type];
  return {
    uri: statsUri(type),
    name: `project_stats_${type}`,
    title,
    description,
    mimeType: "application/json",
    annotations: { priority, audience: ["user", "assistant"] },
  };
}

const TEMPLATES: readonly KitResourceTemplate[] = [
  {
    uriTemplate: FILE_TEMPLATE,
    name: "code_file",
    title: "File of the project",
    description: "A file by its path from the project's root. Add ?lines=10-50 for a part of it.",
  },
  {
    uriTemplate: STATS_TEMPLATE,
    name: "project_stats",
    title: "Statistics of the project",
    description: `One of: ${ALL_STATS_TYPES.join(", ")}`,
    mimeType: "application/json",
  },
  {
    uriTemplate: FILTER_TEMPLATE,
    name: "project_stats_filtered",
    title: "Statistics, filtered and in pages",
    description: "language=a,b; path=folder or glob; limit and cursor for pages; format=csv; detail=full",
  },
];

/** Names that begin with what was typed; for files also those whose last part does. */
async function complete(
  project: Project,
  { variable, value }: CompletionRequest,
): Promise<readonly string[]> {
  if (variable === "stats_type") return ALL_STATS_TYPES.filter((type) => type.startsWith(value));
  if (variable === "language")
    return LANGUAGES.map(({ name }) => name).filter((name) => name.startsWith(value));
  if (variable !== "file_path" && variable !== "path") return [];
  const { table } = await project.index().refresh();
  const wanted = value.normalize("NFC").toLowerCase();
  const starting: string[] = [];
  const containing: string[] = [];
  for (const path of table.paths) {
    const name = path.normalize("NFC").toLowerCase();
    if (name.startsWith(wanted)) starting.push(path);
    else if (containing.length < MAX_COMPLETIONS && name.slice(name.lastIndexOf("/") + 1).startsWith(wanted))
      containing.push(path);
    if (starting.length >= MAX_COMPLETIONS) break;
  }
  return [...starting, ...containing].slice(0, MAX_COMPLETIONS);
}
