/** From what the person wrote to what can be started: keys, and secrets taken from the environment by name. */
import { ConfigError, type Environment, type ExtensionSettings } from "../config/index.ts";
import { type ExtensionConfig, extensionKey } from "../extensions/index.ts";
import { builtinNames } from "./builtins.ts";

export function toExtensionConfig(settings: ExtensionSettings, environment: Environment): ExtensionConfig {
  const common = {
    key: extensionKey(settings.name),
    ...(settings.description !== undefined && { description: settings.description }),
    ...(settings.timeoutSeconds !== undefined && { timeoutSeconds: settings.timeoutSeconds }),
    ...(settings.availableTools !== undefined && { availableTools: settings.availableTools }),
    ...(settings.required !== undefined && { required: settings.required }),
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
        env: { ...settings.env, ...secretsOf(settings, environment) },
        ...(settings.cwd !== undefined && { cwd: settings.cwd }),
      };
    case "sse":
    case "streamable_http":
      return { ...common, type: settings.type, url: settings.url, headers: settings.headers };
    default:
      return settings satisfies never;
  }
}

function secretsOf(
  settings: Extract<ExtensionSettings, { type: "stdio" }>,
  environment: Environment,
): Record<string, string> {
  return Object.fromEntries(
    settings.envKeys.map((name) => {
      const value = environment[name];
      if (!value)
        throw new ConfigError(
          `The extension ${settings.name} wants ${name}, and it is not set in the environment.`,
        );
      return [name, value];
    }),
  );
}
