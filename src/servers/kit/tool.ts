/**
 * Defines a tool of a builtin server: one zod schema is the contract for the model (JSON Schema), for the check
 * of its arguments and for the types of `run`. Wrong arguments become an error result that says what to correct,
 * because a model can act on that and cannot act on a protocol error.
 */
import type {
  CallToolResult,
  ClientCapabilities,
  ContentBlock,
  LoggingLevel,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { type InputAnswers, NO_INPUT } from "./input.ts";

export type ToolResult = CallToolResult;
export type { ContentBlock };

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a tool may use besides its arguments. */
export interface ToolContext {
  /** Aborted when the caller cancels or goes away. */
  readonly signal: AbortSignal;
  /** Tells the caller that work goes on; dropped when the caller did not ask for progress. */
  progress(update: ToolProgress): void;
  /** A message for the client's log, if it wants messages of that level. */
  log(level: LoggingLevel, data: unknown): void;
  /** Answers to what this tool asked for with `needInput` in earlier rounds of the same call. */
  readonly input: InputAnswers;
  /** What the client says it can do. */
  readonly client: ClientCapabilities;
  /** Lets a legacy HTTP client's stream go while the work is long; it comes back for the result. */
  releaseStream(): void;
}

/** What somebody who calls a tool without a wire must give; the rest has quiet defaults. */
export type CallContext = Pick<ToolContext, "signal" | "progress"> & Partial<ToolContext>;

export interface ToolHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface ToolSpec<Input extends z.ZodObject> {
  readonly name: string;
  readonly title?: string;
  /** In prose, for the model. */
  readonly description: string;
  readonly input: Input;
  readonly output?: z.ZodObject;
  readonly annotations?: ToolHints;
  /** Listed in place of the schema made from `input`, where JSON Schema can say what zod cannot. */
  readonly inputSchema?: { readonly type: "object"; readonly [key: string]: unknown };
  /** What the client must be able to do; a call by any other is refused before it starts. */
  readonly requires?: ClientCapabilities;
  readonly _meta?: Readonly<Record<string, unknown>>;
  run(args: z.output<Input>, context: ToolContext): Promise<ToolResult> | ToolResult;
}

/** A defined tool with its argument type hidden: what a server lists and calls. */
export interface KitTool {
  readonly name: string;
  readonly definition: ToolListing;
  readonly requires?: ClientCapabilities;
  call(args: unknown, context: CallContext): Promise<ToolResult>;
}

export interface ToolListing {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly outputSchema?: { readonly [key: string]: unknown };
  readonly annotations?: ToolHints & { readonly title?: string };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export function defineTool<Input extends z.ZodObject>(spec: ToolSpec<Input>): KitTool {
  let listing: ToolListing | undefined;
  return {
    name: spec.name,
    ...(spec.requires !== undefined && { requires: spec.requires }),
    get definition() {
      listing ??= list(spec);
      return listing;
    },
    async call(args, context) {
      const parsed = spec.input.safeParse(args ?? {});
      if (!parsed.success) return failure(describeIssues(spec.name, parsed.error));
      return await spec.run(parsed.data, { ...QUIET, ...context });
    },
  };
}

const QUIET = { input: NO_INPUT, client: {}, log: () => {}, releaseStream: () => {} };

/** A result of plain text. */
export function text(value: string): ToolResult {
  return { content: [{ type: "text", text: value }] };
}

/** An error result: what failed, with which value, and what to do next. */
export function failure(message: string): ToolResult {
  return { content: [{ type: "text", text: message }], isError: true };
}

/** A result for programs and models alike: the value, and the same JSON as text for clients of older revisions. */
export function structured(value: { readonly [key: string]: unknown }, summary?: string): ToolResult {
  return {
    content: [{ type: "text", text: summary ?? JSON.stringify(value, null, 1) }],
    structuredContent: value,
  };
}

function list<Input extends z.ZodObject>(spec: ToolSpec<Input>): ToolListing {
  return {
    name: spec.name,
    ...(spec.title !== undefined && { title: spec.title }),
    description: spec.description,
    inputSchema: spec.inputSchema ?? jsonSchema(spec.input, "input"),
    ...(spec.output !== undefined && { outputSchema: jsonSchema(spec.output, "output") }),
    ...(spec.annotations !== undefined && {
      annotations: { ...(spec.title !== undefined && { title: spec.title }), ...spec.annotations },
    }),
    ...(spec._meta !== undefined && { _meta: spec._meta }),
  };
}

function jsonSchema(schema: z.ZodObject, io: "input" | "output"): { type: "object"; [key: string]: unknown } {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return { ...rest, type: "object" };
}

function describeIssues(tool: string, error: z.ZodError): string {
  const lines = error.issues.slice(0, 10).map((issue) => {
    const path = issue.path.length > 0 ? issue.path.join(".") : "arguments";
    return `- ${path}: ${issue.message}`;
  });
  return `Invalid arguments for ${tool}:\n${lines.join("\n")}\nCorrect them and call ${tool} again.`;
}
