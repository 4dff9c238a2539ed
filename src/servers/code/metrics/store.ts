/**
 * A user's own metrics, kept with the project in `.kari/code-metrics.json`, so that whoever works on the project
 * has them. Read through the same boundary as everything else; written whole, or not at all.
 */
import { closeSync, constants, mkdirSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { openInside, resolveInside, SafePathError } from "../../../lib/safe-path.ts";

const FOLDER = ".kari";
/** Does not measure itself. */
export const METRICS_FILE = `${FOLDER}/code-metrics.json`;
const FILE = METRICS_FILE;
const MAX_METRICS = 200;

export const metricSchema = z.object({
  name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u),
  description: z.string().max(500).optional(),
  kind: z.enum(["pattern", "query"]),
  /** A regular expression, or a tree-sitter query whose captures are counted. */
  source: z.string().min(1).max(4000),
  language: z.string().max(40).optional(),
  path: z.string().max(500).optional(),
});

export type Metric = z.output<typeof metricSchema>;
const fileSchema = z.object({ metrics: z.array(metricSchema).max(MAX_METRICS) });

export class MetricError extends Error {
  override readonly name = "MetricError";
}

export function loadMetrics(root: string): Metric[] {
  let text: string;
  try {
    const opened = openInside(root, FILE);
    try {
      text = readFileSync(opened.fd, "utf8");
    } finally {
      closeSync(opened.fd);
    }
  } catch (error) {
    if (error instanceof SafePathError && error.code === "not-found") return [];
    throw new MetricError(`Cannot read ${FILE}: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return fileSchema.parse(JSON.parse(text)).metrics;
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new MetricError(`${FILE} is not as expected: ${reason}. Correct or remove it.`);
  }
}

export function saveMetrics(root: string, metrics: readonly Metric[]): void {
  if (metrics.length > MAX_METRICS)
    throw new MetricError(`At most ${MAX_METRICS} metrics; remove some first.`);
  try {
    replaceFile(root, `${JSON.stringify({ metrics }, null, 2)}\n`);
  } catch (error) {
    throw new MetricError(`Cannot write ${FILE}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function replaceFile(root: string, text: string): void {
  const folder = resolveInside(root, FOLDER, { missing: "allow" });
  mkdirSync(folder.path, { recursive: true });
  const { O_CREAT, O_TRUNC, O_WRONLY } = constants;
  const opened = openInside(root, `${FILE}.${process.pid}.new`, {
    flags: O_CREAT | O_WRONLY | O_TRUNC,
    mode: 0o644,
  });
  try {
    writeSync(opened.fd, text);
  } finally {
    closeSync(opened.fd);
  }
  renameSync(opened.path, join(folder.path, "code-metrics.json"));
}
