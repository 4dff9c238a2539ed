/** What the model is told about a tool, and what the policy may know of it. */
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
