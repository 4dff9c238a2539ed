/** What a file is by its first bytes, and how large, whatever it is called. Only what its header says. */
export interface PictureFacts {
  readonly mimeType: string;
  /** Missing when the header does not say it near the beginning. */
  readonly width?: number;
  readonly height?: number;
}

export function sniffPicture(head: Buffer): PictureFacts | undefined {
  const ascii = (start: number, end: number) => head.toString("latin1", start, end);
  if (ascii(0, 8) === "\x89PNG\r\n\x1a\n")
    return { mimeType: "image/png", ...sizeAt(head, 16, 20, "readUInt32BE") };
  if (ascii(0, 3) === "\xff\xd8\xff") return { mimeType: "image/jpeg", ...jpegSize(head) };
  if (/^GIF8[79]a/.test(ascii(0, 6))) return { mimeType: "image/gif", ...sizeAt(head, 6, 8, "readUInt16LE") };
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP") return { mimeType: "image/webp", ...webpSize(head) };
  if (ascii(4, 8) === "ftyp") return isoMedia(ascii(8, 12), head);
  if (ascii(0, 4) === "II*\0" || ascii(0, 4) === "MM\0*") return { mimeType: "image/tiff" };
  if (ascii(0, 2) === "BM") return { mimeType: "image/bmp" };
  if (
    /^\s*(<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/.test(
      head.toString("utf8", 0, 4096),
    )
  )
    return { mimeType: "image/svg+xml" };
  return undefined;
}

type Reader = "readUInt32BE" | "readUInt16LE" | "readUInt16BE";

function sizeAt(head: Buffer, width: number, height: number, read: Reader): Partial<PictureFacts> {
  if (head.length < height + 4) return {};
  return { width: head[read](width), height: head[read](height) };
}

/** Walks the segments to the frame header; other segments (Exif, colour profiles) may be long. */
function jpegSize(head: Buffer): Partial<PictureFacts> {
  let at = 2;
  while (at + 9 < head.length) {
    if (head[at] !== 0xff) return {};
    const marker = head[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2);
  }
  return {};
}

function webpSize(head: Buffer): Partial<PictureFacts> {
  if (head.length < 30) return {};
  switch (head.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return {};
  }
}

function isoMedia(brand: string, head: Buffer): PictureFacts | undefined {
  if (brand === "avif" || brand === "avis") return { mimeType: "image/avif", ...largestExtent(head) };
  if (["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"].includes(brand))
    return { mimeType: "image/heic", ...largestExtent(head) };
  return undefined;
}

/** The largest `ispe` property: such a file has one for each tile and one for the whole. */
function largestExtent(head: Buffer): Partial<PictureFacts> {
  let largest = { width: 0, height: 0 };
  for (
    let at = head.indexOf("ispe");
    at !== -1 && at + 16 <= head.length;
    at = head.indexOf("ispe", at + 4)
  ) {
    const extent = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) };
    if (extent.width * extent.height > largest.width * largest.height) largest = extent;
  }
  return largest.width > 0 ? largest : {};
}
