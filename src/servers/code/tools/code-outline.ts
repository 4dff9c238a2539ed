/** `get_code_outline`: what a file defines, before reading it. */
import { z } from "zod";
import { defineTool, failure, type KitTool, structured } from "../../kit/index.ts";
import type { Project } from "../project.ts";
import { outlineLanguages } from "../syntax/grammars.ts";
import { type OutlineEntry, outlineOf } from "../syntax/outline.ts";
import { ParseError } from "../syntax/parse.ts";
import { fileUri } from "../uri.ts";
import { readSource, ToolInputError } from "./tool-input.ts";

const MAX_LINES = 400;

export function createCodeOutline(project: Project): KitTool {
  return defineTool({
    name: "get_code_outline",
    title: "Outline of a file",
    description:
      "Classes, functions and methods of a file with their lines, signatures and complexity (1 + if, loops, cases, " +
      "catch, ternary, && || ??). Read the outline first, then the part you need with extract_code_section. " +
      `Languages: ${outlineLanguages().join(", ")}.`,
    input: z.object({
      file: z.string().describe("Path from the project's root, or a code://file address"),
      depth: z.int().min(1).max(10).default(10).describe("How many levels of nesting to show"),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async run({ file, depth }) {
      try {
        const source = readSource(project.index().root, file);
        if (source.language === undefined)
          return failure(`No language is known for ${source.path}. Read it: ${fileUri(source.path)}`);
        const outline = await outlineOf(source.language, source.path, source.text);
        if (!outline) {
          return failure(
            `No outline for ${source.language}. Outlines exist for ${outlineLanguages().join(", ")}. Read the file: ${fileUri(source.path)}`,
          );
        }
        const entries = cutDepth(outline.entries, depth);
        const value = {
          file: source.path,
          uri: fileUri(source.path),
          language: source.language,
          line_count:
            source.text === ""
              ? 0
              : source.text.split(/\r\n|\r|\n/).length - (/[\r\n]$/.test(source.text) ? 1 : 0),
          ...(outline.measured && { complexity: outline.measured.complexity }),
          ...(outline.hasError && { parse_errors: true }),
          outline: entries,
        };
        const lines = show(entries, 0);
        const shown = lines.slice(0, MAX_LINES);
        const cut =
          lines.length > MAX_LINES
            ? [`… ${lines.length - MAX_LINES} more: call again with a smaller depth.`]
            : [];
        const note = outline.hasError ? ["The parser met errors: parts may be missing."] : [];
        const head = `${source.path} (${source.language}, ${value.line_count} lines)`;
        const next = `Next: extract_code_section with file and symbol, or read ${fileUri(source.path)}?lines=…`;
        return structured(
          { ...value, outline: lines.length > MAX_LINES ? cutDepth(entries, 1) : entries },
          [head, ...note, ...shown, ...cut, next].join("\n"),
        );
      } catch (error) {
        if (error instanceof ToolInputError || error instanceof ParseError) return failure(error.message);
        throw error;
      }
    },
  });
}

function cutDepth(entries: readonly OutlineEntry[], depth: number): OutlineEntry[] {
  return entries.map(({ children, ...entry }) => ({
    ...entry,
    ...(children && depth > 1 && { children: cutDepth(children, depth - 1) }),
  }));
}

function show(entries: readonly OutlineEntry[], level: number): string[] {
  return entries.flatMap(({ kind, name, signature, start_line, end_line, complexity, children = [] }) => {
    const measure = complexity === undefined ? "" : `  complexity ${complexity}`;
    const title = signature === "" ? `${kind} ${name}` : signature;
    return [
      `${"  ".repeat(level)}${start_line}-${end_line}  ${title}${measure}`,
      ...show(children, level + 1),
    ];
  });
}
