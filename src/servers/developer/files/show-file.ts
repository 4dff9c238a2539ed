/** A file as an answer to a model: numbered lines, a picture, or the reason why not. Shared by two tools. */
import { pathToFileURL } from "node:url";
import type { OpenedFile } from "../../../lib/safe-path.ts";
import { failure, type ToolResult, text } from "../../kit/tool.ts";
import { formatBytes, formatCount } from "../amounts.ts";
import { cleanText } from "../shell/plain-text.ts";
import { sniffType, VIEWABLE_IMAGES } from "./file-type.ts";
import { type LineWindow, readLineWindow } from "./line-window.ts";
import { readBytes } from "./read-bytes.ts";

export interface ShowFileRequest {
  /** As the model named it, or shorter. */
  readonly name: string;
  /** From 1. */
  readonly startLine: number;
  readonly maxLines: number | undefined;
  /** Program output: shown as text whatever is in it, without terminal escapes. */
  readonly isOutput: boolean;
  readonly signal: AbortSignal;
}

const DEFAULT_LINES = 2000;
/** Below what the agent keeps elsewhere: a part that was asked for must arrive. */
const MAX_CHARACTERS = 20_000;
const MAX_LINE_CHARACTERS = 2000;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** The file stays open. */
export async function showFile(file: OpenedFile, request: ShowFileRequest): Promise<ToolResult> {
  const { size } = file.stats;
  const { name, startLine } = request;
  if (size === 0) return text(`${name} is empty (0 bytes).`);
  const type = sniffType(readBytes(file.fd, 0, 16));
  if (type !== undefined && VIEWABLE_IMAGES.has(type)) return showImage(file, name, type);
  const window = await readLineWindow(file.fd, size, {
    startLine,
    maxLines: Math.min(request.maxLines ?? DEFAULT_LINES, DEFAULT_LINES),
    maxCharacters: MAX_CHARACTERS,
    maxLineCharacters: MAX_LINE_CHARACTERS,
    ...(request.isOutput && { fallback: "utf-8" }),
    signal: request.signal,
  });
  if (window === undefined) {
    const kind = type ?? "unknown type";
    return failure(
      `${name} is a binary file (${kind}, ${formatBytes(size)}), not text. ` +
        "Look at it with shell, for instance with file, xxd or a program made for its type.",
    );
  }
  if (window.lines.length === 0 && startLine > 1) {
    return failure(
      `${name} has ${formatCount(window.totalLines ?? 0, "line")}; there is no line ${startLine}.`,
    );
  }
  const lines = request.isOutput ? window.lines.map(cleanLine) : window.lines;
  return text(
    `${header(name, size, window, startLine)}\n${numbered(lines, startLine)}${footer(window, startLine)}`,
  );
}

function header(name: string, size: number, window: LineWindow, startLine: number): string {
  const last = startLine + window.lines.length - 1;
  const total =
    window.totalLines === undefined ? `of a file of ${formatBytes(size)}` : `of ${window.totalLines}`;
  const encoding = window.encoding === "utf-8" ? "" : `, ${window.encoding}`;
  const damage = window.lossy ? ", with bytes that mean nothing in it (shown as \ufffd)" : "";
  return `${name}, lines ${startLine}-${last} ${total}${encoding}${damage}`;
}

/** One line stays one line: the numbers must hold. */
function cleanLine(line: string): string {
  return cleanText(line).replaceAll("\n", " ");
}

function numbered(lines: readonly string[], startLine: number): string {
  return lines.map((line, index) => `${startLine + index}\t${line}`).join("\n");
}

function footer(window: LineWindow, startLine: number): string {
  return window.atEnd ? "" : `\n[more follows: read on from line ${startLine + window.lines.length}]`;
}

function showImage(file: OpenedFile, name: string, type: string): ToolResult {
  const { size } = file.stats;
  const label = `${name} (${type}, ${formatBytes(size)})`;
  if (size > MAX_IMAGE_BYTES) {
    return failure(
      `${label} is over the limit of ${formatBytes(MAX_IMAGE_BYTES)} for pictures. Scale it down with shell and look at the smaller one. Its URI is ${pathToFileURL(file.path).href}`,
    );
  }
  const data = readBytes(file.fd, 0, size).toString("base64");
  return {
    content: [
      { type: "text", text: label },
      { type: "image", data, mimeType: type },
    ],
  };
}
