/**
 * A model's answer in Markdown, shown in a terminal while it arrives: a paragraph word by word, a heading and a list
 * item as soon as they are known to be one, a table when it is complete. What was written is never changed again:
 * no cursor is moved. Text that is no Markdown comes out as it went in.
 */
import { type InlineStyle, renderInline } from "./markdown/inline.ts";
import { renderTable } from "./markdown/table.ts";

export interface MarkdownWriter {
  write(text: string): void;
  /** Ends what is open: an unfinished line, a table. The next text begins a new line. */
  end(): void;
}

export interface MarkdownOptions {
  readonly columns: number;
  readonly colours: boolean;
}

/** A table of more rows is shown as it comes. */
const MAX_TABLE_ROWS = 300;
const MAX_RULE = 60;

export function createMarkdownWriter(
  out: { write(text: string): void },
  { columns, colours }: MarkdownOptions,
): MarkdownWriter {
  const style = colours ? COLOURED : UNCOLOURED;
  /** Of the current line, what is not written yet. */
  let waiting = "";
  /** What the current line is, once that is known and its beginning is written. */
  let line: ((text: string, final: boolean) => Shown) | undefined;
  let lastCharacter = "";
  let fence: string | undefined;
  let table: string[] = [];

  const inline =
    (wrap: (text: string) => string) =>
    (text: string, final: boolean): Shown => {
      const { text: shown, settled } = renderInline(text, style, final, lastCharacter);
      return { shown: shown === "" ? "" : wrap(shown), settled };
    };
  const code = (text: string): Shown => ({
    shown: text === "" ? "" : style.block(text),
    settled: text.length,
  });

  const endTable = () => {
    if (table.length === 0) return;
    const rows = table;
    table = [];
    const rendered = renderTable(rows, columns, style);
    if (rendered !== undefined) out.write(`${rendered}\n`);
    else for (const row of rows) out.write(`${renderInline(row, style, true).text}\n`);
  };

  /** Writes what is settled of the line that is being read. */
  const stream = (final: boolean) => {
    if (!line) return;
    const { shown, settled } = line(waiting, final);
    if (shown !== "") out.write(shown);
    if (settled > 0) lastCharacter = waiting[settled - 1] ?? "";
    waiting = waiting.slice(settled);
  };

  /** Decides what a line is by its beginning, writes that, and leaves the rest to be streamed. */
  const begin = (final: boolean) => {
    const start = readStart(waiting, fence, final);
    switch (start.type) {
      case "unknown":
        return;
      case "row":
        // Its end must be seen first.
        if (final && table.length < MAX_TABLE_ROWS) {
          table.push(waiting);
          waiting = "";
        } else if (final) {
          endTable();
          line = inline((text) => text);
        }
        return;
      case "fence":
        endTable();
        fence = start.closes ? undefined : start.marker;
        out.write(style.dim(waiting));
        line = code;
        waiting = "";
        return;
      case "code":
        line = code;
        return;
      case "rule":
        endTable();
        out.write(style.dim("─".repeat(Math.min(columns, MAX_RULE))));
        line = code;
        waiting = "";
        return;
      case "heading":
        endTable();
        line = inline(start.level === 1 ? style.title : style.bold);
        waiting = waiting.slice(start.length).trimStart();
        return;
      case "text":
        endTable();
        if (start.prefix !== "") out.write(style.dim(start.prefix));
        line = inline((text) => text);
        waiting = waiting.slice(start.length);
        return;
      default:
        return start satisfies never;
    }
  };

  const endLine = () => {
    if (!line) begin(true);
    if (line) {
      stream(true);
      out.write("\n");
    }
    line = undefined;
    waiting = "";
    lastCharacter = "";
  };

  return {
    write(text) {
      const lines = text.replaceAll("\r", "").split("\n");
      lines.forEach((part, index) => {
        waiting += part;
        if (index < lines.length - 1) endLine();
        else if (waiting !== "") {
          if (!line) begin(false);
          stream(false);
        }
      });
    },
    end() {
      if (line || waiting !== "") endLine();
      endTable();
    },
  };
}

interface Shown {
  readonly shown: string;
  readonly settled: number;
}

type Start =
  | { readonly type: "unknown" | "row" | "code" | "rule" }
  | { readonly type: "fence"; readonly marker: string; readonly closes: boolean }
  | { readonly type: "heading"; readonly level: number; readonly length: number }
  /** `prefix` stands for the first `length` characters. */
  | { readonly type: "text"; readonly prefix: string; readonly length: number };

/** Only these characters so far: it may become a heading, a list, a rule, a fence, a row. */
const UNDECIDED = /^[\s#>*+\-_`~|=.)\d]*$|^\s*[-*+]\s+\[[ xX]?\]?$/;

function readStart(text: string, fence: string | undefined, final: boolean): Start {
  const marker = /^\s*(`{3,}|~{3,})/.exec(text)?.[1];
  if (fence !== undefined) {
    const mayClose = text.trimStart().startsWith(fence[0] ?? "`") || text.trim() === "";
    if (!final && mayClose) return { type: "unknown" };
    const closes = marker?.startsWith(fence) === true && text.trim() === marker;
    return closes ? { type: "fence", marker, closes } : { type: "code" };
  }
  if (marker !== undefined) return final ? { type: "fence", marker, closes: false } : { type: "unknown" };
  if (/^\s{0,3}\|/.test(text)) return { type: "row" };
  if (!final && UNDECIDED.test(text)) return { type: "unknown" };
  if (/^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/.test(text)) return { type: "rule" };
  const heading = /^\s{0,3}(#{1,6})\s+/.exec(text);
  if (heading) return { type: "heading", level: heading[1]?.length ?? 1, length: heading[0].length };
  return readPrefix(text);
}

function readPrefix(text: string): Start {
  const quote = /^\s{0,3}(?:>\s?)+/.exec(text)?.[0];
  if (quote !== undefined)
    return { type: "text", prefix: "│ ".repeat(quote.split(">").length - 1), length: quote.length };
  const [bullet, indent = "", box] = /^(\s*)[-*+]\s+(?:\[([ xX])\]\s+)?/.exec(text) ?? [];
  if (bullet === undefined) return { type: "text", prefix: "", length: 0 };
  const mark = box === undefined ? "•" : box === " " ? "☐" : "☑";
  return { type: "text", prefix: `${indent}${mark} `, length: bullet.length };
}

interface BlockStyle extends InlineStyle {
  title(text: string): string;
  block(text: string): string;
}

/** What ends a style inside must not end this one around it. */
function sgr(on: number, off: number): (text: string) => string {
  const [open, close] = [`\u001B[${on}m`, `\u001B[${off}m`];
  return (text) => `${open}${text.replaceAll(close, close + open)}${close}`;
}

const bold = sgr(1, 22);
const underline = sgr(4, 24);

const UNCOLOURED: BlockStyle = {
  bold,
  italic: sgr(3, 23),
  strike: sgr(9, 29),
  code: (text) => `\`${text}\``,
  link: underline,
  dim: sgr(2, 22),
  title: (text) => bold(underline(text)),
  block: (text) => text,
};

const COLOURED: BlockStyle = { ...UNCOLOURED, code: sgr(36, 39), block: sgr(36, 39) };
