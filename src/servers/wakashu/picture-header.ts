/**
 * Tells what a picture is by its first bytes: one of the collection's formats and, where the header says so, its
 * size. Names and extensions are not believed, and nothing is decoded here, so a header may claim what it likes.
 */
import { sniffPicture } from "../../lib/picture-header.ts";

export type PictureFormat = (typeof FORMATS)[number];

export interface PictureHeader {
  readonly format: PictureFormat;
  readonly mimeType: string;
  /** Undefined when the part that was read does not hold it. */
  readonly size: PictureSize | undefined;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Enough for the frame header of a JPEG behind a large EXIF block, and for the boxes of a HEIC. */
export const HEADER_BYTES = 256 * 1024;

const FORMATS = ["png", "jpeg", "webp", "heic"] as const;

/** Undefined for what is not one of the formats. */
export function readPictureHeader(bytes: Buffer): PictureHeader | undefined {
  const facts = bytes.length < 12 ? undefined : sniffPicture(bytes);
  const format = FORMATS.find((known) => facts?.mimeType === `image/${known}`);
  if (!facts || !format) return undefined;
  const { mimeType, width, height } = facts;
  return {
    format,
    mimeType,
    size: width !== undefined && height !== undefined ? { width, height } : undefined,
  };
}

/** What else it looks like, for the sentence that refuses it. */
export function guessOther(bytes: Buffer): string {
  const start = bytes.subarray(0, 256).toString("latin1").trimStart().toLowerCase();
  if (bytes.length === 0) return "空のファイルです";
  if (start.startsWith("<svg") || (start.startsWith("<?xml") && start.includes("<svg")))
    return "SVG のようです";
  if (start.startsWith("<!doctype html") || start.startsWith("<html") || start.startsWith("<")) {
    return "HTML のようです";
  }
  if (start.startsWith("gif8")) return "GIF のようです";
  if (start.startsWith("%pdf")) return "PDF のようです";
  if (start.startsWith("version https://git-lfs")) return "Git LFS のポインターで、画像の本体がありません";
  return "画像の形式ではありません";
}
