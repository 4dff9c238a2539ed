/**
 * Remembers on disk what servers listed at their last start, how they speak and which of their tools were used,
 * keyed by their whole configuration, so that the next start can show their tools before they answer. A file that
 * cannot be read or written is as good as none.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionConfig, KeptExtension, ListingMemory } from "../extensions/index.ts";
import { recallBuiltin } from "./builtin-catalog.ts";

interface Record extends KeptExtension {
  readonly learnedAt?: number;
}

/** A server that was legacy may have learned the modern protocol since; it is asked again after a while. */
const LEGACY_TRUSTED_MS = 7 * 24 * 60 * 60 * 1000;

export function createListingMemory(dataFolder: string): ListingMemory {
  const folder = join(dataFolder, "listings");
  const fileOf = (config: ExtensionConfig, ending = "json") => {
    // Never in clear: a configuration may hold secrets.
    const hash = createHash("sha256").update(JSON.stringify(config)).digest("hex");
    return join(folder, `${config.key}-${hash.slice(0, 16)}.${ending}`);
  };
  return {
    recall(config) {
      if (config.type === "builtin") return recallBuiltin(config.name);
      try {
        return trusted(JSON.parse(readFileSync(fileOf(config), "utf8")) as Record);
      } catch {
        return undefined;
      }
    },
    remember(config, kept) {
      if (config.type === "builtin") return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const file = fileOf(config);
        const draft = `${file}.${process.pid}.tmp`;
        const record: Record = { ...kept, learnedAt: Date.now() };
        writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
        renameSync(draft, file);
        rmSync(fileOf(config, "late"), { force: true });
      } catch {
        // A read-only home only costs the next start a little time.
      }
    },
    wasLate: (config) => existsSync(fileOf(config, "late")),
    noteLate(config) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(fileOf(config, "late"), "");
      } catch {
        // As above.
      }
    },
  };
}

function trusted({ learnedAt = 0, ...kept }: Record): KeptExtension {
  if (kept.prior?.kind !== "legacy" || Date.now() - learnedAt < LEGACY_TRUSTED_MS) return kept;
  const { prior: _old, ...rest } = kept;
  return rest;
}
