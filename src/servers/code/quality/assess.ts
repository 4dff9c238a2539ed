/**
 * Quality of a project or a part of it: functions that are long, complex or deeply nested (read by tree-sitter in
 * the most complex files), code that stands twice, and how much is commented. Numbers, not judgements.
 */
import { readTexts } from "../project-texts.ts";
import type { ProjectIndex } from "../statistics/project-index.ts";
import { complexityOf, countedRows, fileComplexity, languageAt } from "../statistics/summary.ts";
import { grammarFor } from "../syntax/grammars.ts";
import { type OutlineEntry, outlineOf } from "../syntax/outline.ts";
import { ParseError } from "../syntax/parse.ts";
import { type Duplicate, DuplicateFinder } from "./duplicates.ts";

export interface QualityRequest {
  readonly within: (path: string) => boolean;
  readonly maxLines: number;
  readonly maxComplexity: number;
  readonly maxNesting: number;
  readonly duplicateLines: number;
  readonly files: number;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
}

export interface FunctionFinding {
  readonly file: string;
  readonly name: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly lines: number;
  readonly complexity: number;
  readonly nesting: number;
}

export interface Quality {
  readonly files_parsed: number;
  /** Files with a grammar that were not parsed because there are more than `files`. */
  readonly files_not_parsed: number;
  readonly functions: number;
  readonly long_functions: readonly FunctionFinding[];
  readonly complex_functions: readonly FunctionFinding[];
  readonly deep_functions: readonly FunctionFinding[];
  readonly duplicates: readonly Duplicate[];
  readonly duplicates_cut: boolean;
  readonly comment_ratio: number;
  readonly least_commented: readonly {
    readonly file: string;
    readonly code_lines: number;
    readonly comment_ratio: number;
  }[];
}

export async function assessQuality(index: ProjectIndex, request: QualityRequest): Promise<Quality> {
  const snapshot = await index.refresh({ signal: request.signal });
  const { table } = snapshot;
  const rows = complexityOf(snapshot, (path) => request.within(path)).order;
  const parsable = rows.filter(
    (row) => fileComplexity(table, row) > 0 && grammarFor(languageAt(table, row), table.path(row)),
  );
  const chosen = parsable.slice(0, request.files);
  const languageOf = new Map(rows.map((row) => [table.path(row), languageAt(table, row)]));
  const toParse = new Set(chosen.map((row) => table.path(row)));
  const finder = new DuplicateFinder(request.duplicateLines);
  const findings: FunctionFinding[] = [];
  let parsed = 0;
  let searched = true;
  let done = 0;
  for await (const { path, text } of readTexts(index.root, languageOf.keys(), { signal: request.signal })) {
    searched = finder.add(path, text) && searched;
    if (toParse.has(path)) {
      findings.push(...(await measureFile(path, languageOf.get(path) as string, text)));
      parsed += 1;
    }
    done += 1;
    if (done % 200 === 0) request.progress(done, languageOf.size, path);
  }
  const top = (key: "lines" | "complexity" | "nesting", above: number) =>
    findings
      .filter((one) => one[key] > above)
      .sort((a, b) => b[key] - a[key])
      .slice(0, request.limit);
  return {
    files_parsed: parsed,
    files_not_parsed: parsable.length - chosen.length,
    functions: findings.length,
    long_functions: top("lines", request.maxLines),
    complex_functions: top("complexity", request.maxComplexity),
    deep_functions: top("nesting", request.maxNesting),
    duplicates: finder.find(request.limit),
    duplicates_cut: !searched,
    ...comments(
      table,
      countedRows(table, (path) => languageOf.has(path)),
      request.limit,
    ),
  };
}

async function measureFile(path: string, language: string, text: string): Promise<FunctionFinding[]> {
  try {
    const outline = await outlineOf(language, path, text);
    if (!outline?.measured) return [];
    const names = new Map(
      flatten(outline.entries).map((entry) => [`${entry.start_line}-${entry.end_line}`, entry.name]),
    );
    return outline.measured.functions.map(({ startLine, endLine, complexity, nesting }) => ({
      file: path,
      name: names.get(`${startLine}-${endLine}`) ?? "(anonymous)",
      start_line: startLine,
      end_line: endLine,
      lines: endLine - startLine + 1,
      complexity,
      nesting,
    }));
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

function flatten(entries: readonly OutlineEntry[]): OutlineEntry[] {
  return entries.flatMap((entry) => [entry, ...flatten(entry.children ?? [])]);
}

function comments(
  table: Awaited<ReturnType<ProjectIndex["refresh"]>>["table"],
  rows: readonly number[],
  limit: number,
): Pick<Quality, "comment_ratio" | "least_commented"> {
  const ratio = (row: number) =>
    share(table.columns.comments[row] as number, table.columns.code[row] as number);
  let code = 0;
  let commented = 0;
  for (const row of rows) {
    code += table.columns.code[row] as number;
    commented += table.columns.comments[row] as number;
  }
  const least = rows
    .filter((row) => (table.columns.code[row] as number) >= 100)
    .sort(
      (a, b) => ratio(a) - ratio(b) || (table.columns.code[b] as number) - (table.columns.code[a] as number),
    )
    .slice(0, limit)
    .map((row) => ({
      file: table.path(row),
      code_lines: table.columns.code[row] as number,
      comment_ratio: ratio(row),
    }));
  return { comment_ratio: share(commented, code), least_commented: least };
}

function share(comments: number, code: number): number {
  return code + comments === 0 ? 0 : Math.round((1000 * comments) / (code + comments)) / 1000;
}
