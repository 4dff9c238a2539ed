/**
 * What a tool of this server answers, before it has a wire form: blocks in order and the same for programs.
 * Two renderings: an MCP result with ASCII URIs and structured content, and the document's plain JSON in pieces,
 * where a picture's base64 goes out as it is and is never copied into a larger string.
 */
import type { ContentBlock, ToolResult } from "../kit/index.ts";
import type { Base64 } from "./base64.ts";
import { toUri } from "./uris.ts";

export type AnswerBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "picture";
      readonly iri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly base64: Base64;
    }
  | {
      readonly type: "link";
      readonly iri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly bytes?: number;
      readonly description: string;
    };

export interface Answer {
  readonly blocks: readonly AnswerBlock[];
  /** What the output schema describes; made only where it is sent, and not for an error. */
  readonly structured?: () => { readonly [key: string]: unknown };
  readonly isError: boolean;
}

/** An answer that is given again is rendered once. */
const plainJson = new WeakMap<Answer, readonly Buffer[]>();

export function failed(text: string): Answer {
  return { blocks: [{ type: "text", text }], isError: true };
}

/** What is said beside the posts, marked so that it is not taken for somebody's words. */
export function note(text: string): AnswerBlock {
  return { type: "text", text: `※ ${text}` };
}

/** At most so many characters, never half of one; what was cut off is shown by an ellipsis. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, "")}…`;
}

export function toToolResult({ blocks, structured, isError }: Answer): ToolResult {
  return {
    content: blocks.map(
      (block): ContentBlock =>
        block.type === "picture"
          ? {
              type: "resource",
              // The protocol's own schema knows no name here and drops it; what is in `_meta` arrives.
              resource: {
                ...pictureHead(block, toUri),
                blob: block.base64.text,
                _meta: { name: block.name },
              },
            }
          : (plainBlock(block, toUri) as ContentBlock),
    ),
    ...(structured && !isError && { structuredContent: mapUris(structured()) as Record<string, unknown> }),
    isError,
  };
}

/** `{"content": […], "isError": …}` as the document shows it, in pieces to be written one after another. */
export function toPlainJson(answer: Answer): readonly Buffer[] {
  const known = plainJson.get(answer);
  if (known) return known;
  const pieces = renderPlain(answer);
  plainJson.set(answer, pieces);
  return pieces;
}

function renderPlain({ blocks, isError }: Answer): Buffer[] {
  const pieces: Buffer[] = [];
  let pending = '{"content":[';
  blocks.forEach((block, index) => {
    if (index > 0) pending += ",";
    if (block.type !== "picture") {
      pending += JSON.stringify(plainBlock(block, asIri));
      return;
    }
    const head = JSON.stringify(pictureHead(block, asIri)).slice(0, -1);
    pieces.push(Buffer.from(`${pending}{"type":"resource","resource":${head},"blob":"`), block.base64.bytes);
    pending = '"}}';
  });
  pieces.push(Buffer.from(`${pending}],"isError":${isError}}`));
  return pieces;
}

/** How many bytes the block takes in an answer, its base64 included. */
export function blockBytes(block: AnswerBlock): number {
  if (block.type !== "picture") return Buffer.byteLength(JSON.stringify(plainBlock(block, toUri))) + 1;
  return Buffer.byteLength(JSON.stringify(pictureHead(block, toUri))) + block.base64.length + 512;
}

function pictureHead(block: AnswerBlock & { type: "picture" }, spell: (iri: string) => string) {
  return { uri: spell(block.iri), name: block.name, mimeType: block.mimeType };
}

function plainBlock(block: Exclude<AnswerBlock, { type: "picture" }>, spell: (iri: string) => string) {
  if (block.type === "text") return block;
  const { iri, bytes, description, name, mimeType } = block;
  return {
    type: "resource_link",
    uri: spell(iri),
    name,
    mimeType,
    description,
    ...(bytes !== undefined && { size: bytes }),
  };
}

function asIri(iri: string): string {
  return iri;
}

/** Keys that hold one of our names, wherever they are. */
function mapUris(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mapUris);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      key === "uri" && typeof entry === "string" ? toUri(entry) : mapUris(entry),
    ]),
  );
}
