/**
 * Decides whether a tool may run: pure, from the mode, the tool's annotations and what the person said before.
 * Annotations are a server's own word; `read-only` trusts that word because nothing else is known of the tool.
 */
import type { ToolDefinition, ToolRequest } from "../conversation/index.ts";

/** `all`: everything runs. `read-only`: what only reads runs. `ask`: what only reads runs, the rest needs a yes. `none`: nothing runs. */
export type ApprovalMode = "all" | "read-only" | "ask" | "none";
export const APPROVAL_MODES: readonly ApprovalMode[] = ["all", "read-only", "none", "ask"];

export type Decision =
  | { readonly type: "allow" }
  | { readonly type: "ask"; readonly reason: string }
  /** `reason` is for the model: it says what would be needed. */
  | { readonly type: "deny"; readonly reason: string };

export interface PolicyInput {
  readonly mode: ApprovalMode;
  readonly tool: ToolDefinition;
  readonly request: ToolRequest;
  /** Exposed names the person allowed for the rest of the session. */
  readonly remembered: ReadonlySet<string>;
}

export function decide({ mode, tool, remembered }: PolicyInput): Decision {
  const reads = tool.annotations?.readOnlyHint === true;
  switch (mode) {
    case "all":
      return { type: "allow" };
    case "none":
      return {
        type: "deny",
        reason: `Tools may not run in this mode (--approve none), so ${tool.name} did not run.`,
      };
    case "read-only":
      if (reads) return { type: "allow" };
      return {
        type: "deny",
        reason:
          `${tool.name} may change something and nobody can be asked, so it did not run. ` +
          "Use tools that only read, or tell the person to run this again with --approve all or --approve ask.",
      };
    case "ask":
      if (reads || remembered.has(tool.name)) return { type: "allow" };
      return { type: "ask", reason: whyAsk(tool) };
    default:
      return mode satisfies never;
  }
}

function whyAsk(tool: ToolDefinition): string {
  if (tool.annotations?.destructiveHint === true)
    return `${tool.extension} says that this may destroy something.`;
  if (tool.annotations?.openWorldHint === true) return `${tool.extension} says that this reaches outside.`;
  return `${tool.extension} does not say that this only reads.`;
}
