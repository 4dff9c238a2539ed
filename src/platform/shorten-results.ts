/**
 * A ToolBox whose results a conversation can hold: long texts are kept whole elsewhere and give way to their
 * beginning, their end and the way to the rest; texts that came as bytes are texts; bytes that no model reads are
 * kept in a file that the model is told of. Nothing is lost; a result of any size costs the model little.
 */
import {
  isFor,
  type ResourceContent,
  type TextContent,
  type ToolContent,
  type ToolResponse,
} from "../conversation/index.ts";
import type { ToolBox } from "../extensions/index.ts";
import { cleanBase64 } from "../lib/base64.ts";
import { readCutMark } from "../lib/cut-mark.ts";
import { isTextType } from "../lib/text-type.ts";
import { endsOf } from "./cut-text.ts";

/** Keeps what the conversation does not hold. Both may throw; then it is said that the rest is lost, and why. */
export interface Keeper {
  /** The URI under which the text can be read. */
  keep(text: string, name: string): { readonly uri: string };
  /** The path of a file with the bytes. */
  keepBytes(bytes: Uint8Array, mimeType: string): string;
}

export interface ShortenLimits {
  /** A text of more characters is shortened. */
  readonly whole: number;
  /** Tokens of its beginning and its end that stay. */
  readonly head: number;
  readonly tail: number;
}

export const DEFAULT_LIMITS: ShortenLimits = { whole: 24_000, head: 800, tail: 400 };

export function shortenResults(
  toolBox: ToolBox,
  keeper: Keeper,
  limits: ShortenLimits = DEFAULT_LIMITS,
): ToolBox {
  return {
    tools: () => toolBox.tools(),
    all: () => toolBox.all(),
    find: (name) => toolBox.find(name),
    call: async (request, options) => await shorten(await toolBox.call(request, options), keeper, limits),
  };
}

export async function shorten(
  response: ToolResponse,
  keeper: Keeper,
  limits: ShortenLimits,
): Promise<ToolResponse> {
  const blocks = await Promise.all(
    response.content.map((block) => shortenBlock(block, response.name, keeper, limits)),
  );
  const content = blocks.flat();
  const { structuredContent, ...rest } = response;
  if (structuredContent === undefined) return { ...rest, content };
  const json = JSON.stringify(structuredContent);
  if (json.length <= limits.whole) return { ...rest, content, structuredContent };
  // The same JSON often stands in a text block too; then it was kept there already, under the same URI.
  const repeated = response.content.some(
    (block) => block.type === "text" && block.text.length >= json.length,
  );
  if (repeated) return { ...rest, content };
  const text = cutText(json, whereItIsKept(json, `${response.name} (structured)`, keeper), limits);
  return { ...rest, content: [...content, { type: "text", text }] };
}

async function shortenBlock(
  block: ToolContent,
  name: string,
  keeper: Keeper,
  limits: ShortenLimits,
): Promise<readonly ToolContent[]> {
  if (block.type === "text") {
    const text = shortenText(block, name, keeper, limits);
    return [text === block.text ? block : ({ ...block, text } satisfies TextContent)];
  }
  if (block.type !== "resource") return [block];
  const { resource } = block;
  if (!("text" in resource)) return await unpack(block, resource, name, keeper, limits);
  const text = shortenText({ text: resource.text, meta: block.meta }, name, keeper, limits);
  return [text === resource.text ? block : { ...block, resource: { ...resource, text } }];
}

function shortenText(
  block: Pick<TextContent, "text"> & { readonly meta?: TextContent["meta"] | undefined },
  name: string,
  keeper: Keeper,
  limits: ShortenLimits,
): string {
  const { text } = block;
  // What its server has cut already is nothing to keep: the ends are enough, and the way to the rest is the server's.
  const rest = readCutMark(block.meta);
  if (rest !== undefined) return cutText(text, () => rest, limits);
  return text.length > limits.whole ? cutText(text, whereItIsKept(text, name, keeper), limits) : text;
}

/** Bytes that are a text become one; pictures and sounds stay what they are; all others are kept in a file. */
async function unpack(
  block: ResourceContent,
  resource: { readonly uri: string; readonly mimeType?: string; readonly blob: string },
  name: string,
  keeper: Keeper,
  limits: ShortenLimits,
): Promise<readonly ToolContent[]> {
  const { blob, ...facts } = resource;
  const mimeType = facts.mimeType ?? "application/octet-stream";
  if (/^(image|audio)\//i.test(mimeType)) return [block];
  if (isTextType(mimeType)) {
    const { textOfBlob } = await import("../lib/blob-text.ts");
    const decoded = textOfBlob(resource);
    if (decoded !== undefined) {
      const text = shortenText({ text: decoded, meta: block.meta }, name, keeper, limits);
      return [{ ...block, resource: { ...facts, text } }];
    }
  }
  const bytes = cleanBase64(blob);
  if (bytes === undefined || !isFor("assistant", block.annotations)) return [block];
  const note: TextContent = {
    type: "text",
    text: `[${whereTheFileIs(Buffer.from(bytes, "base64"), mimeType, keeper)}]`,
    annotations: { audience: ["assistant"] },
    ...(block.source && { source: block.source }),
  };
  return [block, note];
}

function cutText(text: string, whereTheRestIs: () => string, limits: ShortenLimits): string {
  const ends = endsOf(text, limits);
  if (!ends) return text;
  const { head, tail, hidden } = ends;
  return `${head}\n[… ${hidden} of ${text.length} characters are not shown. ${whereTheRestIs()} …]\n${tail}`;
}

function whereItIsKept(text: string, name: string, keeper: Keeper): () => string {
  return () => {
    try {
      return `The whole is ${keeper.keep(text, name).uri}: read parts of it with platform__read_resource (offset, limit, search).`;
    } catch (error) {
      return `The whole could not be kept: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
}

function whereTheFileIs(bytes: Uint8Array, mimeType: string, keeper: Keeper): string {
  try {
    return `Its bytes are in the file ${keeper.keepBytes(bytes, mimeType)} until the session ends; tools that take a file can work with it.`;
  } catch (error) {
    return `Its bytes could not be kept: ${error instanceof Error ? error.message : String(error)}`;
  }
}
