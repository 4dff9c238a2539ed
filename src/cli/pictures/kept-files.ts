/**
 * Files for what a screen cannot show: pictures where there is no terminal, sounds, other bytes. They lie in one
 * private folder of the system's temporary folder, made when first needed, and stay there for the person; the
 * system clears them away. The same bytes have the same name.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface KeptFiles {
  /** The path. Throws when it cannot be written. */
  keep(bytes: Uint8Array, mimeType: string): string;
}

export function createKeptFiles(parent = tmpdir()): KeptFiles {
  let folder: string | undefined;
  return {
    keep(bytes, mimeType) {
      const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
      folder ??= mkdtempSync(join(parent, "kari-files-"));
      const path = join(folder, `${hash}${ending(mimeType)}`);
      writeFileSync(path, bytes, { mode: 0o600 });
      return path;
    },
  };
}

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
  "text/plain": ".txt",
  "text/html": ".html",
};

/** Never taken from a stranger's words: a name that ends in `.desktop` or `.exe` can be opened by a click. */
function ending(mimeType: string): string {
  return Object.hasOwn(ENDINGS, mimeType) ? (ENDINGS[mimeType] ?? ".bin") : ".bin";
}
