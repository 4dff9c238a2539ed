/** Extensions as the program opens them, for tests: real processes and servers, everything stopped after each test. */
import { afterEach } from "vitest";
import type { JsonObject } from "../../src/conversation/index.ts";
import {
  type CallOptions,
  type CallResult,
  type ExtensionConfig,
  ExtensionManager,
  type ExtensionState,
  type ManagerOptions,
  type ServerExtension,
} from "../../src/extensions/index.ts";

export interface OpenedManager {
  readonly manager: ExtensionManager;
  readonly states: ExtensionState[];
  readonly notices: string[];
  add(config: ExtensionConfig): ServerExtension;
}

const opened: ExtensionManager[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((manager) => manager.stop()));
});

export function openManager(
  connect: Partial<ManagerOptions["connect"]> = {},
  options: Partial<ManagerOptions> = {},
): OpenedManager {
  const states: ExtensionState[] = [];
  const notices: string[] = [];
  const manager = new ExtensionManager({
    connect: {
      self: { command: "unused", args: [] },
      environment: { ...process.env, OPENAI_API_KEY: "sk-canary", SOME_SECRET: "canary" },
      workingDirectory: process.cwd(),
      client: { name: "kari-test", version: "0" },
      startupTimeoutMs: 20_000,
      probeTimeoutMs: 5000,
      maxCallMs: 60_000,
      ...connect,
    },
    onState: (_key, state) => states.push(state),
    onNotice: (_key, text) => notices.push(text),
    ...options,
  });
  opened.push(manager);
  return { manager, states, notices, add: (config) => manager.add(config) as ServerExtension };
}

export const never = (): CallOptions => ({ signal: new AbortController().signal });

export const call = (extension: ServerExtension, tool: string, args: JsonObject = {}) =>
  extension.callTool(tool, args, never());

export const textOf = (result: CallResult) =>
  result.content.map((content) => (content.type === "text" ? content.text : "")).join("");
