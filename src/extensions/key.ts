/**
 * Extension keys: `[a-z0-9-]+`, so that `key__tool` can never be read in two ways and every provider takes it.
 * A name with nothing usable in it (和歌集) becomes a hash, stable over runs.
 */
import { createHash } from "node:crypto";

const MAX_KEY_LENGTH = 32;

export function extensionKey(name: string): string {
  const key = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_KEY_LENGTH)
    .replace(/-+$/, "");
  return key === ""
    ? `ext-${createHash("sha256").update(name.normalize("NFC")).digest("hex").slice(0, 8)}`
    : key;
}
