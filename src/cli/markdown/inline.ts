/**
 * Bold, italic, code and links inside a line of Markdown, as a terminal shows them. Works on what is there so far:
 * it says how much of the text is settled, so that an answer can be shown while it is still being written.
 * A marker that nobody closes is shown as it is. Pictures are named and never loaded.
 */
export interface InlineStyle {
  bold(text: string): string;
  italic(text: string): string;
  strike(text: string): string;
  code(text: string): string;
  link(text: string): string;
  dim(text: string): string;
}

export const PLAIN: InlineStyle = {
  bold: (text) => text,
  italic: (text) => text,
  strike: (text) => text,
  code: (text) => text,
  link: (text) => text,
  dim: (text) => text,
};

export interface Rendered {
  readonly text: string;
  /** How many characters of the source it stands for; the rest must wait for more. */
  readonly settled: number;
}

/** An opened marker waits for its end no longer than this, so that a thousand of them cost little. */
const MAX_SPAN = 600;

/** With `final` nothing waits. `before` is the character that was settled before this text. */
export function renderInline(source: string, style: InlineStyle, final: boolean, before = ""): Rendered {
  let text = "";
  let at = 0;
  while (at < source.length) {
    const mayWait = !final && source.length - at <= MAX_SPAN;
    const span = readSpan(source, at, style, source[at - 1] ?? before);
    if (span === "unfinished" && mayWait) break;
    if (span === undefined || span === "unfinished") {
      const length = plainLength(source, at);
      text += source.slice(at, at + length);
      at += length;
    } else {
      text += span.text;
      at += span.length;
    }
  }
  // Half of a character outside the basic plane: its other half is on the way.
  if (!final && at > 0 && at === source.length && /[\uD800-\uDBFF]$/.test(source)) {
    return { text: text.slice(0, -1), settled: at - 1 };
  }
  return { text, settled: at };
}

interface Span {
  readonly text: string;
  readonly length: number;
}

/** Undefined where no marker stands; `unfinished` where more text could make it one. */
function readSpan(
  source: string,
  at: number,
  style: InlineStyle,
  before: string,
): Span | "unfinished" | undefined {
  switch (source[at]) {
    case "\\":
      return readEscape(source, at);
    case "`":
      return readCode(source, at, style);
    case "*":
    case "_":
    case "~":
      return readEmphasis(source, at, style, before);
    case "!":
      if (at + 1 === source.length) return "unfinished";
      return source[at + 1] === "[" ? readLink(source, at + 1, style, "picture") : undefined;
    case "[":
      return readLink(source, at, style, "link");
    default:
      return undefined;
  }
}

const ORDINARY = /[^\\`*_~![]+/y;

/** One marker character, or all up to the next one. */
function plainLength(source: string, at: number): number {
  ORDINARY.lastIndex = at;
  return ORDINARY.exec(source)?.[0].length ?? 1;
}

function readEscape(source: string, at: number): Span | "unfinished" | undefined {
  const next = source[at + 1];
  if (next === undefined) return "unfinished";
  return /[!-/:-@[-`{-~]/.test(next) ? { text: next, length: 2 } : undefined;
}

function readCode(source: string, at: number, style: InlineStyle): Span | "unfinished" {
  const ticks = runLength(source, at);
  const start = at + ticks;
  if (start === source.length) return "unfinished";
  const part = source.slice(0, start + MAX_SPAN);
  for (let end = part.indexOf("`", start); end >= 0; ) {
    const closing = runLength(source, end);
    if (closing === ticks) {
      const inner = source.slice(start, end);
      const trimmed = /^ .*[^ ].* $|^ [^ ] $/s.test(inner) ? inner.slice(1, -1) : inner;
      return { text: style.code(trimmed), length: end + ticks - at };
    }
    end = part.indexOf("`", end + closing);
  }
  return "unfinished";
}

function readEmphasis(
  source: string,
  at: number,
  style: InlineStyle,
  before: string,
): Span | "unfinished" | undefined {
  const marker = source[at] ?? "";
  const run = runLength(source, at);
  const start = at + run;
  if (start === source.length) return "unfinished";
  if (run > 3 || (marker === "~" && run !== 2) || /\s/.test(source[start] ?? "")) return undefined;
  // snake_case is a name.
  if (marker === "_" && /[\p{L}\p{N}]/u.test(before)) return undefined;
  const end = closingRun(source, start, marker, run);
  if (end === undefined) return "unfinished";
  const inner = renderInline(source.slice(start, end), style, true).text;
  const styled =
    marker === "~"
      ? style.strike(inner)
      : run === 1
        ? style.italic(inner)
        : run === 2
          ? style.bold(inner)
          : style.bold(style.italic(inner));
  return { text: styled, length: end + run - at };
}

/** Where a run of exactly this length ends the emphasis; code in between is skipped. */
function closingRun(source: string, from: number, marker: string, run: number): number | undefined {
  const last = Math.min(source.length, from + MAX_SPAN);
  for (let at = from; at < last; ) {
    const character = source[at];
    if (character === "\\") at += 2;
    else if (character === "`") {
      const code = readCode(source, at, PLAIN);
      at += code === "unfinished" ? runLength(source, at) : code.length;
    } else if (character === marker) {
      const length = runLength(source, at);
      const afterSpace = /\s/.test(source[at - 1] ?? " ");
      const inWord = marker === "_" && /[\p{L}\p{N}]/u.test(source[at + length] ?? "");
      if (length === run && !afterSpace && !inWord) return at;
      at += length;
    } else at += 1;
  }
  return undefined;
}

const LINK =
  /^\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+"[^"]*")?\s*\)/;
/** Could become a link: no closing bracket yet, or one with the address still open. */
const LINK_BEGUN = /^\[[^\]]*(?:\](?:\([^()]*(?:\([^()]*\)?[^()]*)?)?)?$/;

function readLink(
  source: string,
  bracket: number,
  style: InlineStyle,
  kind: "link" | "picture",
): Span | "unfinished" | undefined {
  const part = source.slice(bracket, bracket + MAX_SPAN);
  const match = LINK.exec(part);
  if (!match) return LINK_BEGUN.test(part) ? "unfinished" : undefined;
  const [whole, label = "", address = ""] = match;
  const lead = kind === "picture" ? 1 : 0;
  const length = whole.length + lead;
  if (kind === "picture")
    return { text: style.dim(`[picture: ${label === "" ? address : `${label}, ${address}`}]`), length };
  const shown = renderInline(label, style, true).text;
  if (label === address || address === "") return { text: style.link(shown), length };
  return { text: `${style.link(shown)} ${style.dim(`(${address})`)}`, length };
}

function runLength(source: string, at: number): number {
  let end = at;
  while (source[end] === source[at]) end++;
  return end - at;
}
