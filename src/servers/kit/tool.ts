/**
 * Defines a tool of a builtin server: one zod schema is the contract for the model (JSON Schema), for the check
 * of its arguments and for the types of `run`. Wrong arguments become an error result that says what to correct,
 * because a model can act on that and cannot act on a protocol error.
 */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { z } from "zod";

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
}

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
  run(args: z.output<Input>, context: ToolContext): Promise<ToolResult> | ToolResult;
}

/** A defined tool with its argument type hidden: what a server lists and calls. */
export interface KitTool {
  readonly name: string;
  readonly definition: ToolListing;
  call(args: unknown, context: ToolContext): Promise<ToolResult>;
}

export interface ToolListing {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly outputSchema?: { readonly [key: string]: unknown };
  readonly annotations?: ToolHints & { readonly title?: string };
}

export function defineTool<Input extends z.ZodObject>(spec: ToolSpec<Input>): KitTool {
  let listing: ToolListing | undefined;
  return {
    name: spec.name,
    get definition() {
      listing ??= list(spec);
      return listing;
    },
    async call(args, context) {
      const parsed = spec.input.safeParse(args ?? {});
      if (!parsed.success) return failure(describeIssues(spec.name, parsed.error));
      return await spec.run(parsed.data, context);
    },
  };
}

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
    inputSchema: jsonSchema(spec.input, "input"),
    ...(spec.output !== undefined && { outputSchema: jsonSchema(spec.output, "output") }),
    ...(spec.annotations !== undefined && {
      annotations: { ...(spec.title !== undefined && { title: spec.title }), ...spec.annotations },
    }),
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
