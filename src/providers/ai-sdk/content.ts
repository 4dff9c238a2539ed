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
import { cleanBase64 } from "../../lib/base64.ts";
import { isTextType } from "../../lib/text-type.ts";
import type { PictureBlock } from "../pictures/prepared.ts";
import { decodeText, describeSize, normalMimeType, plain } from "./describe.ts";
import type { Translation } from "./translation.ts";

export type WirePart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "media";
      readonly kind: "image" | "audio";
      readonly mimeType: string;
      readonly data: string;
    };

/** The last guard before the wire; results are cut long before, where the rest can be kept readable. */
const MAX_TEXT = 2_000_000;

export function toWireParts(contents: readonly ToolContent[], translation: Translation): WirePart[] {
  return contents.flatMap((content) => {
    const annotations = content.type === "resource-link" ? content.link.annotations : content.annotations;
    return isFor("assistant", annotations) ? [toWirePart(content, translation)] : [];
  });
}

function toWirePart(content: ToolContent, translation: Translation): WirePart {
  switch (content.type) {
    case "text":
      return text(content.text);
    case "image":
      return image(content, content, translation);
    case "audio":
      return audio(content, translation);
    case "resource":
      return resource(content, translation);
    case "resource-link":
      return text(describeLink(content));
    default:
      return content satisfies never;
  }
}

type Media = Pick<ImageContent | AudioContent, "mimeType" | "data" | "source">;

function image(media: Media, block: PictureBlock, { limits, pictures }: Translation): WirePart {
  if (!limits.images) return notSent("image", media, "this model reads text only");
  const picture = pictures.of(block);
  if (picture === undefined) return notSent("image", media, "it was not prepared");
  if (picture.type === "image")
    return { type: "media", kind: "image", mimeType: picture.mimeType, data: picture.data };
  const marker = notSent("image", media, picture.reason);
  return picture.text === undefined ? marker : text(`${marker.text}\n${picture.text}`);
}

function audio(media: Media, { wire }: Translation): WirePart {
  const mimeType = normalMimeType(media.mimeType);
  const data = cleanBase64(media.data);
  if (data === undefined) return notSent("audio", media, "its data is not valid base64");
  if (wire.audioTypes.includes(mimeType)) return { type: "media", kind: "audio", mimeType, data };
  return notSent("audio", media, `this model does not take ${mimeType}`);
}

/** A picture is a picture and text is text, however they were packed. */
function resource(block: ResourceContent, translation: Translation): WirePart {
  const { resource: inner, source } = block;
  const fallback = "text" in inner ? "text/plain" : "application/octet-stream";
  const mimeType = normalMimeType(inner.mimeType ?? fallback);
  const head = `[resource ${plain(inner.uri)} (${mimeType})]`;
  if ("text" in inner) return text(`${head}\n${inner.text}`);
  const media = {
    mimeType,
    data: inner.blob,
    source: { extension: source?.extension ?? "", uri: inner.uri },
  };
  if (mimeType.startsWith("image/")) return image(media, block, translation);
  if (mimeType.startsWith("audio/")) return audio(media, translation);
  const decoded = isTextType(mimeType) ? decodeText(inner.blob) : undefined;
  if (decoded !== undefined) return text(`${head}\n${decoded}`);
  const isBase64 = inner.blob === "" || cleanBase64(inner.blob) !== undefined;
  return notSent("resource", media, isBase64 ? "it is binary" : "its data is not valid base64");
}

function notSent(
  kind: string,
  { mimeType, data, source }: Media,
  reason: string,
): WirePart & { type: "text" } {
  const bytes = Math.floor((data.replace(/[\s=]+$/, "").length * 3) / 4);
  const from = source?.uri === undefined ? "" : `, ${plain(source.uri)}`;
  return {
    type: "text",
    text: `[${kind} (${normalMimeType(mimeType)}, ${describeSize(bytes)}${from}): not shown, ${plain(reason)}]`,
  };
}

function describeLink({ link }: ResourceLinkContent): string {
  const size = link.size === undefined ? undefined : describeSize(link.size);
  const facts = [link.mimeType, size].filter((fact) => fact !== undefined).map(plain);
  const name = plain(
    link.title === undefined || link.title === link.name ? link.name : `${link.title} (${link.name})`,
  );
  const head = `[resource link: ${name}, ${plain(link.uri)}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}]`;
  return link.description === undefined ? head : `${head} ${plain(link.description)}`;
}

function text(value: string): WirePart & { type: "text" } {
  if (value.length <= MAX_TEXT) return { type: "text", text: value };
  return {
    type: "text",
    text: `${value.slice(0, MAX_TEXT)}\n[cut: ${value.length - MAX_TEXT} more characters]`,
  };
}
