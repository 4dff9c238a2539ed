/** Writes new YAML entries in the manner of the file they go into: its indentation, its lists, its line ends. Pure. */
import { type Document, isMap, isPair, isSeq, type Range, stringify, visit } from "yaml";
import type { YamlValue } from "./yaml-edit.ts";

export interface YamlStyle {
  readonly indent: number;
  /** Whether the dashes of a list stand deeper than its key. */
  readonly indentSeq: boolean;
  readonly eol: "\n" | "\r\n";
}

export function styleOf(document: Document, text: string): YamlStyle {
  let indent: number | undefined;
  let indentSeq: boolean | undefined;
  visit(document, {
    Pair(_, { key, value }) {
      const outer = columnOf(key, text);
      if (outer === undefined) return;
      if (isMap(value) && !value.flow && isPair(value.items[0])) {
        const inner = columnOf(value.items[0].key, text);
        if (inner !== undefined && inner > outer) indent ??= inner - outer;
      }
      if (isSeq(value) && !value.flow) {
        const dash = columnOf(value, text);
        if (dash !== undefined) indentSeq ??= dash > outer;
      }
    },
  });
  return {
    indent: indent ?? 2,
    indentSeq: indentSeq ?? true,
    eol: /\r\n/.test(text) ? "\r\n" : "\n",
  };
}

export function renderEntry(
  [key, value]: readonly [string, YamlValue],
  column: number,
  { indent, indentSeq }: YamlStyle,
): readonly string[] {
  const lines = stringify({ [key]: value }, { indent, indentSeq, lineWidth: 0 })
    .trimEnd()
    .split("\n");
  return lines.map((line) => (line === "" ? line : " ".repeat(column) + line));
}

export function renderScalar(value: string | number | boolean | null): string {
  return stringify(value, { lineWidth: 0, blockQuote: false }).trimEnd();
}

function columnOf(node: unknown, text: string): number | undefined {
  const start = (node as { range?: Range | null } | null)?.range?.[0];
  return start === undefined ? undefined : start - (text.lastIndexOf("\n", start - 1) + 1);
}
