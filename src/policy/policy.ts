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
  /** The extension whose text the model has read since the person's last yes, if a stranger could have written it. */
  readonly taint?: string | undefined;
  /** Set when the tool is not what it was when it was last used. */
  readonly change?:
    | {
        readonly diff: string;
        /** It now says that it only reads, and did not before. */
        readonly claimsMore: boolean;
      }
    | undefined;
}

export function decide({ mode, tool, remembered, taint, change }: PolicyInput): Decision {
  const reads = tool.annotations?.readOnlyHint === true && !(taint !== undefined && reachesOut(tool));
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
      return { type: "deny", reason: whyNot(tool, taint) };
    case "ask":
      if (change)
        return { type: "ask", reason: `This tool has changed since it was last used:\n${change.diff}` };
      // A yes from before does not cover what a stranger's text may have talked the model into.
      if (reads || (remembered.has(tool.name) && taint === undefined)) return { type: "allow" };
      return { type: "ask", reason: whyAsk(tool, taint) };
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

/** Even a tool that only reads can carry something out: in the address it reads from. */
function reachesOut(tool: ToolDefinition): boolean {
  return tool.annotations?.openWorldHint === true;
}

function whyNot(tool: ToolDefinition, taint: string | undefined): string {
  const what =
    tool.annotations?.readOnlyHint === true
      ? `${tool.name} reaches outside after text from ${taint} was read`
      : `${tool.name} may change something`;
  return (
    `${what} and nobody can be asked, so it did not run. ` +
    "Use tools that only read here, or tell the person to run this again with --approve all or --approve ask."
  );
}

function whyAsk(tool: ToolDefinition, taint: string | undefined): string {
  const after =
    taint === undefined ? "" : ` The model has just read text from ${taint}, which others may have written.`;
  if (tool.annotations?.destructiveHint === true)
    return `${tool.extension} says that this may destroy something.${after}`;
  if (reachesOut(tool)) return `${tool.extension} says that this reaches outside.${after}`;
  return `${tool.extension} does not say that this only reads.${after}`;
}
