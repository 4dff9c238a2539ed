/** `extract_code_section`: one definition or one range of lines, and nothing else. */
import { z } from "zod";
import { defineTool, failure, type KitTool, structured } from "../../kit/index.ts";
import type { Project } from "../project.ts";
import { type OutlineEntry, outlineOf } from "../syntax/outline.ts";
import { ParseError } from "../syntax/parse.ts";
import { fileUri } from "../uri.ts";
import { readSource, type SourceFile, ToolInputError } from "./tool-input.ts";

const MAX_CHARACTERS = 50_000;

export function createCodeSection(project: Project): KitTool {
  return defineTool({
    name: "extract_code_section",
    title: "Part of a file",
    description: "The text of one function, class or method by name, or of a range of lines.",
    input: z.object({
      file: z.string().describe("Path from the project's root, or a code://file address"),
      symbol: z
        .string()
        .optional()
        .describe('Name from the outline: "parse", or "Parser.parse" for one of several'),
      start_line: z.int().min(1).optional().describe("First line, from 1"),
      end_line: z.int().min(1).optional().describe("Last line, included"),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async run({ file, symbol, start_line, end_line }) {
      try {
        const source = readSource(project.index().root, file);
        const range =
          symbol === undefined ? linesAsked(start_line, end_line) : await findSymbol(source, symbol);
        return show(source, range.from, range.to, symbol);
      } catch (error) {
        if (error instanceof ToolInputError || error instanceof ParseError) return failure(error.message);
        throw error;
      }
    },
  });
}

function linesAsked(from: number | undefined, to: number | undefined): { from: number; to: number } {
  if (from === undefined) throw new ToolInputError("Give symbol, or start_line (and end_line).");
  if (to !== undefined && to < from) throw new ToolInputError(`end_line ${to} is before start_line ${from}.`);
  return { from, to: to ?? from };
}

async function findSymbol(source: SourceFile, symbol: string): Promise<{ from: number; to: number }> {
  const outline =
    source.language === undefined ? undefined : await outlineOf(source.language, source.path, source.text);
  if (!outline)
    throw new ToolInputError(
      `No outline for ${source.path}: give start_line and end_line instead of symbol.`,
    );
  const all = flatten(outline.entries, "");
  const found = all.filter(
    ({ full, entry }) => full === symbol || entry.name === symbol || full.endsWith(`.${symbol}`),
  );
  const [only] = found;
  if (found.length === 1 && only) return { from: only.entry.start_line, to: only.entry.end_line };
  const names = (found.length > 1 ? found : nearest(all, symbol))
    .slice(0, 20)
    .map(({ full, entry }) => `${full} (line ${entry.start_line})`);
  const problem =
    found.length > 1 ? `"${symbol}" is defined ${found.length} times` : `No "${symbol}" in ${source.path}`;
  throw new ToolInputError(
    `${problem}. ${names.length > 0 ? `There is: ${names.join(", ")}.` : "The outline is empty."}`,
  );
}

interface Named {
  readonly full: string;
  readonly entry: OutlineEntry;
}

function flatten(entries: readonly OutlineEntry[], prefix: string): Named[] {
  return entries.flatMap((entry) => {
    const full = prefix === "" ? entry.name : `${prefix}.${entry.name}`;
    return [{ full, entry }, ...flatten(entry.children ?? [], full)];
  });
}

/** Those that contain what was asked for, in any case; all when none does. */
function nearest(all: readonly Named[], symbol: string): readonly Named[] {
  const wanted = symbol.toLowerCase();
  const near = all.filter(
    ({ full }) => full.toLowerCase().includes(wanted) || wanted.includes(full.toLowerCase()),
  );
  return near.length > 0 ? near : all;
}

function show(source: SourceFile, from: number, to: number, symbol: string | undefined) {
  const lines = source.text.split(/\r\n|\r|\n/);
  if (from > lines.length)
    throw new ToolInputError(`${source.path} has ${lines.length} lines; line ${from} is not one of them.`);
  const last = Math.min(to, lines.length);
  let text = lines.slice(from - 1, last).join("\n");
  let end = last;
  if (text.length > MAX_CHARACTERS) {
    text = text.slice(0, MAX_CHARACTERS);
    end = from + text.split("\n").length - 1;
  }
  const uri = fileUri(source.path, { from, to: end });
  const more = end < last ? `\n[cut after line ${end} of ${last}: go on with start_line ${end}]` : "";
  const value = {
    file: source.path,
    uri,
    start_line: from,
    end_line: end,
    ...(symbol !== undefined && { symbol }),
    text,
    ...(more && { cut: true }),
  };
  return structured(value, `${source.path}:${from}-${end}  ${uri}\n${text}${more}`);
}
