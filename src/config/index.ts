export { ConfigError } from "./config-error.ts";
export { loadSettings } from "./load.ts";
export { type ModelWishes, modelWishes } from "./model-settings.ts";
export { configFile, type Environment, type Paths, pathsFrom } from "./paths.ts";
export { openSecrets, type SecretPlace, type SecretStore } from "./secrets.ts";
export {
  DEFAULT_EXTENSIONS,
  type ExtensionSettings,
  type FileSettings,
  type LimitSettings,
  type OAuthSettings,
  type ToolSearchSettings,
} from "./settings.ts";
