/**
 * Shows a run to a person: the answer on stdout, everything about how it came to be on stderr, so that a script
 * can take the one and leave the other. In a terminal the answer's Markdown is laid out and pictures are drawn;
 * elsewhere the answer's text is written as it came.
 */
import type { AgentEvent, JsonObject, ToolContent, ToolResponse } from "../conversation/index.ts";
import { revealHidden } from "../lib/hidden-text.ts";
import { terminalText } from "../lib/terminal-text.ts";
import { createMarkdownWriter } from "./markdown.ts";
import type { ScreenStream } from "./pictures/screen.ts";
import { type ContentView, contentsOf, contentView, safeText, showContents } from "./show-content.ts";

export interface Output extends ScreenStream {
  write(text: string): void;
}

export interface EventPrinter {
  /** Events are to be given one after the other: a picture takes a moment. */
  print(event: AgentEvent): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_ARGUMENTS = 200;
/** Of one block, and of all blocks of a result. */
const MAX_BLOCK_LINES = 8;
const MAX_RESULT_LINES = 40;
const MAX_PICTURES = 12;
const MAX_LINE = 200;

export function createEventPrinter(out: Output, log: Output, environment: Environment): EventPrinter {
  const style = styleFor(log, environment);
  const view = contentView(log, environment);
  const answer = answerWriter(out, environment);
  const note = (line: string) => {
    answer.end();
    log.write(`${line}\n`);
  };
  return {
    async print(event) {
      switch (event.type) {
        case "text-delta":
          return answer.write(event.text);
        case "tool-call":
          return note(style.dim(`→ ${event.request.name} ${showArguments(event.request.arguments)}`));
        case "tool-progress": {
          const { message, progress, total } = event.progress;
          const amount = total === undefined ? `${progress}` : `${progress}/${total}`;
          return note(style.dim(`  … ${event.name}: ${seen(message ?? amount).slice(0, MAX_LINE)}`));
        }
        case "tool-result":
          for (const part of await showResult(event.response, view, style)) note(part);
          return;
        case "tool-changed":
          return note(
            style.warn(seen(`${event.name} is not what it was when it was last used:\n${event.diff}`)),
          );
        case "notice":
          return note(event.level === "warning" ? style.warn(seen(event.text)) : style.dim(seen(event.text)));
        case "context-change": {
          const tokens = event.shelf.reduce((sum, entry) => sum + entry.tokens, 0);
          const resources = `${event.shelf.length} ${event.shelf.length === 1 ? "resource" : "resources"}`;
          return note(style.dim(`context: ${resources}, about ${tokens} tokens`));
        }
        case "compaction":
          return note(
            style.dim(`The conversation was shortened: about ${event.before} → ${event.after} tokens.`),
          );
        case "run-end":
          answer.end();
          if (event.outcome.type === "failed")
            note(style.warn(`kari: ${seen(event.outcome.failure.message)}`));
          if (event.outcome.type === "max-turns")
            note(style.warn(`kari: stopped after ${event.outcome.turns} turns (--max-turns).`));
          if (event.outcome.type === "cancelled") note(style.warn("kari: cancelled."));
          return;
        default:
          return;
      }
    },
  };
}

interface AnswerWriter {
  write(text: string): void;
  /** Ends the line if one is open. */
  end(): void;
}

function answerWriter(out: Output, environment: Environment): AnswerWriter {
  if (out.isTTY === true && environment["TERM"] !== "dumb") {
    const markdown = createMarkdownWriter(out, {
      columns: out.columns || 80,
      colours: !environment["NO_COLOR"],
    });
    return { write: (text) => markdown.write(safeText(text, { isTerminal: true })), end: markdown.end };
  }
  let midLine = false;
  return {
    write(text) {
      const safe = terminalText(text);
      out.write(safe);
      if (safe !== "") midLine = !safe.endsWith("\n");
    },
    end() {
      if (midLine) out.write("\n");
      midLine = false;
    },
  };
}

export interface Style {
  dim(text: string): string;
  warn(text: string): string;
}

export function styleFor(stream: { readonly isTTY?: boolean }, environment: Environment): Style {
  const colours = stream.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  if (!colours) return { dim: (text) => text, warn: (text) => text };
  return { dim: (text) => `\u001B[2m${text}\u001B[22m`, warn: (text) => `\u001B[33m${text}\u001B[39m` };
}

/** All of it: what a person agrees to must be what they see. */
export function wholeArguments(args: JsonObject): string {
  return seen(JSON.stringify(args, null, 2));
}

export function showArguments(args: JsonObject): string {
  const json = seen(JSON.stringify(args));
  return json.length > MAX_ARGUMENTS ? `${json.slice(0, MAX_ARGUMENTS).toWellFormed()}…` : json;
}

/** Parts to be written one below the other: texts shortened and dim, pictures whole. */
async function showResult(response: ToolResponse, view: ContentView, style: Style): Promise<string[]> {
  const parts: string[] = response.isError ? [style.dim("  (error)")] : [];
  let [lines, pictures, hidden] = [0, 0, 0];
  for (const content of contentsOf(response)) {
    const isPicture = pictureLike(content);
    if (isPicture && pictures >= MAX_PICTURES) {
      pictures += 1;
      continue;
    }
    for (const block of await showContents([content], view)) {
      if (isPicture) pictures += 1;
      if (block.type === "picture") {
        parts.push(block.text);
        continue;
      }
      const all = block.text.split("\n");
      const shown = all.slice(0, Math.min(MAX_BLOCK_LINES, MAX_RESULT_LINES - lines));
      lines += shown.length;
      if (shown.length === 0) hidden += all.length;
      else parts.push(style.dim(shortened(shown, all.length - shown.length)));
    }
  }
  if (hidden > 0) parts.push(style.dim(`  … ${hidden} more lines`));
  if (pictures > MAX_PICTURES) parts.push(style.dim(`  … ${pictures - MAX_PICTURES} more pictures`));
  return parts;
}

/** The words of others for a person: nothing that acts, nothing that hides. */
function seen(text: string): string {
  return revealHidden(terminalText(text));
}

function pictureLike(content: ToolContent): boolean {
  if (content.type === "image") return true;
  return (
    content.type === "resource" &&
    "blob" in content.resource &&
    /^image\//i.test(content.resource.mimeType ?? "")
  );
}

function shortened(lines: readonly string[], more: number): string {
  const shown = lines.map(
    (line) => `  ${line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line}`,
  );
  return [...shown, ...(more > 0 ? [`  … ${more} more lines`] : [])].join("\n");
}
