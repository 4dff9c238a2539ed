/**
 * Tables of Markdown in columns that line up, whatever script the words are in. A table that is too wide has its
 * widest columns wrapped; nothing is cut. Lines that are no table after all come back undefined.
 */
import { padToWidth, textWidth } from "../../lib/text-width.ts";
import { type InlineStyle, PLAIN, renderInline } from "./inline.ts";

type Alignment = "left" | "right" | "centre";

const GAP = "  ";
const MIN_COLUMN = 6;

export function renderTable(
  lines: readonly string[],
  columns: number,
  style: Pick<InlineStyle, "bold" | "dim">,
): string | undefined {
  const [head, delimiter, ...body] = lines.map(splitRow);
  const alignments = delimiter?.map(alignmentOf) ?? [];
  if (!head || alignments.length === 0 || alignments.includes(undefined)) return undefined;
  const rows = [head, ...body].map((row) =>
    head.map((_, column) => renderInline(row[column] ?? "", PLAIN, true).text),
  );
  const widths = fitWidths(rows, columns);
  if (!widths) return undefined;
  const rendered = rows.map((row) => renderRow(row, widths, alignments));
  const line = style.dim(widths.map((width) => "─".repeat(width)).join(GAP));
  const [top = [], ...rest] = rendered;
  return [...top.map((text) => style.bold(text)), line, ...rest.flat()].join("\n");
}

/** A pipe in code or behind a backslash is no border. */
function splitRow(line: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let inCode = false;
  const trimmed = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  for (let at = 0; at < trimmed.length; at++) {
    const character = trimmed[at] ?? "";
    if (character === "\\" && trimmed[at + 1] === "|") {
      cell += "|";
      at += 1;
    } else if (character === "|" && !inCode) {
      cells.push(cell.trim());
      cell = "";
    } else {
      if (character === "`") inCode = !inCode;
      cell += character;
    }
  }
  return [...cells, cell.trim()];
}

function alignmentOf(cell: string): Alignment | undefined {
  const match = /^(:?)-+(:?)$/.exec(cell);
  if (!match) return undefined;
  if (match[1] && match[2]) return "centre";
  return match[2] ? "right" : "left";
}

/** Undefined when there are more columns than the terminal has room for. */
function fitWidths(rows: readonly (readonly string[])[], columns: number): number[] | undefined {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(1, ...rows.map((row) => textWidth(row[column] ?? ""))),
  );
  const room = columns - GAP.length * (widths.length - 1);
  let total = widths.reduce((sum, width) => sum + width, 0);
  while (total > room) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (width <= MIN_COLUMN) return undefined;
    widths[widest] = width - 1;
    total -= 1;
  }
  return widths;
}

function renderRow(
  row: readonly string[],
  widths: readonly number[],
  alignments: readonly (Alignment | undefined)[],
): string[] {
  const cells = row.map((cell, column) => wrap(cell, widths[column] ?? 1));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) => align(lines[line] ?? "", widths[column] ?? 1, alignments[column]))
      .join(GAP)
      .trimEnd(),
  );
}

function align(text: string, width: number, alignment: Alignment | undefined): string {
  const space = Math.max(0, width - textWidth(text));
  const before = alignment === "right" ? space : alignment === "centre" ? Math.floor(space / 2) : 0;
  return padToWidth(" ".repeat(before) + text, width);
}

let segmenter: Intl.Segmenter | undefined;

/** At spaces where there are some, else between two letters: Japanese has none. */
function wrap(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text];
  segmenter ??= new Intl.Segmenter();
  const lines: string[] = [];
  let line = "";
  for (const { segment } of segmenter.segment(text)) {
    if (line !== "" && textWidth(line + segment) > width) {
      const space = segment === " " ? -1 : line.lastIndexOf(" ");
      lines.push((space > 0 ? line.slice(0, space) : line).trimEnd());
      line = space > 0 ? line.slice(space + 1) : "";
    }
    line += line === "" && segment === " " ? "" : segment;
  }
  return [...lines, line];
}
