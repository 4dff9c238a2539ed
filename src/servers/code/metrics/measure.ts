/** Measures a user's metric: a pattern by ripgrep, a query by tree-sitter; the numbers of matches by file. */
import { languageByName } from "../languages/index.ts";
import { readTexts } from "../project-texts.ts";
import { search } from "../search.ts";
import { pathFilter } from "../statistics/page.ts";
import type { ProjectIndex } from "../statistics/project-index.ts";
import { countedRows, languageAt } from "../statistics/summary.ts";
import { grammarFor } from "../syntax/grammars.ts";
import { compileQuery, loadGrammar, ParseError, withTree } from "../syntax/parse.ts";
import { namesToGlobs } from "../tools/find-files.ts";
import { METRICS_FILE, type Metric, MetricError } from "./store.ts";

export interface MetricResult {
  readonly total: number;
  readonly files: readonly { readonly file: string; readonly count: number }[];
  /** Files that were not measured because there are too many or the time was over. */
  readonly not_measured: number;
}

const MAX_QUERY_FILES = 3000;
const MAX_QUERY_MS = 30_000;

export async function measureMetric(
  index: ProjectIndex,
  metric: Metric,
  options: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void },
): Promise<MetricResult> {
  return metric.kind === "pattern"
    ? await byPattern(index, metric, options.signal)
    : await byQuery(index, metric, options);
}

async function byPattern(index: ProjectIndex, metric: Metric, signal: AbortSignal): Promise<MetricResult> {
  const { files } = await search({
    root: index.root,
    query: metric.source,
    regex: true,
    word: false,
    caseMode: "sensitive",
    multiline: false,
    context: 0,
    countOnly: true,
    globs: namesToGlobs(undefined, metric.language),
    folder: undefined,
    encoding: undefined,
    wanted: 0,
    signal,
  });
  const within = metric.path === undefined ? () => true : pathFilter(metric.path);
  return sum(
    files
      .filter(({ path }) => within(path) && path !== METRICS_FILE)
      .map(({ path, count }) => ({ file: path, count })),
    0,
  );
}

async function byQuery(
  index: ProjectIndex,
  metric: Metric,
  {
    signal,
    progress,
  }: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void },
): Promise<MetricResult> {
  const { language } = metric;
  if (language === undefined || !languageByName(language)) {
    throw new MetricError(
      `A query needs the language it is for${language === undefined ? "" : `; "${language}" is not known`}.`,
    );
  }
  const { table } = await index.refresh({ signal });
  const within = metric.path === undefined ? () => true : pathFilter(metric.path);
  const rows = countedRows(table, (path, name) => name === language && within(path));
  const paths = rows
    .map((row) => table.path(row))
    .filter((path) => languageAt(table, index.rowOf(path)) === language);
  const files: { file: string; count: number }[] = [];
  const counters = new Map<string, (text: string) => Promise<number>>();
  const deadline = performance.now() + MAX_QUERY_MS;
  let done = 0;
  for await (const { path, text } of readTexts(index.root, paths.slice(0, MAX_QUERY_FILES), { signal })) {
    if (performance.now() > deadline) break;
    const grammar = grammarFor(language, path);
    if (!grammar) throw new MetricError(`There is no grammar for ${language}: use a pattern.`);
    const counter = counters.get(grammar.name) ?? (await prepare(grammar.name, metric.source));
    counters.set(grammar.name, counter);
    const count = await counter(text);
    if (count > 0) files.push({ file: path, count });
    done += 1;
    if (done % 100 === 0) progress(done, paths.length);
  }
  return sum(files, paths.length - done);
}

async function prepare(grammarName: string, source: string): Promise<(text: string) => Promise<number>> {
  const grammar = await loadGrammar(grammarName);
  let query: Awaited<ReturnType<typeof compileQuery>>;
  try {
    query = await compileQuery(grammar, source);
  } catch (error) {
    throw new MetricError(
      `The query is not valid for ${grammarName}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return async (text) => {
    try {
      return await withTree(grammar, text, (root) => query.captures(root).length);
    } catch (error) {
      if (error instanceof ParseError) return 0;
      throw error;
    }
  };
}

function sum(files: { file: string; count: number }[], not_measured: number): MetricResult {
  files.sort((a, b) => b.count - a.count || (a.file < b.file ? -1 : 1));
  return { total: files.reduce((total, { count }) => total + count, 0), files, not_measured };
}
