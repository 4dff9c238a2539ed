/**
 * What the person allowed in this session, and what has happened since: a yes is remembered until the model reads
 * text that a stranger may have written. The rules are the policy's; this only keeps their inputs.
 */
import type { ToolDefinition, ToolRequest, ToolResponse, UserMessage } from "../conversation/index.ts";
import type { ExtensionManager } from "../extensions/index.ts";
import { type ApprovalMode, type Decision, decide } from "../policy/index.ts";

export class Approvals {
  readonly #mode: ApprovalMode;
  readonly #manager: ExtensionManager;
  readonly #remembered = new Set<string>();
  #taint: string | undefined;

  constructor(mode: ApprovalMode, manager: ExtensionManager) {
    this.#mode = mode;
    this.#manager = manager;
  }

  decide(tool: ToolDefinition, request: ToolRequest): Decision {
    const change = this.#manager.pins.changeOf(tool);
    return decide({
      mode: this.#mode,
      tool,
      request,
      remembered: this.#remembered,
      taint: this.#taint,
      change,
    });
  }

  /** A yes for the rest of the session; it also covers what was read until now. */
  remember(tool: ToolDefinition): void {
    this.#remembered.add(tool.name);
    this.#taint = undefined;
  }

  /** What our own extensions read from this machine is the person's; what others bring, anybody may have written. */
  noteResult(response: ToolResponse): void {
    const tool = this.#manager.table.find(response.name);
    const writers = [tool?.extension, ...response.content.map(({ source }) => source?.extension)];
    this.#taint = writers.find((key) => key !== undefined && this.#isStranger(key)) ?? this.#taint;
  }

  /** Resources that came into the context by themselves are text like any other. */
  noteContext(message: UserMessage): void {
    const writers = message.content.map(({ source }) => source?.extension);
    this.#taint = writers.find((key) => key !== undefined && this.#isStranger(key)) ?? this.#taint;
  }

  /** The person speaks: they have seen what was read. */
  startRun(): void {
    this.#taint = undefined;
  }

  #isStranger(key: string): boolean {
    const kind = this.#manager.get(key)?.kind;
    return kind !== undefined && kind !== "builtin" && kind !== "platform";
  }
}
