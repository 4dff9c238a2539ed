/** The ending of a file's name by its media type. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "image/avif": ".avif",
  "image/heic": ".heic",
  "image/tiff": ".tiff",
  "image/bmp": ".bmp",
  "image/svg+xml": ".svg",
  "audio/wav": ".wav",
  "audio/mpeg": ".mp3",
  "audio/ogg": ".ogg",
  "application/pdf": ".pdf",
  "application/json": ".json",
  "application/zip": ".zip",
  "application/gzip": ".gz",
  "text/plain": ".txt",
  "text/html": ".html",
};

/** Never taken from a stranger's words: a name that ends in `.desktop` or `.exe` can be opened by a click. */
export function fileEnding(mimeType: string): string {
  return Object.hasOwn(ENDINGS, mimeType) ? (ENDINGS[mimeType] ?? ".bin") : ".bin";
}
