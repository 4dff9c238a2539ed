/** Extensions as people and programs write them, put together with those of the profile. */
import type { ExtensionSettings } from "../config/index.ts";
import { type ExtensionConfig, extensionKey } from "../extensions/index.ts";
import { toExtensionConfig } from "./extension-config.ts";
import type { ExtensionInput } from "./session-port.ts";

/** Those of the profile that are enabled, then those that were asked for; an asked-for one replaces its namesake. */
export function extensionConfigs(
  profile: readonly ExtensionSettings[],
  asked: readonly ExtensionInput[],
): readonly ExtensionConfig[] {
  const askedKeys = new Set(asked.map(({ name }) => extensionKey(name)));
  const kept = profile.filter(({ enabled, name }) => enabled && !askedKeys.has(extensionKey(name)));
  return [...kept, ...asked.map(toSettings)].map(toExtensionConfig);
}

function toSettings(input: ExtensionInput): ExtensionSettings {
  switch (input.type) {
    case "builtin":
      return { type: "builtin", name: input.name, builtin: input.name, enabled: true };
    case "stdio":
      return { args: [], env: {}, envKeys: [], ...input, enabled: true };
    case "sse":
    case "streamable_http":
      return { headers: {}, ...input, enabled: true };
    default:
      return input satisfies never;
  }
}
