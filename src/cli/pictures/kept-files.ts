/**
 * Files for what a screen cannot show: pictures where there is no terminal, sounds, other bytes. They lie in one
 * private folder of the system's temporary folder, made when first needed, and stay there for the person; the
 * system clears them away. The same bytes have the same name.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileEnding } from "../../lib/file-ending.ts";

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
      const path = join(folder, `${hash}${fileEnding(mimeType)}`);
      writeFileSync(path, bytes, { mode: 0o600 });
      return path;
    },
  };
}
