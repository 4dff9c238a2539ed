/** The extensions of the person's profile without a model: for `kari tools` and `kari resources`. */
import { loadSettings, openSecrets, pathsFrom } from "../config/index.ts";
import type { JsonObject, ToolDefinition, ToolResponse } from "../conversation/index.ts";
import type { CallOptions, Extension } from "../extensions/index.ts";
import { PLATFORM_KEY } from "../extensions/index.ts";
import type { BuildSessionOptions } from "./build-session.ts";
import { extensionConfigs } from "./extension-input.ts";
import { oauthFor } from "./oauth.ts";
import { openExtensions } from "./open-extensions.ts";
import { withSecrets } from "./secret-environment.ts";

export interface OpenedProfile {
  /** Starts every extension and waits until each is there or failed; the reasons of those that failed. */
  ready(): Promise<readonly string[]>;
  tools(): readonly ToolDefinition[];
  /** Without the platform. */
  extensions(): readonly Extension[];
  call(name: string, args: JsonObject, options: CallOptions): Promise<ToolResponse>;
  close(): Promise<void>;
}

export async function openProfile(
  options: Pick<BuildSessionOptions, "profile" | "extensions" | "openBrowser">,
): Promise<OpenedProfile> {
  const paths = pathsFrom(process.env);
  const file = options.profile === false ? { extensions: [] } : await loadSettings(paths);
  const environment = withSecrets(process.env, file.extensions, openSecrets(paths, process.env));
  const { manager, toolBox, close } = openExtensions(
    extensionConfigs(file.extensions, options.extensions ?? []),
    {
      environment,
      workingDirectory: process.cwd(),
      dataFolder: paths.data,
      oauth: oauthFor(paths, process.env, options.openBrowser),
    },
  );
  const others = () => manager.all().filter((extension) => extension.key !== PLATFORM_KEY);
  const ready = async (wanted: readonly Extension[]) => {
    const results = await Promise.allSettled(wanted.map((extension) => extension.start()));
    return results.flatMap((result) =>
      result.status === "rejected" ? [String((result.reason as Error).message)] : [],
    );
  };
  return {
    ready: () => ready(others()),
    tools: () => toolBox.tools(),
    extensions: others,
    async call(name, args, callOptions) {
      // Only when the tool is not known already must somebody be started to find it.
      if (!toolBox.tools().some((tool) => tool.name === name)) {
        await ready(others().filter((extension) => extension.listing === undefined));
      }
      return await toolBox.call({ type: "tool-request", id: "cli", name, arguments: args }, callOptions);
    },
    close,
  };
}
