/**
 * A tool of this server: defined once, listed under two names (`wakashu_getRanking` for MCP hosts, whose LLM APIs
 * refuse a slash, and the document's `wakashu/getRanking` on the plain endpoint) and answering with an `Answer`
 * that either endpoint renders its own way.
 */
import { z } from "zod";
import { type CallContext, defineTool, type KitTool } from "../kit/index.ts";
import { type Answer, failed, toToolResult } from "./answer.ts";
import { LibraryError } from "./library.ts";
import { readInteger } from "./names.ts";

export interface WakashuToolSpec<Input extends z.ZodObject> {
  /** Without a prefix: `getRanking`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Made when the tool is first listed or called: a server that is only connected to should cost nothing. */
  schemas(): { readonly input: Input; readonly output: z.ZodObject };
  run(args: z.output<Input>, context: CallContext): Promise<Answer> | Answer;
}

export interface WakashuTool {
  readonly plainName: string;
  readonly mcp: KitTool;
  /** Every other name a call may use. */
  readonly aliases: readonly string[];
  answer(args: unknown, context: CallContext): Promise<Answer>;
}

export function defineWakashuTool<Input extends z.ZodObject>(
  spec: WakashuToolSpec<Input>,
  mcpName = `wakashu_${spec.name}`,
): WakashuTool {
  const run = async (args: z.output<Input>, context: CallContext): Promise<Answer> => {
    try {
      return await spec.run(args, context);
    } catch (error) {
      if (error instanceof LibraryError) return failed(error.message);
      throw error;
    }
  };
  const schemas = lazily(() => spec.schemas());
  const made = lazily(() =>
    defineTool({
      name: mcpName,
      title: spec.title,
      description: spec.description,
      ...schemas(),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      run: async (args, context) => toToolResult(await run(args, context)),
    }),
  );
  const mcp: KitTool = {
    name: mcpName,
    get definition() {
      return made().definition;
    },
    call: (args, context) => made().call(args, context),
  };
  const plainName = `wakashu/${spec.name}`;
  const names = [plainName, `wakashu_${spec.name}`, `wakashu.${spec.name}`, spec.name];
  return {
    plainName,
    mcp,
    aliases: names.filter((name) => name !== mcpName),
    async answer(args, context) {
      const parsed = schemas().input.safeParse(args ?? {});
      if (parsed.success) return await run(parsed.data, context);
      // The kit says what is wrong with the arguments; both endpoints say it in the same words.
      const [refusal] = (await mcp.call(args, context)).content;
      return failed(refusal?.type === "text" ? refusal.text.replaceAll(mcpName, plainName) : "");
    },
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Listed as a plain JSON Schema integer; read as people and models write numbers. */
export function integer(description: string) {
  return z
    .unknown()
    .transform((value, context) => {
      const number = readInteger(value);
      if (number !== undefined) return number;
      context.addIssue({ code: "custom", message: "整数で指定してください（例：1）" });
      return z.NEVER;
    })
    .meta({ type: "integer", description });
}

/** A whole number of an answer, listed without the bounds that no reader needs. */
export function whole(description?: string) {
  return z.number().meta({ type: "integer", ...(description !== undefined && { description }) });
}
