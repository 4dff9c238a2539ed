/** Prompts a server offers to people: named, with arguments, giving messages. */
import type { GetPromptResult } from "@modelcontextprotocol/server";

export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface KitPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  get(args: Readonly<Record<string, string>>): Promise<GetPromptResult> | GetPromptResult;
  /** Values for an argument that begin with `value`. */
  complete?(
    argument: string,
    value: string,
    others: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> | readonly string[];
}
