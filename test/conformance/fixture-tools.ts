/** The tools of the conformance suite that only answer: contents of each kind, errors, logs, progress, changes. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import {
  type ChangeBus,
  defineTool,
  type KitTool,
  type ToolContext,
  text,
} from "../../src/servers/kit/index.ts";
import { PICTURE, SOUND } from "./fixture-content.ts";

const nothing = z.object({});
const STEP_MS = 50;

export function answeringTools(changes: ChangeBus): readonly KitTool[] {
  return [
    defineTool({
      name: "test_simple_text",
      description: "Answers with text",
      input: nothing,
      run: () => text("This is a simple text response for testing."),
    }),
    defineTool({
      name: "test_image_content",
      description: "Answers with a picture",
      input: nothing,
      run: () => ({ content: [PICTURE] }),
    }),
    defineTool({
      name: "test_audio_content",
      description: "Answers with a sound",
      input: nothing,
      run: () => ({ content: [SOUND] }),
    }),
    defineTool({
      name: "test_embedded_resource",
      description: "Answers with an embedded resource",
      input: nothing,
      run: () => ({
        content: [
          embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
        ],
      }),
    }),
    defineTool({
      name: "test_multiple_content_types",
      description: "Answers with text, a picture and an embedded resource",
      input: nothing,
      run: () => ({
        content: [
          { type: "text", text: "Multiple content types test:" },
          PICTURE,
          embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
        ],
      }),
    }),
    defineTool({
      name: "test_error_handling",
      description: "Always fails",
      input: nothing,
      run: () => {
        throw new Error("This tool intentionally returns an error for testing");
      },
    }),
    defineTool({
      name: "test_tool_with_logging",
      description: "Logs three messages while it works",
      input: nothing,
      run: logThreeTimes,
    }),
    defineTool({
      name: "test_logging_tool",
      description: "Logs three messages while it works",
      input: nothing,
      run: logThreeTimes,
    }),
    defineTool({
      name: "test_tool_with_progress",
      description: "Reports progress while it works",
      input: nothing,
      run: async (_args, { progress }) => {
        for (const done of [0, 50, 100]) {
          progress({ progress: done, total: 100, message: `Completed step ${done} of 100` });
          await sleep(STEP_MS);
        }
        return text("Tool with progress executed successfully");
      },
    }),
    defineTool({
      name: "test_reconnection",
      description: "Lets its stream go in the middle; the client comes back for the answer",
      input: nothing,
      run: async (_args, { releaseStream }) => {
        releaseStream();
        await sleep(2 * STEP_MS);
        return text("Reconnection test completed successfully.");
      },
    }),
    defineTool({
      name: "test_trigger_tool_change",
      description: "Says that the tools have changed",
      input: nothing,
      run: () => {
        changes.publish({ type: "tools-changed" });
        return text("The tools have changed");
      },
    }),
    defineTool({
      name: "test_trigger_prompt_change",
      description: "Says that the prompts have changed",
      input: nothing,
      run: () => {
        changes.publish({ type: "prompts-changed" });
        return text("The prompts have changed");
      },
    }),
    defineTool({
      name: "test_x_mcp_header",
      description: "Has a parameter that is mirrored into a header",
      input: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
      run: ({ region }) => text(`region=${region}`),
    }),
    defineTool({
      name: "json_schema_2020_12_tool",
      description: "Tool with JSON Schema 2020-12 features",
      input: z.looseObject({}),
      inputSchema: RICH_SCHEMA,
      run: (args) => text(JSON.stringify(args)),
    }),
  ];
}

async function logThreeTimes(_args: unknown, { log }: ToolContext) {
  log("info", "Tool execution started");
  await sleep(STEP_MS);
  log("info", "Tool processing data");
  await sleep(STEP_MS);
  log("info", "Tool execution completed");
  return text("Tool with logging executed successfully");
}

function embedded(uri: string, mimeType: string, content: string) {
  return { type: "resource" as const, resource: { uri, mimeType, text: content } };
}

const RICH_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} as const;
