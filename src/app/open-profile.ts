/** The extensions of the person's profile without a model: for `kari tools`, `kari resources` and `kari prompts`. */

import type { LeftOut } from "../agent/index.ts";
import { loadSettings, openSecrets, pathsFrom } from "../config/index.ts";
import type { JsonObject, ShelfEntry, ToolDefinition, ToolResponse } from "../conversation/index.ts";
import {
  type CallOptions,
  type Extension,
  isServerExtension,
  PLATFORM_KEY,
  type ServerExtension,
} from "../extensions/index.ts";
import type { FindOptions } from "../platform/index.ts";
import type { BuildSessionOptions } from "./build-session.ts";
import { extensionConfigs } from "./extension-input.ts";
import { oauthFor } from "./oauth.ts";
import { openExtensions } from "./open-extensions.ts";
import { withSecrets } from "./secret-environment.ts";

export interface OpenedProfile {
  /** What the person's file says of it. */
  readonly contextBudget?: number;
  /** Starts every extension and waits until each is there or failed; the reasons of those that failed. */
  ready(): Promise<readonly string[]>;
  tools(): readonly ToolDefinition[];
  /** The tools that fit a few words best, best first. */
  search(words: string, options: FindOptions): Promise<readonly ToolDefinition[]>;
  /** Without the platform. */
  extensions(): readonly Extension[];
  /** Those that are MCP servers: they have prompts and completions, and tell of changes. */
  servers(): readonly ServerExtension[];
  call(name: string, args: JsonObject, options: CallOptions): Promise<ToolResponse>;
  /** What would be in the context of a first question, within so many tokens. */
  shelf(options: ShelfOptions): Promise<ShelfPreview>;
  close(): Promise<void>;
}

export interface ShelfOptions {
  readonly budget: number;
  /** This extension alone. */
  readonly only?: string;
  readonly signal: AbortSignal;
}

export interface ShelfPreview {
  readonly shelf: readonly ShelfEntry[];
  readonly leftOut: readonly LeftOut[];
  /** Extensions that could not be asked, and why. */
  readonly failures: readonly string[];
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
    ...("contextBudget" in file && file.contextBudget !== undefined && { contextBudget: file.contextBudget }),
    ready: () => ready(others()),
    tools: () => toolBox.tools(),
    async search(words, findOptions) {
      const { createToolFinder } = await import("../platform/tool-finder.ts");
      return createToolFinder().find(words, toolBox.all(), findOptions);
    },
    extensions: others,
    servers: () => others().filter(isServerExtension),
    async call(name, args, callOptions) {
      // Only when the tool is not known already must somebody be started to find it.
      if (!toolBox.tools().some((tool) => tool.name === name)) {
        await ready(others().filter((extension) => extension.listing === undefined));
      }
      return await toolBox.call({ type: "tool-request", id: "cli", name, arguments: args }, callOptions);
    },
    async shelf({ budget, only, signal }) {
      const { ActiveResources } = await import("./active-resources.ts");
      const wanted = others().filter(({ key }) => only === undefined || key === only);
      const failures = await ready(wanted);
      const resources = new ActiveResources(manager, {
        budget,
        mayBeActive: (key) => wanted.some((extension) => extension.key === key),
        onShelf: () => {},
      });
      await resources.collect({ signal });
      return { shelf: resources.shelf, leftOut: resources.leftOut, failures };
    },
    close,
  };
}
