import { expect, test } from "vitest";
import type { ToolDefinition, ToolRequest } from "../conversation/index.ts";
import { APPROVAL_MODES, decide } from "./policy.ts";

const request: ToolRequest = { type: "tool-request", id: "1", name: "x__y", arguments: {} };
const tool = (annotations?: ToolDefinition["annotations"]): ToolDefinition => ({
  name: "x__y",
  extension: "x",
  toolName: "y",
  inputSchema: { type: "object" },
  ...(annotations && { annotations }),
});

test("each mode decides as its name says", () => {
  const table = APPROVAL_MODES.map((mode) => [
    mode,
    decide({ mode, tool: tool({ readOnlyHint: true }), request, remembered: new Set() }).type,
    decide({ mode, tool: tool(), request, remembered: new Set() }).type,
  ]);
  expect(table).toEqual([
    ["all", "allow", "allow"],
    ["read-only", "allow", "deny"],
    ["none", "deny", "deny"],
    ["ask", "allow", "ask"],
  ]);
});

test("a remembered yes answers in ask mode, and in no other", () => {
  const remembered = new Set(["x__y"]);
  expect(decide({ mode: "ask", tool: tool(), request, remembered }).type).toBe("allow");
  expect(decide({ mode: "read-only", tool: tool(), request, remembered }).type).toBe("deny");
});

test("P26: after text that others may have written, a remembered yes is not enough, and reading outside needs one", () => {
  const remembered = new Set(["x__y"]);
  const fetching = tool({ readOnlyHint: true, openWorldHint: true });
  expect(decide({ mode: "ask", tool: tool(), request, remembered, taint: "web" })).toMatchObject({
    type: "ask",
    reason: expect.stringContaining("text from web"),
  });
  expect(decide({ mode: "ask", tool: fetching, request, remembered, taint: "web" }).type).toBe("ask");
  expect(decide({ mode: "ask", tool: fetching, request, remembered }).type).toBe("allow");
  expect(decide({ mode: "read-only", tool: fetching, request, remembered, taint: "web" }).type).toBe("deny");
  expect(
    decide({ mode: "read-only", tool: tool({ readOnlyHint: true }), request, remembered, taint: "web" }).type,
  ).toBe("allow");
  expect(decide({ mode: "all", tool: tool(), request, remembered, taint: "web" }).type).toBe("allow");
});
