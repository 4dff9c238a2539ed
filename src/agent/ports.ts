/** All that the loop sees of the world. The composition root fills these in; a test fills in fakes. */
import type { SamplingRequest, ToolDefinition, ToolRequest, UserMessage } from "../conversation/index.ts";
import type { ToolBox } from "../extensions/port.ts";
import type { Decision } from "../policy/index.ts";
import type { Model } from "../providers/model.ts";

/** What the model should know before it is asked: active and attached resources, news of extensions. Only what changed. */
export interface ContextSource {
  collect(options: { readonly signal: AbortSignal }): Promise<readonly UserMessage[]>;
  /** The messages it gave before are gone; what still holds is to be given again. */
  reset?(): void;
}

export interface AgentPorts {
  readonly model: Model;
  readonly toolBox: ToolBox;
  /** Pure in itself; `remember` is how a yes for the whole session reaches the next decision. */
  decide(tool: ToolDefinition, request: ToolRequest): Decision;
  remember(tool: ToolDefinition): void;
  /** Whether an extension may have an answer of the model. Without it, the person is asked each time. */
  decideSampling?(request: SamplingRequest): Decision;
  readonly context?: ContextSource;
}

export type { Model, ToolBox };
