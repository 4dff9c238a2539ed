/**
 * The ToolBox: finds the extension that owns a tool by the table and runs the call there.
 * Every failure becomes a response the model can read; nothing here throws.
 */
import {
  describeUnknownTool,
  errorResponse,
  type ToolRequest,
  type ToolResponse,
} from "../conversation/index.ts";
import type { ExtensionManager } from "./manager.ts";
import type { CallOptions, ToolBox } from "./port.ts";

export function createToolBox(manager: ExtensionManager): ToolBox {
  return {
    tools: () => manager.table.all(),
    all: () => manager.table.all(),
    find: (name) => manager.table.find(name),
    call: (request, options) => dispatchToolCall(manager, request, options),
  };
}

async function dispatchToolCall(
  manager: ExtensionManager,
  request: ToolRequest,
  options: CallOptions,
): Promise<ToolResponse> {
  const tool = manager.table.find(request.name);
  const extension = tool && manager.get(tool.extension);
  if (!tool || !extension)
    return errorResponse(
      request,
      describeUnknownTool(
        request.name,
        manager.table.all().map((known) => known.name),
      ),
    );
  manager.noteUse(tool);
  try {
    const result = await extension.callTool(tool.toolName, request.arguments, options);
    return { type: "tool-response", id: request.id, name: request.name, ...result };
  } catch (error) {
    return errorResponse(request, error instanceof Error ? error.message : String(error));
  }
}
