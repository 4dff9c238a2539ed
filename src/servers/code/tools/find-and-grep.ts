/** `find_and_grep`: files by name, lines by content, or both; every hit with its `code://file` address. */
import { z } from "zod";
import { defineTool, failure, type KitTool, structured, type ToolResult } from "../../kit/index.ts";
import { GlobError } from "../glob.ts";
import { languageByName } from "../languages/index.ts";
import type { Project } from "../project.ts";
import { SearchError, type SearchFile, search } from "../search.ts";
import { encodeCursor } from "../statistics/page.ts";
import { fileUri } from "../uri.ts";
import { type FindRequest, findFiles, namesToGlobs } from "./find-files.ts";
import { folderInside, offsetOf, ToolInputError } from "./tool-input.ts";

const MAX_TEXT_CHARACTERS = 20_000;

const input = z.object({
  query: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe("Text to find in the contents. Leave out to find files by name only"),
  name: z
    .string()
    .max(512)
    .optional()
    .describe('File name: a glob ("*.test.ts", "src/**/*.py") or a part of the name'),
  path: z.string().max(4096).optional().describe("Only below this folder of the project"),
  language: z.string().optional().describe('Only files of this language, such as "typescript"'),
  regex: z.boolean().default(false).describe("query is a regular expression (Rust syntax), not literal text"),
  word: z.boolean().default(false).describe("Whole words only"),
  case: z
    .enum(["smart", "sensitive", "insensitive"])
    .default("smart")
    .describe("smart: sensitive only if query has capitals"),
  context: z.int().min(0).max(20).default(0).describe("Lines to show before and after each match"),
  multiline: z.boolean().default(false).describe("Let a regex match over several lines"),
  count_only: z.boolean().default(false).describe("Only how many matches each file has"),
  encoding: z
    .string()
    .regex(/^[A-Za-z0-9_-]{2,20}$/)
    .optional()
    .describe("Search files of this encoding, such as shift_jis"),
  limit: z.int().min(1).max(1000).default(100).describe("Most matches (or files) in one answer"),
  cursor: z.string().optional().describe("Where to go on, from the answer before"),
});

export function createFindAndGrep(project: Project): KitTool {
  return defineTool({
    name: "find_and_grep",
    title: "Find files and lines",
    description:
      "Find files by name and lines by content in the project, ignoring what git ignores. Results are grouped by " +
      "file, sorted by path and come in pages; each has its code://file address for reading on. Use count_only " +
      "first when much may match.",
    input,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async run(args, { signal }) {
      try {
        return await find(project, args, signal);
      } catch (error) {
        if (error instanceof SearchError)
          return failure(`The search failed: ${error.message}. Correct the query, or set regex to false.`);
        if (error instanceof GlobError || error instanceof ToolInputError) return failure(error.message);
        throw error;
      }
    },
  });
}

async function find(
  project: Project,
  args: z.output<typeof input>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { root } = project.index();
  const request: FindRequest = {
    ...args,
    offset: offsetOf(args.cursor),
    folder: folderInside(root, args.path),
  };
  if (args.language !== undefined && !languageByName(args.language)) {
    throw new ToolInputError(
      `Unknown language "${args.language}". code://stats/languages lists those of the project.`,
    );
  }
  if (args.query === undefined) {
    if (args.name === undefined && args.language === undefined && args.path === undefined) {
      throw new ToolInputError("Give query (text to find), name (a file name or glob), path or language.");
    }
    return await findFiles(project, request, signal);
  }
  const { files, complete } = await search({
    root,
    query: args.query,
    regex: args.regex,
    word: args.word,
    caseMode: args.case,
    multiline: args.multiline,
    context: args.context,
    countOnly: args.count_only,
    globs: namesToGlobs(args.name, args.language),
    folder: request.folder,
    encoding: args.encoding,
    wanted: request.offset + request.limit,
    signal,
  });
  return args.count_only ? showCounts(files, request) : showMatches(files, complete, request);
}

function showCounts(files: readonly SearchFile[], { limit, offset }: FindRequest): ToolResult {
  const total = files.reduce((sum, file) => sum + file.count, 0);
  const page = files.slice(offset, offset + limit);
  const next_cursor = offset + limit < files.length ? encodeCursor(offset + limit) : undefined;
  const value = {
    total_matches: total,
    total_files: files.length,
    files: page.map(({ path, count }) => ({ file: path, uri: fileUri(path), count })),
    ...(next_cursor && { next_cursor }),
  };
  const lines = page.map(({ path, count }) => `${String(count).padStart(6)}  ${path}`);
  const head = `${total} matches in ${files.length} files`;
  return structured(value, [head, ...lines, ...more(next_cursor)].join("\n"));
}

function showMatches(
  files: readonly SearchFile[],
  complete: boolean,
  { limit, offset }: FindRequest,
): ToolResult {
  const total = files.reduce((sum, file) => sum + file.matches.length, 0);
  const page = cutMatches(files, offset, limit);
  const end = offset + page.reduce((sum, file) => sum + file.matches.length, 0);
  const next_cursor = end < total ? encodeCursor(end) : undefined;
  const value = {
    ...(complete ? { total_matches: total, total_files: files.length } : { incomplete: true }),
    files: page.map(({ path, matches }) => ({
      file: path,
      uri: fileUri(path),
      matches: matches.map(({ before, after, ...match }) => ({
        ...match,
        uri: fileUri(path, { from: match.line, to: match.line }),
        ...(before.length > 0 && { before }),
        ...(after.length > 0 && { after }),
      })),
    })),
    ...(next_cursor && { next_cursor }),
  };
  const head =
    total === 0
      ? "No matches."
      : complete
        ? `${total} matches in ${files.length} files`
        : "More than 20000 matches";
  const cutNote = complete
    ? []
    : ["Narrow the query, or use count_only for the numbers; this is the beginning, by path."];
  return structured(value, [head, ...cutNote, ...page.flatMap(showFile), ...more(next_cursor)].join("\n"));
}

/** The matches from `offset` on, until the limit or the size of one answer is reached. */
function cutMatches(files: readonly SearchFile[], offset: number, limit: number): SearchFile[] {
  const page: SearchFile[] = [];
  let passed = 0;
  let taken = 0;
  let characters = 0;
  for (const file of files) {
    const from = Math.max(0, offset - passed);
    passed += file.matches.length;
    const matches = file.matches.slice(from, from + limit - taken);
    const fitting = [];
    for (const match of matches) {
      characters += match.text.length + 20 + [...match.before, ...match.after].join("\n").length;
      if (characters > MAX_TEXT_CHARACTERS && taken + fitting.length > 0) break;
      fitting.push(match);
    }
    if (fitting.length > 0) page.push({ ...file, matches: fitting });
    taken += fitting.length;
    if (taken >= limit || fitting.length < matches.length) break;
  }
  return page;
}

function showFile({ path, matches }: SearchFile): string[] {
  const lines = [`${path}  ${fileUri(path)}`];
  for (const { line, text, before, after } of matches) {
    for (const [i, one] of before.entries()) lines.push(`  ${line - before.length + i}- ${one}`);
    const own = text.split("\n");
    for (const [i, one] of own.entries()) lines.push(`  ${line + i}: ${one}`);
    for (const [i, one] of after.entries()) lines.push(`  ${line + own.length + i}- ${one}`);
  }
  return lines;
}

function more(cursor: string | undefined): string[] {
  return cursor ? [`More: call find_and_grep again with the same arguments and cursor "${cursor}".`] : [];
}
