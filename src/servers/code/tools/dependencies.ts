/** `analyze_dependencies`: who imports whom, between files or folders, with cycles; as JSON, Mermaid or DOT. */
import { dirname } from "node:path/posix";
import { z } from "zod";
import { defineTool, failure, type KitTool, structured } from "../../kit/index.ts";
import { analyzeDependencies } from "../dependencies/analyze.ts";
import { type DependencyGraph, toDot, toMermaid } from "../dependencies/graph.ts";
import type { Project } from "../project.ts";
import { pathFilter } from "../statistics/page.ts";
import { folderInside, ToolInputError } from "./tool-input.ts";

const MAX_CYCLES = 20;
const MAX_CYCLE_LENGTH = 30;

export function createAnalyzeDependencies(project: Project): KitTool {
  return defineTool({
    name: "analyze_dependencies",
    title: "Dependencies",
    description:
      "Imports between the files (or folders) of the project, import cycles, and the packages from outside. " +
      "Give path to see only what a file or folder imports and who imports it. format mermaid or dot gives a drawing.",
    input: z.object({
      path: z.string().optional().describe("Only what touches this file or folder"),
      level: z
        .enum(["file", "folder"])
        .default("folder")
        .describe("Between files, or summed up between folders"),
      depth: z.int().min(1).max(10).default(3).describe("With level folder: how many folder names to keep"),
      format: z.enum(["json", "mermaid", "dot"]).default("json"),
      limit: z
        .int()
        .min(1)
        .max(500)
        .default(60)
        .describe("Most edges to give, those with most imports first"),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async run({ path, level, depth, format, limit }, { signal }) {
      try {
        const folder = folderInside(project.index().root, path);
        const found = await analyzeDependencies(project.index(), { signal });
        const near = folder === undefined ? found.files : found.files.around(pathFilter(folder));
        const graph =
          level === "file"
            ? near
            : near.grouped((file) => dirname(file).split("/").slice(0, depth).join("/"));
        const edges = graph.edges();
        const shown = edges.slice(0, limit);
        const cycles = graph.cycles();
        const external = [...found.external].sort((a, b) => b[1] - a[1]).slice(0, 30);
        const value = {
          files_read: found.filesRead,
          total_nodes: graph.nodes.length,
          total_edges: edges.length,
          edges: shown,
          cycles: cycles.slice(0, MAX_CYCLES).map((cycle) => cycle.slice(0, MAX_CYCLE_LENGTH)),
          total_cycles: cycles.length,
          external: external.map(([name, files]) => ({ name, files })),
          ...(format === "mermaid" && { mermaid: toMermaid(shown) }),
          ...(format === "dot" && { dot: toDot(shown) }),
        };
        return structured(value, show(graph, value, format, limit));
      } catch (error) {
        if (error instanceof ToolInputError) return failure(error.message);
        throw error;
      }
    },
  });
}

interface Shown {
  readonly files_read: number;
  readonly total_edges: number;
  readonly edges: readonly { from: string; to: string; count: number }[];
  readonly cycles: readonly (readonly string[])[];
  readonly total_cycles: number;
  readonly external: readonly { name: string; files: number }[];
  readonly mermaid?: string;
  readonly dot?: string;
}

function show(
  graph: DependencyGraph,
  value: Shown,
  format: "json" | "mermaid" | "dot",
  limit: number,
): string {
  const head = `${value.files_read} files read, ${graph.nodes.length} nodes, ${value.total_edges} edges, ${value.total_cycles} cycles`;
  const cut =
    value.total_edges > limit
      ? [`Shown: the ${limit} edges with most imports. Raise limit, or give path.`]
      : [];
  const drawing = format === "mermaid" ? value.mermaid : format === "dot" ? value.dot : undefined;
  const edges = value.edges.map(({ from, to, count }) => `${from} → ${to}${count > 1 ? ` (${count})` : ""}`);
  const cycles = value.cycles
    .slice(0, 5)
    .map(
      (cycle) =>
        `cycle: ${cycle.slice(0, 8).join(" ⇄ ")}${cycle.length > 8 ? ` … ${cycle.length} in all` : ""}`,
    );
  const external = `external: ${value.external
    .slice(0, 15)
    .map(({ name, files }) => `${name} (${files})`)
    .join(", ")}`;
  return [head, ...cut, ...(drawing === undefined ? edges : [drawing]), ...cycles, external].join("\n");
}
