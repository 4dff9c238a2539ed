/** Finds and reads the user's file; without one there are only defaults, and neither YAML nor zod is loaded. */
import { existsSync } from "node:fs";
import { configFile, type Paths } from "./paths.ts";
import { DEFAULT_EXTENSIONS, type FileSettings } from "./settings.ts";

export async function loadSettings(paths: Paths): Promise<FileSettings> {
  const file = configFile(paths);
  if (!existsSync(file)) return { extensions: DEFAULT_EXTENSIONS };
  const { readConfigFile } = await import("./file.ts");
  const settings = readConfigFile(file);
  const named = new Set(settings.extensions.map((extension) => extension.name));
  const defaults = DEFAULT_EXTENSIONS.filter((extension) => !named.has(extension.name));
  return { ...settings, extensions: [...defaults, ...settings.extensions] };
}
