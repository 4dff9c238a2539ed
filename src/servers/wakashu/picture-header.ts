/**
 * Tells what a picture is by its first bytes: the format and, where the header says so, width and height.
 * Names and extensions are not believed, and nothing is decoded here, so a header may claim what it likes.
 */

export type PictureFormat = "png" | "jpeg" | "webp" | "heic";

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

const HEIC_BRANDS = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"];

/** Undefined for what is not one of the formats. */
export function readPictureHeader(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 12) return undefined;
  if (bytes.readUInt32BE(0) === 0x89504e47 && bytes.readUInt32BE(4) === 0x0d0a1a0a) {
    return { format: "png", mimeType: "image/png", size: pngSize(bytes) };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) {
    return { format: "jpeg", mimeType: "image/jpeg", size: jpegSize(bytes) };
  }
  if (ascii(bytes, 0) === "RIFF" && ascii(bytes, 8) === "WEBP") {
    return { format: "webp", mimeType: "image/webp", size: webpSize(bytes) };
  }
  if (ascii(bytes, 4) === "ftyp" && HEIC_BRANDS.includes(ascii(bytes, 8))) {
    return { format: "heic", mimeType: "image/heic", size: heicSize(bytes) };
  }
  return undefined;
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

function pngSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 24 || ascii(bytes, 12) !== "IHDR") return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Walks the segments up to the first frame header. */
function jpegSize(bytes: Buffer): PictureSize | undefined {
  let offset = 2;
  while (offset + 9 < bytes.length) {
    if (bytes[offset] !== 0xff) return undefined;
    const marker = bytes[offset + 1] ?? 0;
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) };
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 30) return undefined;
  switch (ascii(bytes, 12)) {
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** The largest `ispe` property: a HEIC holds one for each tile and one for the whole. */
function heicSize(bytes: Buffer): PictureSize | undefined {
  let largest: PictureSize | undefined;
  for (
    let at = bytes.indexOf("ispe");
    at !== -1 && at + 16 <= bytes.length;
    at = bytes.indexOf("ispe", at + 4)
  ) {
    const size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

function ascii(bytes: Buffer, offset: number): string {
  return bytes.toString("latin1", offset, offset + 4);
}
