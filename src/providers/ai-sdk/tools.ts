/** Tool definitions as the specification wants them, in the order they came: the prefix must stay the same. */
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { JsonObject, ToolDefinition } from "../../conversation/index.ts";
import type { ToolNames } from "../tool-name.ts";

export function toTools(tools: readonly ToolDefinition[], names: ToolNames): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => ({
    type: "function",
    name: names.toWire(tool.name),
    description: tool.description ?? tool.title ?? tool.toolName,
    inputSchema: objectSchema(tool.inputSchema),
  }));
}

/** Every provider wants an object at the top, with `properties` even when there are none. */
function objectSchema(schema: JsonObject): LanguageModelV4FunctionTool["inputSchema"] {
  return { properties: {}, ...schema, type: "object" };
}
