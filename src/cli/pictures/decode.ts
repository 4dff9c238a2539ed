/**
 * Opens a stranger's picture and gives it scaled. Nothing is decoded before its header was looked at: a small file
 * can claim an enormous picture. Everything is decoded and written anew, so that a terminal never gets bytes that
 * an extension made. sharp is loaded here and only here; whoever needs it imports this file lazily.
 */
import sharp, { type Sharp } from "sharp";
import { decodeHeic } from "../../lib/heic.ts";
import { type PictureFacts, sniffPicture } from "../../lib/picture-header.ts";
import type { Size } from "./fit.ts";
import type { Pixels } from "./pixels.ts";

export interface OpenedPicture extends Size {
  readonly mimeType: string;
  /** Not larger than `box`, its shape kept. */
  png(box: Size): Promise<Buffer>;
  /** As `png`. */
  pixels(box: Size): Promise<Pixels>;
  /** Exactly this size: for cells, which are as coarse as that. */
  exactPixels(size: Size): Promise<Pixels>;
}

/** Why a picture is not shown, in words that fit into a sentence: "it …". */
export class PictureError extends Error {
  override readonly name = "PictureError";
}

const MAX_PIXELS = 100_000_000;
const MAX_EDGE = 65_535;

export async function openPicture(bytes: Buffer): Promise<OpenedPicture> {
  const facts = sniffPicture(bytes);
  if (!facts) throw new PictureError("its bytes are not a picture");
  if (facts.mimeType === "image/svg+xml") throw new PictureError("it is SVG, which is not drawn here");
  refuseAbsurd(facts);
  try {
    const { open, width, height } = await opener(bytes, facts.mimeType);
    const inside = ({ width, height }: Size) =>
      open().resize({ width, height, fit: "inside", withoutEnlargement: true });
    return {
      mimeType: facts.mimeType,
      width,
      height,
      png: (box) => guarded(() => inside(box).png().toBuffer()),
      pixels: (box) => guarded(() => raw(inside(box))),
      exactPixels: (size) => guarded(() => raw(open().resize({ ...size, fit: "fill" }))),
    };
  } catch (error) {
    throw asPictureError(error);
  }
}

function refuseAbsurd({ width, height }: Partial<PictureFacts>): void {
  if (width === undefined || height === undefined) return;
  const claimed = `it claims ${width} × ${height} pixels`;
  if (width < 1 || height < 1) throw new PictureError(claimed);
  if (width > MAX_EDGE || height > MAX_EDGE || width * height > MAX_PIXELS) throw new PictureError(claimed);
}

async function opener(bytes: Buffer, mimeType: string): Promise<Size & { open(): Sharp }> {
  if (mimeType === "image/heic") {
    const { width, height, data } = await decodeHeic(bytes, MAX_PIXELS);
    return { width, height, open: () => sharp(data, { raw: { width, height, channels: 4 } }) };
  }
  const open = () => sharp(bytes, { limitInputPixels: MAX_PIXELS, autoOrient: true, failOn: "error" });
  const { autoOrient: size } = await open().metadata();
  refuseAbsurd(size);
  return { ...size, open };
}

async function raw(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .toColourspace("srgb")
    .ensureAlpha()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

async function guarded<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw asPictureError(error);
  }
}

function asPictureError(error: unknown): PictureError {
  if (error instanceof PictureError) return error;
  const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
  return new PictureError(`it cannot be decoded (${why})`);
}
