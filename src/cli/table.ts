/** Columns that line up, whatever script the words are in. The last column is not padded. */
import { terminalText } from "../lib/terminal-text.ts";
import { padToWidth, textWidth } from "../lib/text-width.ts";

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => oneLine(cell)));
  const widths = head.map((_, column) => Math.max(...lines.map((row) => textWidth(row[column] ?? ""))));
  return lines
    .map((row) =>
      row
        .map((cell, column) => padToWidth(cell, widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** What others wrote goes on a screen: no escape sequences, no line ends. */
function oneLine(cell: string): string {
  return terminalText(cell).replace(/[\r\n\t]+/g, " ");
}
