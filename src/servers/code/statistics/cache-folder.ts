/** Where statistics are kept between processes, unless somebody says otherwise. */
import { homedir } from "node:os";
import { join } from "node:path";

export function defaultCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment["KARI_DATA_DIR"]) return join(environment["KARI_DATA_DIR"], "cache");
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "kari");
}
