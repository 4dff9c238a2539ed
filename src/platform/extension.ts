/**
 * The `platform` extension: tools over all other extensions, behind the same port, so that the agent dispatches to
 * it like to any other. It runs in this process because it needs to see the other extensions.
 */
import type { JsonObject, Tool } from "../conversation/index.ts";
import {
  type CallOptions,
  type CallResult,
  type Extension,
  ExtensionError,
  type ExtensionManager,
  type Listing,
  PLATFORM_KEY,
} from "../extensions/index.ts";
import { listResourcesTool } from "./list-resources.ts";
import { readResourceTool } from "./read-resource.ts";
import { createSearchTool } from "./search-tools.ts";

/** A tool that works on all extensions. `run` throws ExtensionError; the dispatcher makes it readable. */
export interface PlatformTool {
  readonly definition: Tool;
  run(args: JsonObject, manager: ExtensionManager, options: CallOptions): Promise<CallResult>;
}

export function createPlatformExtension(manager: ExtensionManager): Extension {
  const tools: readonly PlatformTool[] = [readResourceTool, listResourcesTool, createSearchTool()];
  const listing: Listing = { tools: tools.map((tool) => tool.definition), hasResources: false };
  return {
    key: PLATFORM_KEY,
    kind: "platform",
    state: { type: "ready", era: "modern", startedInMs: 0 },
    listing,
    start: async () => listing,
    async callTool(name, args, options) {
      const tool = tools.find((candidate) => candidate.definition.name === name);
      if (!tool) throw new ExtensionError("not-found", `platform has no tool "${name}".`);
      return await tool.run(args, manager, options);
    },
    listResources: async () => [],
    listResourceTemplates: async () => [],
    readResource: async (uri) => {
      throw new ExtensionError("not-found", `platform has no resource ${uri}.`);
    },
    stop: async () => {},
  };
}
