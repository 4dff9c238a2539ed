/** From what the person wrote to what can be started: keys, and the names of secrets as variables to be filled in. */
import { ConfigError, type ExtensionSettings, type OAuthSettings } from "../config/index.ts";
import { type ExtensionConfig, extensionKey, type OAuthConfig } from "../extensions/index.ts";
import { builtinNames } from "./builtins.ts";

export function toExtensionConfig(settings: ExtensionSettings): ExtensionConfig {
  const common = {
    key: extensionKey(settings.name),
    ...(settings.description !== undefined && { description: settings.description }),
    ...(settings.timeoutSeconds !== undefined && { timeoutSeconds: settings.timeoutSeconds }),
    ...(settings.startupSeconds !== undefined && { startupSeconds: settings.startupSeconds }),
    ...(settings.availableTools !== undefined && { availableTools: settings.availableTools }),
    ...(settings.required !== undefined && { required: settings.required }),
    ...(settings.maxConcurrency !== undefined && { maxConcurrency: settings.maxConcurrency }),
    ...("limits" in settings && settings.limits && { limits: settings.limits }),
  };
  switch (settings.type) {
    case "builtin":
      if (!builtinNames().includes(settings.builtin)) {
        throw new ConfigError(
          `There is no builtin extension "${settings.builtin}". There are: ${builtinNames().join(", ")}.`,
        );
      }
      return { ...common, type: "builtin", name: settings.builtin };
    case "stdio":
      return {
        ...common,
        type: "stdio",
        command: settings.command,
        args: settings.args,
        // Filled in when it starts: one that is missing then fails this extension and no other.
        env: {
          ...settings.env,
          ...Object.fromEntries(settings.envKeys.map((name) => [name, `\${${name}}`])),
        },
        ...(settings.cwd !== undefined && { cwd: settings.cwd }),
      };
    case "sse":
    case "streamable_http":
      return {
        ...common,
        type: settings.type,
        url: settings.url,
        headers: settings.headers,
        ...(settings.oauth && { oauth: toOAuth(settings.oauth) }),
      };
    default:
      return settings satisfies never;
  }
}

function toOAuth({ clientSecretKey, ...rest }: OAuthSettings): OAuthConfig {
  return { ...rest, ...(clientSecretKey !== undefined && { clientSecret: `\${${clientSecretKey}}` }) };
}
