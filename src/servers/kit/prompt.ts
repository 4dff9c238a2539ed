/** Prompts a server offers to people: named, with arguments, giving messages. */
import type { GetPromptResult } from "@modelcontextprotocol/server";
import type { InputAnswers } from "./input.ts";

export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface PromptContext {
  /** Aborted when the caller cancels or goes away. */
  readonly signal: AbortSignal;
  /** Answers to what this prompt asked for with `needInput` in earlier rounds. */
  readonly input: InputAnswers;
}

export interface KitPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  get(
    args: Readonly<Record<string, string>>,
    context: PromptContext,
  ): Promise<GetPromptResult> | GetPromptResult;
  /** Values for an argument that begin with `value`. */
  complete?(
    argument: string,
    value: string,
    others: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> | readonly string[];
}
