/**
 * The client that the official conformance suite tests: one remote extension, connected as Kari connects it, and
 * used for all that it offers. The suite names the scenario in the environment and gives the address as the last
 * argument. Who it is to authorization servers is client-auth.ts.
 */
import type { JsonObject, ServerRequestHandler, Tool } from "../../src/conversation/index.ts";
import {
  type CallOptions,
  ExtensionManager,
  isServerExtension,
  type RemoteConfig,
  type ServerExtension,
} from "../../src/extensions/index.ts";
import { clientAuth, oauthConfig } from "./client-auth.ts";
import { readContext } from "./client-context.ts";

const url = process.argv.at(-1) ?? "";
const context = readContext(process.env);

/** A person who agrees to everything and leaves every field as it is. */
const requests: ServerRequestHandler = {
  elicit: async () => ({ type: "accept", content: {} }),
  sample: async () => ({ type: "decline", reason: "no model takes part in this test" }),
};
/** Longer than the suite waits: on a busy machine it is the suite that gives up. */
const PATIENCE_MS = 300_000;
const options: CallOptions = { signal: AbortSignal.timeout(PATIENCE_MS), requests };

const config: RemoteConfig = {
  key: "conformance",
  type: "streamable_http",
  url,
  headers: {},
  ...oauthConfig(context),
};
const manager = new ExtensionManager({
  connect: {
    self: { command: process.execPath, args: [] },
    environment: {},
    workingDirectory: process.cwd(),
    client: { name: "kari-conformance", version: "1.0.0" },
    startupTimeoutMs: PATIENCE_MS,
    probeTimeoutMs: PATIENCE_MS,
    maxCallMs: PATIENCE_MS,
    authFor: async (remote) => clientAuth(remote, context),
  },
  onNotice: (_, text) => console.error(text),
});

try {
  const extension = manager.add(config);
  if (!isServerExtension(extension)) throw new Error("A remote extension is a server.");
  await useEverything(extension);
} finally {
  await manager.stop();
}

async function useEverything(extension: ServerExtension): Promise<void> {
  const { tools } = await extension.start();
  for (const { name, args } of plannedCalls(tools)) {
    // One that fails is the scenario's business; the others are used all the same.
    const result = await extension.callTool(name, args, options).catch((error: Error) => error.message);
    console.log(name, JSON.stringify(result));
  }
  for (const { uri } of await extension.listResources(options)) await extension.readResource(uri, options);
  for (const { name } of await extension.listPrompts(options)) await extension.getPrompt(name, {}, options);
}

/** Those that the scenario asks for, else every tool once. */
function plannedCalls(
  tools: readonly Tool[],
): readonly { readonly name: string; readonly args: JsonObject }[] {
  if (context.toolCalls) return context.toolCalls.map((call) => ({ name: call.name, args: call.arguments }));
  return tools.map((tool) => ({ name: tool.name, args: argumentsFor(tool, tools) }));
}

function argumentsFor({ name, inputSchema }: Tool, tools: readonly Tool[]): JsonObject {
  if (name === "add_numbers") return { a: 5, b: 3 };
  if (name === "json_schema_echo")
    return { schema: tools.find((tool) => tool.name === "json_schema_2020_12_tool")?.inputSchema ?? {} };
  const required = Array.isArray(inputSchema["required"]) ? inputSchema["required"] : [];
  return Object.fromEntries(required.map((field) => [String(field), "test"]));
}
