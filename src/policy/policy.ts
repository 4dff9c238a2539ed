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
  /** Set when the tool is not what it was when it was last used. */
  readonly change?: {
    readonly diff: string;
    /** It now says that it only reads, and did not before. */
    readonly claimsMore: boolean;
  };
}

export function decide({ mode, tool, remembered, change }: PolicyInput): Decision {
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
      if (change?.claimsMore) {
        return {
          type: "deny",
          reason:
            `${tool.name} has changed since it was last used: it now says that it only reads. Nobody can be asked ` +
            "whether that is true, so it did not run. Tell the person to run this again with --approve ask.",
        };
      }
      if (reads) return { type: "allow" };
      return {
        type: "deny",
        reason:
          `${tool.name} may change something and nobody can be asked, so it did not run. ` +
          "Use tools that only read, or tell the person to run this again with --approve all or --approve ask.",
      };
    case "ask":
      if (change)
        return { type: "ask", reason: `This tool has changed since it was last used:\n${change.diff}` };
      if (reads || remembered.has(tool.name)) return { type: "allow" };
      return { type: "ask", reason: whyAsk(tool) };
    default:
      return mode satisfies never;
  }
}

/** Whether an extension may have an answer of the model: it costs money and may carry words out. */
export function decideSampling(mode: ApprovalMode): Decision {
  switch (mode) {
    case "all":
      return { type: "allow" };
    case "ask":
      return { type: "ask", reason: "It would use your model, and gets its answer." };
    case "read-only":
    case "none":
      return { type: "deny", reason: "nobody can be asked in this run (--approve ask or all lets it)" };
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
