/** Finding files by name, folder and language, without looking into them. */
import { structured, type ToolResult } from "../../kit/index.ts";
import { languageByName } from "../languages/index.ts";
import type { Project } from "../project.ts";
import { FileState } from "../statistics/file-table.ts";
import { encodeCursor, pathFilter } from "../statistics/page.ts";
import { languageAt } from "../statistics/summary.ts";
import { fileUri } from "../uri.ts";

export interface FindRequest {
  readonly name?: string | undefined;
  readonly language?: string | undefined;
  readonly folder: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export async function findFiles(
  project: Project,
  request: FindRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { table } = await project.index().refresh({ signal });
  const matches = nameFilter(request.name);
  const below = request.folder === undefined ? () => true : pathFilter(request.folder);
  const rows: number[] = [];
  for (let row = 0; row < table.length; row += 1) {
    const path = table.path(row);
    if (!matches(path) || !below(path) || table.columns.state[row] === FileState.gone) continue;
    if (request.language !== undefined && languageAt(table, row) !== request.language) continue;
    rows.push(row);
  }
  const { offset, limit } = request;
  const page = rows.slice(offset, offset + limit);
  const next_cursor = offset + limit < rows.length ? encodeCursor(offset + limit) : undefined;
  const files = page.map((row) => {
    const path = table.path(row);
    const counted = table.columns.state[row] === FileState.counted;
    return {
      file: path,
      uri: fileUri(path),
      ...(counted && { language: languageAt(table, row), line_count: table.columns.lines[row] as number }),
    };
  });
  const head = rows.length === 0 ? "No files." : `${rows.length} files`;
  const lines = files.map(
    ({ file, uri, line_count }) =>
      `${file}  ${line_count === undefined ? "" : `${line_count} lines  `}${uri}`,
  );
  const more = next_cursor
    ? [`More: call find_and_grep again with the same arguments and cursor "${next_cursor}".`]
    : [];
  const value = { total_files: rows.length, files, ...(next_cursor && { next_cursor }) };
  return structured(value, [head, ...lines, ...more].join("\n"));
}

/** A glob, or a part of the name in any case and Unicode form. */
function nameFilter(name: string | undefined): (path: string) => boolean {
  if (name === undefined) return () => true;
  if (/[*?[{]/.test(name)) return pathFilter(name);
  const wanted = fold(name);
  return (path) => fold(path).includes(wanted);
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The same choice for ripgrep: it takes globs only. */
export function namesToGlobs(name: string | undefined, language: string | undefined): string[] {
  const globs: string[] = [];
  if (name !== undefined)
    globs.push(/[*?[{]/.test(name) ? name : `*${name.replace(/[\\*?[\]{}!]/g, "\\$&")}*`);
  const known = language === undefined ? undefined : languageByName(language);
  if (!known) return globs;
  const extensions = known.extensions?.split(" ").map((extension) => `*.${extension}`) ?? [];
  const own = [...extensions, ...(known.filenames?.split(" ") ?? [])];
  // Globs are alternatives; a name and a language are both asked for, so they must become one.
  if (name === undefined) return own;
  return own.map((suffix) =>
    globs[0]?.endsWith("*") ? `${globs[0]}${suffix.replace(/^\*/, "")}` : (globs[0] ?? suffix),
  );
}
