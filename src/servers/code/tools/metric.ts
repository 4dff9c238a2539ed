/** `define_metric`: a user's own measure of the code, defined once, kept in the project, measured on demand. */
import { z } from "zod";
import {
  defineTool,
  failure,
  type KitTool,
  structured,
  type ToolContext,
  type ToolResult,
} from "../../kit/index.ts";
import { measureMetric } from "../metrics/measure.ts";
import { loadMetrics, type Metric, MetricError, metricSchema, saveMetrics } from "../metrics/store.ts";
import type { Project } from "../project.ts";
import { SearchError } from "../search.ts";

const input = z.object({
  action: z.enum(["define", "measure", "list", "remove"]).default("define"),
  name: z.string().optional().describe("Name of the metric"),
  description: z.string().optional().describe("What it means, for people"),
  pattern: z.string().optional().describe("A regular expression (Rust syntax); its matches are counted"),
  query: z.string().optional().describe("A tree-sitter query; its captures are counted. Needs language"),
  language: z.string().optional().describe("Only files of this language"),
  path: z.string().optional().describe("Only this folder or glob"),
  limit: z.int().min(1).max(500).default(20).describe("Most files to list"),
});

export function createDefineMetric(project: Project): KitTool {
  return defineTool({
    name: "define_metric",
    title: "Own metrics",
    description:
      "Define a metric of your own by a pattern or a tree-sitter query, and measure it. It is kept in " +
      ".kari/code-metrics.json of the project. action: define (and measure), measure, list, remove.",
    input,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, context) {
      try {
        return await act(project, args, context);
      } catch (error) {
        if (error instanceof MetricError) return failure(error.message);
        if (error instanceof SearchError)
          return failure(`The pattern is not valid: ${error.message}. Nothing was saved.`);
        throw error;
      }
    },
  });
}

async function act(
  project: Project,
  args: z.output<typeof input>,
  context: ToolContext,
): Promise<ToolResult> {
  const { root } = project.index();
  const metrics = loadMetrics(root);
  if (args.action === "list") {
    const lines = metrics.map(
      ({ name, kind, description }) => `${name} (${kind})${description ? `: ${description}` : ""}`,
    );
    return structured(
      { metrics },
      lines.length === 0 ? "No metrics are defined. Define one with name and pattern." : lines.join("\n"),
    );
  }
  if (args.name === undefined) throw new MetricError("Give the name of the metric.");
  const known = metrics.find(({ name }) => name === args.name);
  if (args.action === "define") {
    const metric = makeMetric(args);
    // Measured first: what does not work is not kept.
    const result = await measure(project, metric, args.limit, context);
    saveMetrics(root, [...metrics.filter(({ name }) => name !== metric.name), metric]);
    return result;
  }
  if (!known) {
    throw new MetricError(
      `No metric "${args.name}". Defined: ${metrics.map(({ name }) => name).join(", ") || "none"}.`,
    );
  }
  if (args.action === "measure") return await measure(project, known, args.limit, context);
  saveMetrics(
    root,
    metrics.filter((metric) => metric !== known),
  );
  return structured({ removed: known.name }, `Removed "${known.name}".`);
}

function makeMetric({ name, description, pattern, query, language, path }: z.output<typeof input>): Metric {
  if ((pattern === undefined) === (query === undefined))
    throw new MetricError("Give pattern or query, one of the two.");
  const parsed = metricSchema.safeParse({
    name,
    kind: pattern === undefined ? "query" : "pattern",
    source: pattern ?? query,
    ...(description !== undefined && { description }),
    ...(language !== undefined && { language }),
    ...(path !== undefined && { path }),
  });
  if (!parsed.success) throw new MetricError(`Not a metric: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

async function measure(
  project: Project,
  metric: Metric,
  limit: number,
  context: ToolContext,
): Promise<ToolResult> {
  const result = await measureMetric(project.index(), metric, {
    signal: context.signal,
    progress: (done, total) => context.progress({ progress: done, total }),
  });
  const files = result.files.slice(0, limit);
  const value = {
    metric: metric.name,
    total: result.total,
    total_files: result.files.length,
    files,
    ...(result.not_measured > 0 && { not_measured: result.not_measured }),
  };
  const cut =
    result.not_measured > 0
      ? [`${result.not_measured} files were not measured (too many, or too slow): give path.`]
      : [];
  const lines = files.map(({ file, count }) => `${String(count).padStart(6)}  ${file}`);
  return structured(
    value,
    [`${metric.name}: ${result.total} in ${result.files.length} files`, ...cut, ...lines].join("\n"),
  );
}
