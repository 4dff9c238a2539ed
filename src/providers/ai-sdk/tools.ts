/** Tool definitions as the specification wants them, in the order they came: the prefix must stay the same. */
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { JsonObject, ToolDefinition } from "../../conversation/index.ts";
import { type CompiledSchema, compileSchema } from "../schema/compile.ts";
import { CACHE_MARK } from "./cache-marks.ts";
import type { Translation } from "./translation.ts";

/** A tool is compiled once for a model, not once for each turn. */
export type SchemaCache = WeakMap<JsonObject, CompiledSchema>;

export function toTools(
  tools: readonly ToolDefinition[],
  { wire, names, properties }: Translation,
  cache: SchemaCache,
): LanguageModelV4FunctionTool[] {
  const compile = (schema: JsonObject) => {
    const compiled = cache.get(schema) ?? compileSchema(schema, wire.schema, properties);
    cache.set(schema, compiled);
    return compiled;
  };
  return tools.map((tool, index) => {
    const { schema, strict } = compile(tool.inputSchema);
    return {
      type: "function",
      name: names.toWire(tool.name),
      description: tool.description ?? tool.title ?? tool.toolName,
      inputSchema: schema as LanguageModelV4FunctionTool["inputSchema"],
      ...(strict !== undefined && { strict }),
      ...(wire.cacheMarks && index === tools.length - 1 && { providerOptions: CACHE_MARK }),
    };
  });
}
