/**
 * What an extension gave, as the person sees it: text without escape sequences and with its hidden characters made
 * visible, pictures drawn or kept as files, other bytes described and kept. What is for the model alone is not
 * shown. Nothing is written here; how many lines there is room for is the caller's matter.
 */
import { isFor, type ResourceContents, type ToolContent, type ToolResponse } from "../conversation/index.ts";
import { cleanBase64 } from "../lib/base64.ts";
import { revealHidden } from "../lib/hidden-text.ts";
import { type PictureFacts, sniffPicture } from "../lib/picture-header.ts";
import { terminalText } from "../lib/terminal-text.ts";
import { isTextType } from "../lib/text-type.ts";
import { createKeptFiles, type KeptFiles } from "./pictures/kept-files.ts";
import { type Screen, type ScreenStream, screenOf } from "./pictures/screen.ts";

export interface ContentView {
  readonly screen: Screen;
  /** A file or a pipe gets text as it is, but for escape sequences. */
  readonly isTerminal: boolean;
  readonly files: KeptFiles;
}

/** A block ready to be written, without a line end. A picture must not be cut. */
export interface ShownBlock {
  readonly type: "text" | "picture";
  readonly text: string;
}

export function contentView(
  stream: ScreenStream,
  environment: Readonly<Record<string, string | undefined>>,
): ContentView {
  return {
    screen: screenOf(stream, environment),
    isTerminal: stream.isTTY === true,
    files: createKeptFiles(),
  };
}

/** What there is to show of a response: its content, or its structured form when it has no other. */
export function contentsOf({ content, structuredContent }: ToolResponse): readonly ToolContent[] {
  if (content.length > 0 || structuredContent === undefined) return content;
  return [{ type: "text", text: JSON.stringify(structuredContent, null, 2) }];
}

/** In the order in which they came. */
export async function showContents(
  contents: readonly ToolContent[],
  view: ContentView,
): Promise<readonly ShownBlock[]> {
  const blocks: ShownBlock[] = [];
  for (const content of contents) {
    if (!isFor("user", annotationsOf(content))) continue;
    blocks.push(await showBlock(content, view));
  }
  return blocks;
}

type Stream = ScreenStream & { write(text: string): void };

export interface ContentWriter {
  /** Everything, one below the other. */
  write(contents: readonly ToolContent[]): Promise<void>;
  /** The same, where errors go. */
  writeError(contents: readonly ToolContent[]): Promise<void>;
}

/** For results of a call by hand. To be made before the call: a mistake in KARI_IMAGES is thrown here. */
export function createContentWriter(
  out: Stream,
  log: Stream,
  environment: Readonly<Record<string, string | undefined>>,
): ContentWriter {
  const writerTo = (stream: Stream) => {
    const view = contentView(stream, environment);
    return async (contents: readonly ToolContent[]) => {
      for (const { text } of await showContents(contents, view))
        stream.write(text.endsWith("\n") ? text : `${text}\n`);
    };
  };
  return { write: writerTo(out), writeError: writerTo(log) };
}

export function safeText(text: string, { isTerminal }: Pick<ContentView, "isTerminal">): string {
  // A lone carriage return would let the end of a line hide its beginning.
  return isTerminal ? revealHidden(terminalText(text).replace(/\r(?!\n)/g, "\n")) : terminalText(text);
}

async function showBlock(content: ToolContent, view: ContentView): Promise<ShownBlock> {
  switch (content.type) {
    case "text":
      return textBlock(content.text, view);
    case "image":
    case "audio":
      return await showBytes(content.data, { mimeType: content.mimeType }, view);
    case "resource":
      return await showResource(content.resource, view);
    case "resource-link": {
      const { name, uri, mimeType, size } = content.link;
      const facts = [mimeType, size !== undefined && byteSize(size)].filter(Boolean).join(", ");
      return textBlock(`[${name}: ${uri}${facts && ` (${facts})`}]`, view);
    }
    default:
      return content satisfies never;
  }
}

async function showResource(resource: ResourceContents, view: ContentView): Promise<ShownBlock> {
  if ("text" in resource) return textBlock(resource.text, view);
  const { uri, mimeType = "application/octet-stream", blob } = resource;
  return await showBytes(blob, { mimeType, uri }, view);
}

interface Label {
  readonly mimeType: string;
  readonly uri?: string;
}

async function showBytes(data: string, label: Label, view: ContentView): Promise<ShownBlock> {
  const clean = data === "" ? "" : cleanBase64(data);
  if (clean === undefined)
    return textBlock(`[${describe(label)}: its data is not valid base64, ${data.length} characters]`, view);
  const bytes = Buffer.from(clean, "base64");
  const size = byteSize(bytes.length);
  const picture = sniffPicture(bytes);
  if (picture) return await showPicture(bytes, picture, label, view);
  if (/^image\//i.test(label.mimeType)) {
    const where = keep(bytes, "application/octet-stream", view);
    return textBlock(
      `[${describe(label)}, ${size}, is not shown: its bytes are not a picture; ${where}]`,
      view,
    );
  }
  const text = isTextType(label.mimeType) ? await decode(bytes) : undefined;
  if (text !== undefined) return textBlock(text, view);
  return textBlock(`[${describe(label)}, ${size}, ${keep(bytes, label.mimeType, view)}]`, view);
}

async function showPicture(
  bytes: Buffer,
  { mimeType, width, height }: PictureFacts,
  { uri }: Label,
  view: ContentView,
): Promise<ShownBlock> {
  const { drawPicture } = await import("./pictures/draw.ts");
  const drawing = await drawPicture(bytes, view.screen);
  const size = drawing.type === "drawn" ? drawing.size : width && height ? { width, height } : undefined;
  const facts = [
    describe({ mimeType, ...(uri !== undefined && { uri }) }),
    ...(size ? [`${size.width} × ${size.height}`] : []),
    byteSize(bytes.length),
  ].join(", ");
  if (drawing.type === "drawn")
    return { type: "picture", text: `${drawing.text}\n${safeText(`[${facts}]`, view)}` };
  const why = view.screen.protocol === "none" ? "" : ` is not shown: ${drawing.reason};`;
  return textBlock(`[${facts},${why} ${keep(bytes, mimeType, view)}]`, view);
}

function keep(bytes: Uint8Array, mimeType: string, { files }: ContentView): string {
  try {
    return `saved to ${files.keep(bytes, mimeType)}`;
  } catch (error) {
    return `and could not be saved: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Undefined for what is no text after all. */
async function decode(bytes: Uint8Array): Promise<string | undefined> {
  const { decodeText } = await import("../lib/text-encoding.ts");
  return decodeText(bytes)?.text;
}

function textBlock(text: string, view: ContentView): ShownBlock {
  return { type: "text", text: safeText(text, view) };
}

function describe({ mimeType, uri }: Label): string {
  return uri === undefined ? mimeType : `${uri} ${mimeType}`;
}

function annotationsOf(content: ToolContent) {
  return content.type === "resource-link" ? content.link.annotations : content.annotations;
}

export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
