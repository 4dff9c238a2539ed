/** What the model is told about a tool, and what the policy may know of it. */
import { nearest } from "../lib/nearest.ts";
import type { JsonObject } from "./json.ts";

/** Hints from the server: untrusted, but they decide what runs without a question in `read-only` mode. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as an extension lists it, under its own name. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
}

/** A tool as the model sees it: `name` is the exposed name; the owner is data, never parsed out of the name. */
export interface ToolDefinition extends Tool {
  readonly extension: string;
  /** The name under which the extension knows it. */
  readonly toolName: string;
}

const MAX_NAMES_SHOWN = 30;

/** For the model: there is no such tool, and which ones it may have meant. Nobody runs a guess. */
export function describeUnknownTool(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const shown = known.slice(0, MAX_NAMES_SHOWN).join(", ") || "none";
  const rest = known.length > MAX_NAMES_SHOWN ? ` and ${known.length - MAX_NAMES_SHOWN} more` : "";
  const hint = near.length > 0 ? `Did you mean ${near.join(", ")}?` : `Tools: ${shown}${rest}.`;
  return `There is no tool "${name.slice(0, 200)}"; nothing ran. Names are case-sensitive. ${hint}`;
}
