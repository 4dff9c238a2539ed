/** When a model gets a search instead of all tools: what the person set, else what suits the model's window. Pure. */
import type { ToolSearchSettings } from "../config/index.ts";
import type { ShownToolsOptions } from "../platform/index.ts";
import type { ModelLimits } from "../providers/model.ts";

export type { ToolSearchSettings };

/** OpenAI takes 128, and what searches find comes on top. */
const MAX_TOOLS = 100;
const MAX_TOKENS = 10_000;
/** Of a small window, tools may take this part. */
const WINDOW_SHARE = 4;

export function toolSearchLimits(
  settings: ToolSearchSettings = {},
  model: ModelLimits,
): Pick<ShownToolsOptions, "maxTools" | "maxTokens" | "always"> {
  if (settings.enabled === false || model.allTools) return { maxTools: Infinity, maxTokens: Infinity };
  return {
    maxTools: settings.maxTools ?? MAX_TOOLS,
    maxTokens: settings.maxTokens ?? Math.min(MAX_TOKENS, Math.floor(model.context / WINDOW_SHARE)),
    ...(settings.always && { always: settings.always }),
  };
}

export function searchNotice(shown: number, all: number): string {
  return `There are ${all} tools. The model is given ${shown} of them and finds the others by searching (tool_search in config.yaml sets when).`;
}
