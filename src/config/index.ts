export { ConfigError } from "./config-error.ts";
export { loadSettings } from "./load.ts";
export { type ModelSettings, type ModelWishes, modelSettings } from "./model-settings.ts";
export { type Environment, type Paths, pathsFrom } from "./paths.ts";
export { DEFAULT_EXTENSIONS, type ExtensionSettings, type FileSettings } from "./settings.ts";
