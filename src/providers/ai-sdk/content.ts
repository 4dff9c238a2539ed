/**
 * Content blocks as what a model can take: text, pictures and sound; everything else becomes an explicit line
 * that says what it is and where. Nothing is dropped without a word, except what is meant for the user alone.
 */
import {
  type AudioContent,
  type ImageContent,
  isFor,
  type ResourceContent,
  type ResourceLinkContent,
  type ToolContent,
} from "../../conversation/index.ts";
import type { ModelLimits } from "../model.ts";
import type { Wire } from "../wire.ts";

export type WirePart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "media";
      readonly kind: "image" | "audio";
      readonly mimeType: string;
      readonly data: string;
    };

export interface ContentRules {
  readonly wire: Wire;
  readonly limits: ModelLimits;
}

/** The last guard before the wire; results are cut long before, where the rest can be kept readable. */
const MAX_TEXT = 2_000_000;

export function toWireParts(contents: readonly ToolContent[], rules: ContentRules): WirePart[] {
  return contents.flatMap((content) => {
    const annotations = content.type === "resource-link" ? content.link.annotations : content.annotations;
    return isFor("assistant", annotations) ? [toWirePart(content, rules)] : [];
  });
}

function toWirePart(content: ToolContent, rules: ContentRules): WirePart {
  switch (content.type) {
    case "text":
      return text(content.text);
    case "image":
    case "audio":
      return media(content, rules);
    case "resource":
      return resource(content, rules);
    case "resource-link":
      return text(describeLink(content));
    default:
      return content satisfies never;
  }
}

function media(content: ImageContent | AudioContent, { wire, limits }: ContentRules): WirePart {
  const { type: kind, data } = content;
  const mimeType = normalMimeType(content.mimeType);
  const what = `${kind} (${mimeType}, ${describeSize(base64Bytes(data))}${origin(content.source?.uri)})`;
  if (!isBase64(data)) return text(`[${what}: not sent, its data is not valid base64]`);
  if (kind === "image" && !limits.images) return text(`[${what}: not sent, this model reads text only]`);
  if (kind === "audio" && !wire.audioTypes.includes(mimeType))
    return text(`[${what}: not sent, this model does not take ${mimeType}]`);
  return { type: "media", kind, mimeType, data };
}

/** A picture is a picture and text is text, however they were packed. */
function resource({ resource: inner, source }: ResourceContent, rules: ContentRules): WirePart {
  const mimeType = normalMimeType(
    inner.mimeType ?? ("text" in inner ? "text/plain" : "application/octet-stream"),
  );
  const head = `[resource ${plain(inner.uri)} (${mimeType})]`;
  if ("text" in inner) return text(`${head}\n${inner.text}`);
  const at = { mimeType, data: inner.blob, source: { extension: source?.extension ?? "", uri: inner.uri } };
  if (mimeType.startsWith("image/")) return media({ type: "image", ...at }, rules);
  if (mimeType.startsWith("audio/")) return media({ type: "audio", ...at }, rules);
  const decoded = isTextual(mimeType) && isBase64(inner.blob) ? decodeUtf8(inner.blob) : undefined;
  if (decoded !== undefined) return text(`${head}\n${decoded}`);
  const size = describeSize(base64Bytes(inner.blob));
  return text(`[resource ${plain(inner.uri)} (${mimeType}, ${size}): binary, not shown here]`);
}

function describeLink({ link }: ResourceLinkContent): string {
  const facts = [link.mimeType, link.size === undefined ? undefined : describeSize(link.size)];
  const known = facts.filter((fact) => fact !== undefined).map(plain);
  const name = plain(link.title ?? link.name);
  const head = `[resource link: ${name}, ${plain(link.uri)}${known.length > 0 ? ` (${known.join(", ")})` : ""}]`;
  return link.description === undefined ? head : `${head} ${plain(link.description)}`;
}

function text(value: string): WirePart {
  if (value.length <= MAX_TEXT) return { type: "text", text: value };
  return {
    type: "text",
    text: `${value.slice(0, MAX_TEXT)}\n[cut: ${value.length - MAX_TEXT} more characters]`,
  };
}

const MIME_ALIASES: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "audio/x-wav": "audio/wav",
};

function normalMimeType(mimeType: string): string {
  const bare = plain(mimeType.split(";", 1)[0] ?? "")
    .trim()
    .toLowerCase();
  return MIME_ALIASES[bare] ?? bare;
}

function isTextual(mimeType: string): boolean {
  return /^text\/|[/+](json|xml|yaml|javascript|typescript|toml|csv|x-sh)$/.test(mimeType);
}

export function isBase64(data: string): boolean {
  return data.length > 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data) && data.length % 4 === 0;
}

function base64Bytes(data: string): number {
  return Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
}

function decodeUtf8(blob: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(blob, "base64"));
  } catch {
    return undefined;
  }
}

export function describeSize(bytes: number): string {
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`;
}

function origin(uri: string | undefined): string {
  return uri === undefined ? "" : `, ${plain(uri)}`;
}

/** A name or URI from outside stays on its line and cannot turn the text around. */
function plain(value: string): string {
  return value.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
