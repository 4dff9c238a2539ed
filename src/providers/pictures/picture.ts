/**
 * A picture on its way to a model: untouched where the provider takes it as it is, else converted. What is no
 * picture at all, or cannot be decoded, comes back as a reason in words. The original is never changed.
 */
import { cleanBase64 } from "../../lib/base64.ts";
import { sniffPicture } from "../../lib/picture-header.ts";

/** What a provider takes. */
export interface PictureRules {
  readonly types: readonly string[];
  /** Pixels of the longer side. Larger ones are scaled down by the provider anyway, at our cost. */
  readonly maxEdge: number;
  /** Of the file itself, before base64. */
  readonly maxBytes: number;
}

export type Picture =
  | { readonly type: "image"; readonly mimeType: string; readonly data: string }
  /** `text` may carry what the picture says when it is written in text (SVG). */
  | { readonly type: "none"; readonly reason: string; readonly text?: string };

/** Enough to find the size of nearly every picture without decoding all of it. */
const HEAD_CHARACTERS = 350_000;
const MAX_SVG_TEXT = 20_000;

export async function preparePicture(data: string, rules: PictureRules): Promise<Picture> {
  const clean = cleanBase64(data);
  if (clean === undefined) return { type: "none", reason: "its data is not valid base64" };
  const facts = sniffPicture(Buffer.from(clean.slice(0, HEAD_CHARACTERS), "base64"));
  if (facts === undefined) return { type: "none", reason: "its bytes are not a picture" };
  if (facts.mimeType === "image/svg+xml") return svg(clean);
  const bytes = Math.floor((clean.length * 3) / 4);
  const edge = Math.max(facts.width ?? Number.POSITIVE_INFINITY, facts.height ?? Number.POSITIVE_INFINITY);
  if (rules.types.includes(facts.mimeType) && edge <= rules.maxEdge && bytes <= rules.maxBytes)
    return { type: "image", mimeType: facts.mimeType, data: clean };
  try {
    const { convertPicture } = await import("./convert.ts");
    return await convertPicture(Buffer.from(clean, "base64"), facts.mimeType, rules);
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n", 1)[0] : "unknown";
    return { type: "none", reason: `it cannot be decoded (${why})` };
  }
}

function svg(data: string): Picture {
  const text = Buffer.from(data, "base64").toString("utf8");
  const cut = text.length > MAX_SVG_TEXT ? `\n[cut: ${text.length - MAX_SVG_TEXT} more characters]` : "";
  return { type: "none", reason: "it is SVG, given here as text", text: text.slice(0, MAX_SVG_TEXT) + cut };
}
