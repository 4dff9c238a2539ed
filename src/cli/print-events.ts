/**
 * Shows a run to a person: the answer on stdout, everything about how it came to be on stderr, so that a script
 * can take the one and leave the other.
 */
import type { AgentEvent, JsonObject, ToolContent, ToolResponse } from "../conversation/index.ts";
import { isFor } from "../conversation/index.ts";
import { terminalText } from "../lib/terminal-text.ts";

export interface Output {
  write(text: string): void;
}

export interface EventPrinter {
  print(event: AgentEvent): void;
}

const MAX_ARGUMENTS = 200;
const MAX_RESULT_LINES = 8;
const MAX_LINE = 200;

export function createEventPrinter(out: Output, log: Output, style: Style): EventPrinter {
  let midLine = false;
  const endLine = () => {
    if (midLine) out.write("\n");
    midLine = false;
  };
  const note = (line: string) => {
    endLine();
    log.write(`${line}\n`);
  };
  return {
    print(event) {
      switch (event.type) {
        case "text-delta": {
          const text = terminalText(event.text);
          out.write(text);
          if (text !== "") midLine = !text.endsWith("\n");
          return;
        }
        case "tool-call":
          return note(style.dim(`→ ${event.request.name} ${showArguments(event.request.arguments)}`));
        case "tool-progress": {
          const { message, progress, total } = event.progress;
          const amount = total === undefined ? `${progress}` : `${progress}/${total}`;
          return note(style.dim(`  … ${event.name}: ${terminalText(message ?? amount).slice(0, MAX_LINE)}`));
        }
        case "tool-result":
          return note(style.dim(showResult(event.response)));
        case "tool-changed":
          return note(
            style.warn(
              terminalText(`${event.name} is not what it was when it was last used:\n${event.diff}`),
            ),
          );
        case "notice":
          return note(
            event.level === "warning"
              ? style.warn(terminalText(event.text))
              : style.dim(terminalText(event.text)),
          );
        case "context-change": {
          const tokens = event.shelf.reduce((sum, entry) => sum + entry.tokens, 0);
          return note(style.dim(`context: ${event.shelf.length} resources, about ${tokens} tokens`));
        }
        case "compaction":
          return note(
            style.dim(`The conversation was shortened: about ${event.before} → ${event.after} tokens.`),
          );
        case "run-end":
          endLine();
          if (event.outcome.type === "failed")
            note(style.warn(`kari: ${terminalText(event.outcome.failure.message)}`));
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

export interface Style {
  dim(text: string): string;
  warn(text: string): string;
}

export function styleFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  const colours = stream.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  if (!colours) return { dim: (text) => text, warn: (text) => text };
  return { dim: (text) => `\u001B[2m${text}\u001B[22m`, warn: (text) => `\u001B[33m${text}\u001B[39m` };
}

export function showArguments(args: JsonObject): string {
  const json = terminalText(JSON.stringify(args));
  return json.length > MAX_ARGUMENTS ? `${json.slice(0, MAX_ARGUMENTS)}…` : json;
}

function showResult(response: ToolResponse): string {
  const shown = response.content.filter((content) =>
    isFor("user", "annotations" in content ? content.annotations : undefined),
  );
  const lines = shown.flatMap((content) => terminalText(showContent(content)).split("\n"));
  const head = lines
    .slice(0, MAX_RESULT_LINES)
    .map((line) => `  ${line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line}`);
  const rest = lines.length - head.length;
  return [
    ...(response.isError ? ["  (error)"] : []),
    ...head,
    ...(rest > 0 ? [`  … ${rest} more lines`] : []),
  ].join("\n");
}

export function showContent(content: ToolContent): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
    case "audio":
      return `[${content.type} ${content.mimeType}, ${base64Bytes(content.data)} bytes]`;
    case "resource":
      return "text" in content.resource
        ? content.resource.text
        : `[${content.resource.uri} ${content.resource.mimeType ?? ""}, ${base64Bytes(content.resource.blob)} bytes]`;
    case "resource-link":
      return `[${content.link.name}: ${content.link.uri}]`;
    default:
      return content satisfies never;
  }
}

function base64Bytes(data: string): number {
  return Math.floor((data.length * 3) / 4);
}
