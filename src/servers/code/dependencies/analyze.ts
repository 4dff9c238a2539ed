/** Reads the imports of a project's files and makes their graph, with what lies outside counted apart. */
import { dirname } from "node:path/posix";
import { readTexts } from "../project-texts.ts";
import type { ProjectIndex } from "../statistics/project-index.ts";
import { countedRows, languageAt } from "../statistics/summary.ts";
import { DependencyGraph } from "./graph.ts";
import { findImports, hasImportRules } from "./imports.ts";
import { createResolver, type ModuleNames } from "./resolve.ts";

export interface Dependencies {
  readonly files: DependencyGraph;
  /** Package or module, and how many files import it. */
  readonly external: ReadonlyMap<string, number>;
  readonly filesRead: number;
}

export async function analyzeDependencies(
  index: ProjectIndex,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Dependencies> {
  const { table } = await index.refresh(options);
  const languages = new Map<string, string>();
  for (const row of countedRows(table)) {
    const language = languageAt(table, row);
    if (hasImportRules(language)) languages.set(table.path(row), language);
  }
  const resolver = createResolver(table.paths, await moduleNames(index.root, table.paths));
  const files = new DependencyGraph();
  const external = new Map<string, number>();
  for await (const { path, text } of readTexts(index.root, languages.keys(), options)) {
    const language = languages.get(path) as string;
    files.addNode(path);
    const outside = new Set<string>();
    const inside = new Set<string>();
    for (const found of findImports(language, text)) {
      const target = resolver.resolve(path, language, found);
      if (target !== undefined) inside.add(target);
      else if (found.form === "name") {
        const name = packageOf(found.target, language);
        // A name from one of our own modules (`from package.module import name`) is not outside.
        if (!resolver.resolve(path, language, { target: name, form: "name" })) outside.add(name);
      }
    }
    for (const target of inside) if (target !== path) files.addEdge(path, target);
    for (const name of outside) if (name !== "") external.set(name, (external.get(name) ?? 0) + 1);
  }
  return { files, external, filesRead: languages.size };
}

/** The part of an import that names what would be installed. */
function packageOf(target: string, language: string): string {
  switch (language) {
    case "javascript":
    case "typescript":
    case "vue":
    case "svelte":
      return target.startsWith("@")
        ? target.split("/").slice(0, 2).join("/")
        : (target.split("/")[0] ?? target);
    case "python":
      return target.startsWith(".") ? "" : (target.split(".")[0] ?? target);
    case "rust": {
      const root = target.split("::")[0] ?? target;
      return ["crate", "self", "super"].includes(root) || target.startsWith("mod ") ? "" : root;
    }
    case "java":
    case "kotlin":
    case "scala":
      return target.split(".").slice(0, 3).join(".");
    case "php":
      return target.split("\\").slice(0, 2).join("\\");
    default:
      return target;
  }
}

async function moduleNames(root: string, paths: readonly string[]): Promise<ModuleNames> {
  const go = new Map<string, string>();
  const npm = new Map<string, string>();
  const files = paths.filter((path) => /(^|\/)(go\.mod|package\.json)$/.test(path));
  for await (const { path, text } of readTexts(root, files)) {
    const isGo = path.endsWith("go.mod");
    const name = (isGo ? /^module\s+(\S+)/m : /^\s*"name"\s*:\s*"([^"]+)"/m).exec(text)?.[1];
    if (name) (isGo ? go : npm).set(name, dirname(path));
  }
  return { go: new Map([...go].sort(([a], [b]) => b.length - a.length)), npm };
}
