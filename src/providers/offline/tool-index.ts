/** The tools of a conversation as the planner looks them up; the index itself is shared with tool search. */
import type { ToolDefinition } from "../../conversation/index.ts";
import { type CallableIndex, createCallableIndex } from "../../lib/ranking/callable-index.ts";

export type ToolIndex = CallableIndex<ToolDefinition>;

export const createToolIndex = createCallableIndex<ToolDefinition>;
