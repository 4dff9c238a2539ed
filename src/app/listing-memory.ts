/**
 * Remembers on disk what servers listed at their last start, keyed by their whole configuration, so that the next
 * start can show their tools before they answer. A file that cannot be read or written is as good as none.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionConfig, ListingMemory, Remembered } from "../extensions/index.ts";
import { recallBuiltin } from "./builtin-catalog.ts";

export function createListingMemory(dataFolder: string): ListingMemory {
  const folder = join(dataFolder, "listings");
  const fileOf = (config: ExtensionConfig) => {
    // Never in clear: a configuration may hold secrets.
    const hash = createHash("sha256").update(JSON.stringify(config)).digest("hex");
    return join(folder, `${config.key}-${hash.slice(0, 16)}.json`);
  };
  return {
    recall(config) {
      if (config.type === "builtin") return recallBuiltin(config.name);
      try {
        return JSON.parse(readFileSync(fileOf(config), "utf8")) as Remembered;
      } catch {
        return undefined;
      }
    },
    remember(config, remembered) {
      if (config.type === "builtin") return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const file = fileOf(config);
        const draft = `${file}.${process.pid}.tmp`;
        writeFileSync(draft, JSON.stringify(remembered), { mode: 0o600 });
        renameSync(draft, file);
      } catch {
        // A read-only home only costs the next start a little time.
      }
    },
  };
}
