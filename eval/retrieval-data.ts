/**
 * Reads retrieval sets: which tools of a pool a query is about. Three layouts: our own (`pool.jsonl` and
 * any other `.jsonl` of queries, or queries that carry their own pool); MetaTool's (`all_clean_data.csv` beside
 * `plugin_des.json`); and Seal-Tools' (`tool.jsonl` beside `dev.jsonl` and its like).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Describable } from "../src/lib/ranking/document.ts";
import { readLines } from "./bfcl-data.ts";

export interface RetrievalSet {
  readonly name: string;
  readonly pool: readonly Describable[];
  readonly queries: readonly RetrievalQuery[];
}

export interface RetrievalQuery {
  readonly query: string;
  readonly relevant: readonly string[];
  /** In place of the set's pool. */
  readonly pool?: readonly Describable[];
}

interface PoolLine {
  readonly id?: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly parameters?: unknown;
}

interface QueryLine {
  readonly query: string;
  readonly relevant?: readonly string[];
  readonly relevant_tools?: readonly string[];
  readonly pool?: readonly PoolLine[];
}

const POOLS = ["pool.jsonl", "tools.jsonl"];

export function readRetrieval(folder: string): readonly RetrievalSet[] {
  const sets: RetrievalSet[] = [];
  const poolFile = POOLS.find((name) => existsSync(join(folder, name)));
  const pool = poolFile === undefined ? [] : readLines<PoolLine>(join(folder, poolFile)).map(toDescribable);
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith(".jsonl") || POOLS.includes(file)) continue;
    const queries = readLines<QueryLine>(join(folder, file)).flatMap(toQuery);
    if (queries.length > 0) sets.push({ name: join(folder, file), pool, queries });
  }
  for (const csv of ["all_clean_data.csv", join("data", "all_clean_data.csv")])
    if (existsSync(join(folder, csv))) sets.push(readMetaTool(folder, csv));
  if (existsSync(join(folder, "tool.jsonl"))) sets.push(...readSealTools(folder));
  return sets;
}

/** Lines of other layouts are no queries of ours. */
function toQuery(line: QueryLine): readonly RetrievalQuery[] {
  const relevant = line.relevant ?? line.relevant_tools;
  if (typeof line.query !== "string" || !Array.isArray(relevant)) return [];
  return [
    {
      query: line.query,
      relevant,
      ...(line.pool === undefined ? {} : { pool: line.pool.map(toDescribable) }),
    },
  ];
}

function toDescribable(line: PoolLine): Describable {
  return {
    id: line.id ?? line.name,
    name: line.name,
    title: line.title,
    description: line.description,
    schema: line.inputSchema ?? line.parameters,
  };
}

/** 20,614 queries, each with the one tool it was written for, over the 199 tools of `plugin_des.json`. */
function readMetaTool(folder: string, csv: string): RetrievalSet {
  const descriptions = JSON.parse(readFileSync(join(folder, "plugin_des.json"), "utf8")) as Record<
    string,
    string
  >;
  const rows = parseCsv(readFileSync(join(folder, csv), "utf8")).slice(1);
  return {
    name: `MetaTool (${folder})`,
    pool: Object.entries(descriptions).map(([name, description]) => ({ id: name, name, description })),
    queries: rows.flatMap(([query, tool]) =>
      query === undefined || tool === undefined ? [] : [{ query, relevant: [tool] }],
    ),
  };
}

interface SealTool {
  readonly api_name: string;
  readonly api_description: string;
  readonly parameters: unknown;
}

interface SealQuery {
  readonly query: string;
  readonly calling: readonly { readonly api: string }[];
}

/** A query may need several tools; all that it calls are relevant. */
function readSealTools(folder: string): readonly RetrievalSet[] {
  const pool = readLines<SealTool>(join(folder, "tool.jsonl")).map((tool) => ({
    id: tool.api_name,
    name: tool.api_name,
    description: tool.api_description,
    schema: { properties: tool.parameters },
  }));
  return ["dev", "test_in_domain", "test_out_domain"]
    .filter((name) => existsSync(join(folder, `${name}.jsonl`)))
    .map((name) => ({
      name: `Seal-Tools ${name} (${folder})`,
      pool,
      queries: readLines<SealQuery>(join(folder, `${name}.jsonl`)).map(({ query, calling }) => ({
        query,
        relevant: [...new Set(calling.map(({ api }) => api))],
      })),
    }));
}

export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[index + 1] === '"') {
        field += '"';
        index += 1;
      } else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ",") {
      row.push(field);
      field = "";
    } else if (character === "\n") {
      rows.push([...row, field.replace(/\r$/, "")]);
      row = [];
      field = "";
    } else field += character;
  }
  if (field !== "" || row.length > 0) rows.push([...row, field]);
  return rows;
}
