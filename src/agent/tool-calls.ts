/**
 * Runs the tool calls of one answer: each goes prepare → (ask) → execute, and each ends in exactly one response,
 * in the order of the requests. "Not found", "denied" and "bad arguments" are ordinary results. When all calls
 * only read they run together; otherwise one after the other, since a later one may rely on an earlier one.
 */
import {
  type AgentEvent,
  type ApprovalAnswer,
  describeUnknownTool,
  errorResponse,
  type ToolDefinition,
  type ToolRequest,
  type ToolResponse,
} from "../conversation/index.ts";
import { Channel } from "../lib/channel.ts";
import { checkAgainstSchema } from "../lib/schema-check.ts";
import type { AgentPorts } from "./ports.ts";
import type { RepeatGuard } from "./repeat-guard.ts";
import { serverRequestHandler } from "./server-requests.ts";

type Prepared =
  | { readonly type: "ready"; readonly request: ToolRequest; readonly tool: ToolDefinition }
  | {
      readonly type: "ask";
      readonly request: ToolRequest;
      readonly tool: ToolDefinition;
      readonly reason: string;
    }
  | { readonly type: "refused"; readonly request: ToolRequest; readonly reason: string }
  | { readonly type: "settled"; readonly response: ToolResponse };

export interface ToolCallOptions {
  readonly signal: AbortSignal;
  readonly guard: RepeatGuard;
}

export async function* runToolCalls(
  requests: readonly ToolRequest[],
  ports: AgentPorts,
  options: ToolCallOptions,
): AsyncGenerator<AgentEvent, readonly ToolResponse[]> {
  const channel = new Channel<AgentEvent>();
  const run = runAll(requests, ports, options, (event) => channel.push(event)).finally(() => channel.close());
  yield* channel;
  return await run;
}

type Emit = (event: AgentEvent) => void;

async function runAll(
  requests: readonly ToolRequest[],
  ports: AgentPorts,
  options: ToolCallOptions,
  emit: Emit,
): Promise<readonly ToolResponse[]> {
  const together = requests.length > 1 && requests.every((request) => onlyReads(request, ports));
  if (together) return await Promise.all(requests.map((request) => runOne(request, ports, options, emit)));
  const responses: ToolResponse[] = [];
  for (const request of requests) responses.push(await runOne(request, ports, options, emit));
  return responses;
}

function onlyReads(request: ToolRequest, ports: AgentPorts): boolean {
  const prepared = prepare(request, ports);
  return prepared.type === "ready" && prepared.tool.annotations?.readOnlyHint === true;
}

async function runOne(
  request: ToolRequest,
  ports: AgentPorts,
  options: ToolCallOptions,
  emit: Emit,
): Promise<ToolResponse> {
  emit({ type: "tool-call", request });
  const response = await settle(request, ports, options, emit);
  options.guard.note(request, response);
  emit({ type: "tool-result", response });
  return response;
}

async function settle(
  request: ToolRequest,
  ports: AgentPorts,
  options: ToolCallOptions,
  emit: Emit,
): Promise<ToolResponse> {
  if (options.signal.aborted) return cancelled(request);
  const repeated = options.guard.check(request);
  if (repeated !== undefined) return errorResponse(request, repeated);
  const prepared = prepare(request, ports);
  switch (prepared.type) {
    case "settled":
      return prepared.response;
    case "refused":
      emit({ type: "tool-refused", request, reason: prepared.reason });
      return errorResponse(request, prepared.reason);
    case "ready":
      return await execute(request, ports, options, emit);
    case "ask": {
      const answer = await ask(prepared, options.signal, emit);
      if (answer === undefined) return cancelled(request);
      if (answer.type === "deny") return errorResponse(request, declined(request, answer.reason));
      if (answer.remember) ports.remember(prepared.tool);
      return await execute(request, ports, options, emit);
    }
    default:
      return prepared satisfies never;
  }
}

function prepare(request: ToolRequest, ports: AgentPorts): Prepared {
  const settled = (text: string): Prepared => ({ type: "settled", response: errorResponse(request, text) });
  const tool = ports.toolBox.find(request.name);
  if (!tool) {
    const known = ports.toolBox.all().map(({ name }) => name);
    return settled(describeUnknownTool(request.name, known));
  }
  if (request.invalid) return settled(unreadableArguments(request.invalid, tool));
  const problems = checkAgainstSchema(tool.inputSchema, request.arguments);
  if (problems.length > 0) {
    const lines = problems.map(({ path, message }) => `- ${path.slice(1) || "arguments"} ${message}`);
    return settled(
      `Wrong arguments for ${request.name}; it did not run:\n${lines.join("\n")}\nCorrect them and call it again.`,
    );
  }
  const decision = ports.decide(tool, request);
  if (decision.type === "deny") return { type: "refused", request, reason: decision.reason };
  if (decision.type === "ask") return { type: "ask", request, tool, reason: decision.reason };
  return { type: "ready", request, tool };
}

async function execute(
  request: ToolRequest,
  ports: AgentPorts,
  { signal }: ToolCallOptions,
  emit: Emit,
): Promise<ToolResponse> {
  const response = await ports.toolBox.call(request, {
    signal,
    onProgress: (progress) => emit({ type: "tool-progress", id: request.id, name: request.name, progress }),
    requests: serverRequestHandler(ports, { signal }, emit),
  });
  return signal.aborted && response.isError ? cancelled(request) : response;
}

/** Undefined when the run was cancelled before an answer came. */
function ask(
  { request, tool, reason }: Extract<Prepared, { type: "ask" }>,
  signal: AbortSignal,
  emit: Emit,
): Promise<ApprovalAnswer | undefined> {
  return new Promise((resolve) => {
    const onAbort = () => resolve(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    const reply = (answer: ApprovalAnswer) => {
      signal.removeEventListener("abort", onAbort);
      resolve(answer);
    };
    emit({ type: "approval-request", approval: { request, tool, reason }, reply });
  });
}

function cancelled(request: ToolRequest): ToolResponse {
  return errorResponse(
    request,
    `${request.name} was cancelled by the person; it may or may not have taken effect.`,
  );
}

function declined(request: ToolRequest, reason: string | undefined): string {
  return `The person declined ${request.name}; it did not run.${reason ? ` They said: ${reason}` : ""} Do not try it another way without asking.`;
}

function unreadableArguments(
  invalid: { readonly raw: string; readonly reason: string },
  tool: ToolDefinition,
): string {
  const raw =
    invalid.raw.length > 500
      ? `${invalid.raw.slice(0, 500)}… (${invalid.raw.length} characters)`
      : invalid.raw;
  const schema = JSON.stringify(tool.inputSchema);
  return (
    `The arguments of ${tool.name} are not a JSON object (${invalid.reason}); it did not run. Received: ${raw}\n` +
    `Schema: ${schema.length > 2000 ? `${schema.slice(0, 2000)}…` : schema}`
  );
}
