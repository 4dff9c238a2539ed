/**
 * A ToolBox that keeps long results whole elsewhere and gives the conversation their beginning, their end and the
 * way to the rest. Nothing is lost; a result of any size costs the model little.
 */
import type { ResourceContent, TextContent, ToolContent, ToolResponse } from "../conversation/index.ts";
import type { ToolBox } from "../extensions/index.ts";

/** Keeps a text and says under which URI. May throw; then the text is cut, and that is said. */
export type KeepText = (text: string, name: string) => { readonly uri: string };

export interface ShortenLimits {
  /** A text of more characters is shortened. */
  readonly whole: number;
  readonly head: number;
  readonly tail: number;
}

export const DEFAULT_LIMITS: ShortenLimits = { whole: 24_000, head: 2400, tail: 1200 };

export function shortenResults(
  toolBox: ToolBox,
  keep: KeepText,
  limits: ShortenLimits = DEFAULT_LIMITS,
): ToolBox {
  return {
    tools: () => toolBox.tools(),
    all: () => toolBox.all(),
    find: (name) => toolBox.find(name),
    call: async (request, options) => shorten(await toolBox.call(request, options), keep, limits),
  };
}

export function shorten(response: ToolResponse, keep: KeepText, limits: ShortenLimits): ToolResponse {
  const content = response.content.map((block) => shortenBlock(block, response.name, keep, limits));
  const { structuredContent, ...rest } = response;
  if (structuredContent === undefined) return { ...rest, content };
  const json = JSON.stringify(structuredContent);
  if (json.length <= limits.whole) return { ...rest, content, structuredContent };
  // The same JSON often stands in a text block too; then it was kept there already, under the same URI.
  const text = cutText(json, `${response.name} (structured)`, keep, limits);
  const repeated = response.content.some(
    (block) => block.type === "text" && block.text.length >= json.length,
  );
  return { ...rest, content: repeated ? content : [...content, { type: "text", text }] };
}

function shortenBlock(block: ToolContent, name: string, keep: KeepText, limits: ShortenLimits): ToolContent {
  if (block.type === "text" && block.text.length > limits.whole) {
    return { ...block, text: cutText(block.text, name, keep, limits) } satisfies TextContent;
  }
  if (block.type === "resource" && "text" in block.resource && block.resource.text.length > limits.whole) {
    const text = cutText(block.resource.text, name, keep, limits);
    return { ...block, resource: { ...block.resource, text } } satisfies ResourceContent;
  }
  return block;
}

function cutText(text: string, name: string, keep: KeepText, { head, tail }: ShortenLimits): string {
  const hidden = text.length - head - tail;
  const begin = text.slice(0, head).toWellFormed();
  const end = text.slice(-tail).toWellFormed();
  return `${begin}\n[… ${hidden} of ${text.length} characters are not shown. ${whereTheRestIs(text, name, keep)} …]\n${end}`;
}

function whereTheRestIs(text: string, name: string, keep: KeepText): string {
  try {
    return `The whole is ${keep(text, name).uri}: read parts of it with platform__read_resource (offset, limit, search).`;
  } catch (error) {
    return `The whole could not be kept: ${error instanceof Error ? error.message : String(error)}`;
  }
}
