/**
 * The statistics as the document gives them, made from the columns of a snapshot: field names, order and units
 * are a contract. Everything is in whole numbers until the last step, so that percentages add up to 100.
 */
import { isProgram, languageName } from "../languages/index.ts";
import { FileState, type FileTable, SKIP_REASONS } from "./file-table.ts";
import type { Snapshot } from "./project-index.ts";

/** Rows to speak of, as a filter leaves them. */
export type RowFilter = (path: string, language: string) => boolean;

export interface Overview {
  readonly total_files: number;
  readonly total_lines: number;
  readonly languages: readonly string[];
  readonly project_path: string;
  readonly last_updated: string;
}

export interface LanguageEntry {
  readonly name: string;
  readonly file_count: number;
  readonly line_count: number;
  readonly percentage: number;
  /** Only when detail is asked for: the document's entry has the four fields above. */
  readonly code_lines?: number;
  readonly comment_lines?: number;
  readonly blank_lines?: number;
}

export interface ComplexityEntry {
  readonly file: string;
  readonly language: string;
  readonly complexity: number;
}

export interface FileEntry {
  readonly path: string;
  readonly language: string;
  readonly line_count: number;
  readonly size_bytes: number;
  readonly modified: string;
  readonly code_lines?: number;
  readonly comment_lines?: number;
  readonly decisions?: number;
  readonly functions?: number;
}

export interface SkippedEntry {
  readonly path: string;
  readonly reason: string;
}

export function overviewOf(snapshot: Snapshot, projectPath: string, filter?: RowFilter): Overview {
  const languages = languagesIn(snapshot, filter);
  return {
    total_files: sum(languages, "files"),
    total_lines: sum(languages, "lines"),
    languages: languages.map(({ name }) => name),
    project_path: projectPath,
    last_updated: snapshot.updated.toISOString(),
  };
}

export function languagesOf(snapshot: Snapshot, filter?: RowFilter, detail = false): LanguageEntry[] {
  const languages = languagesIn(snapshot, filter);
  const percentages = shareOut(languages.map(({ lines }) => lines));
  return languages.map(({ name, files, lines, code, comments }, i) => ({
    name,
    file_count: files,
    line_count: lines,
    percentage: percentages[i] as number,
    ...(detail && { code_lines: code, comment_lines: comments, blank_lines: lines - code - comments }),
  }));
}

export interface ComplexityTotals {
  readonly average_complexity: number;
  readonly max_complexity: number;
  readonly total_files_analyzed: number;
  /** Rows, highest first, then by name; as many as were wanted, or some more. */
  readonly order: readonly number[];
}

/** Most readers want the first page: only the rows that come before its end are sorted. */
export function complexityOf(
  { table }: Snapshot,
  filter?: RowFilter,
  wanted = Number.POSITIVE_INFINITY,
): ComplexityTotals {
  const { state, language, decisions, functions } = table.columns;
  const complexities = new Int32Array(table.length);
  const often = new Int32Array(MANY + 1);
  let total = 0;
  let highest = 0;
  let files = 0;
  for (let row = 0; row < complexities.length; row += 1) {
    if (state[row] !== FileState.counted || !isProgram(language[row] as number)) continue;
    if (filter && !filter(table.path(row), languageAt(table, row))) continue;
    const complexity = (decisions[row] as number) + (functions[row] as number);
    complexities[row] = complexity + 1;
    const bucket = Math.min(complexity, MANY);
    often[bucket] = (often[bucket] as number) + 1;
    total += complexity;
    files += 1;
    if (complexity > highest) highest = complexity;
  }
  return {
    average_complexity: files === 0 ? 0 : Math.round((100 * total) / files) / 100,
    max_complexity: highest,
    total_files_analyzed: files,
    order: highestFirst(complexities, leastOf(often, wanted) + 1),
  };
}

/** Complexities from here on are counted as one. */
const MANY = 1000;

/** From how often each number occurs: the one from which on the wanted rows are. */
function leastOf(often: Int32Array, wanted: number): number {
  let least = MANY;
  for (let found = often[least] as number; least > 0 && found < wanted; ) {
    least -= 1;
    found += often[least] as number;
  }
  return least;
}

function highestFirst(numbers: Int32Array, least: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < numbers.length; row += 1) {
    if ((numbers[row] as number) >= least) rows.push(row);
  }
  return rows.sort((a, b) => (numbers[b] as number) - (numbers[a] as number) || a - b);
}

/** The sum over its functions of one plus their decisions, plus the decisions outside functions. */
export function fileComplexity({ columns }: FileTable, row: number): number {
  return (columns.decisions[row] as number) + (columns.functions[row] as number);
}

export function complexityEntry(table: FileTable, row: number): ComplexityEntry {
  return {
    file: table.path(row),
    language: languageAt(table, row),
    complexity: fileComplexity(table, row),
  };
}

export function fileEntry(table: FileTable, row: number, detail = false): FileEntry {
  const { columns } = table;
  return {
    path: table.path(row),
    language: languageAt(table, row),
    line_count: columns.lines[row] as number,
    size_bytes: columns.size[row] as number,
    modified: new Date(columns.modified[row] as number).toISOString(),
    ...(detail && {
      code_lines: columns.code[row] as number,
      comment_lines: columns.comments[row] as number,
      decisions: columns.decisions[row] as number,
      functions: columns.functions[row] as number,
    }),
  };
}

/** Rows that count, in the order of their names. */
export function countedRows(table: FileTable, filter?: RowFilter): number[] {
  const { state } = table.columns;
  const rows: number[] = [];
  for (let row = 0; row < table.length; row += 1) {
    if (state[row] !== FileState.counted) continue;
    if (filter && !filter(table.path(row), languageAt(table, row))) continue;
    rows.push(row);
  }
  return rows;
}

export function skippedOf(snapshot: Snapshot, filter?: RowFilter): SkippedEntry[] {
  const { table, notUtf8 } = snapshot;
  const entries: SkippedEntry[] = notUtf8.map((path) => ({ path, reason: "the name is not UTF-8" }));
  for (let row = 0; row < table.length; row += 1) {
    const reason = SKIP_REASONS[table.columns.state[row] as number];
    const path = table.path(row);
    if (reason !== undefined && (!filter || filter(path, ""))) entries.push({ path, reason });
  }
  return entries;
}

export function languageAt(table: FileTable, row: number): string {
  return languageName(table.columns.language[row] as number);
}

interface LanguageCounts {
  readonly name: string;
  files: number;
  lines: number;
  code: number;
  comments: number;
}

const counted = new WeakMap<FileTable, { readonly version: number; readonly languages: LanguageCounts[] }>();

/** Most lines first, then by name. Overview and languages are mostly asked for together: they are counted once. */
function languagesIn({ table, version }: Snapshot, filter: RowFilter | undefined): LanguageCounts[] {
  if (filter) return countLanguages(table, filter);
  const known = counted.get(table);
  if (known?.version === version) return known.languages;
  const languages = countLanguages(table, undefined);
  counted.set(table, { version, languages });
  return languages;
}

function countLanguages(table: FileTable, filter: RowFilter | undefined): LanguageCounts[] {
  const { state, language, lines, code, comments } = table.columns;
  const found: LanguageCounts[] = [];
  for (let row = 0; row < table.length; row += 1) {
    if (state[row] !== FileState.counted) continue;
    const number = language[row] as number;
    if (filter && !filter(table.path(row), languageName(number))) continue;
    let counts = found[number];
    if (!counts) {
      counts = { name: languageName(number), files: 0, lines: 0, code: 0, comments: 0 };
      found[number] = counts;
    }
    counts.files += 1;
    counts.lines += lines[row] as number;
    counts.code += code[row] as number;
    counts.comments += comments[row] as number;
  }
  return found.filter(Boolean).sort((a, b) => b.lines - a.lines || (a.name < b.name ? -1 : 1));
}

/** Percentages with two decimals whose sum is exactly 100: what rounding leaves goes to the largest remainders. */
function shareOut(parts: readonly number[]): number[] {
  const total = parts.reduce((a, b) => a + b, 0);
  if (total === 0) return parts.map(() => 0);
  const exact = parts.map((part) => (part * 10_000) / total);
  const shares = exact.map(Math.floor);
  let left = 10_000 - shares.reduce((a, b) => a + b, 0);
  const byRemainder = exact
    .map((value, i) => ({ i, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest);
  for (const { i } of byRemainder) {
    if (left-- <= 0) break;
    shares[i] = (shares[i] as number) + 1;
  }
  return shares.map((share) => share / 100);
}

function sum<K extends "files" | "lines">(counts: readonly LanguageCounts[], key: K): number {
  return counts.reduce((total, entry) => total + entry[key], 0);
}
