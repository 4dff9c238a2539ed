/** Decodes a picture and writes it as the provider takes it. Loaded only when a picture needs it. */
import sharp, { type Sharp } from "sharp";
import { decodeHeic } from "../../lib/heic.ts";
import type { Picture, PictureRules } from "./picture.ts";

/** A small file can hold an enormous picture. */
const MAX_PIXELS = 100_000_000;
/** Tried in turn until the file is small enough: quality of the JPEG, and the part of the allowed edge. */
const ATTEMPTS = [
  { quality: 85, scale: 1 },
  { quality: 70, scale: 1 },
  { quality: 70, scale: 0.5 },
  { quality: 50, scale: 0.25 },
];

export async function convertPicture(bytes: Buffer, mimeType: string, rules: PictureRules): Promise<Picture> {
  const open = await opener(bytes, mimeType);
  // A photograph is a JPEG; drawings, screens and what one can see through are better off as PNG.
  const isPhoto = mimeType === "image/jpeg" || mimeType === "image/heic";
  const { hasAlpha = false } = isPhoto ? {} : await open().metadata();
  const hasEdges = mimeType === "image/png" || mimeType === "image/gif";
  if (hasAlpha || hasEdges) {
    const png = await scaled(open(), rules.maxEdge).png().toBuffer();
    if (png.length <= rules.maxBytes) return image("image/png", png);
  }
  for (const { quality, scale } of ATTEMPTS) {
    const picture = scaled(open(), Math.round(rules.maxEdge * scale)).flatten({ background: "#fff" });
    const jpeg = await picture.jpeg({ quality }).toBuffer();
    if (jpeg.length <= rules.maxBytes) return image("image/jpeg", jpeg);
  }
  return { type: "none", reason: `it stays larger than ${rules.maxBytes} bytes` };
}

/** sharp leaves HEIC out for its patents; a decoder of its own gives the pixels. */
async function opener(bytes: Buffer, mimeType: string): Promise<() => Sharp> {
  if (mimeType !== "image/heic")
    return () => sharp(bytes, { limitInputPixels: MAX_PIXELS, autoOrient: true });
  const { width, height, data } = await decodeHeic(bytes, MAX_PIXELS);
  return () => sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
}

function scaled(picture: Sharp, edge: number): Sharp {
  return picture.resize({ width: edge, height: edge, fit: "inside", withoutEnlargement: true });
}

function image(mimeType: string, bytes: Buffer): Picture {
  return { type: "image", mimeType, data: bytes.toString("base64") };
}
