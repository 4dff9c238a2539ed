/** Lists and gives the prompts of a definition, and completes arguments of prompts and resource templates. */
import { type GetPromptResult, ProtocolError, type Server } from "@modelcontextprotocol/server";
import { asInputRequired, bindingOf, InputNeeded, readInput } from "./input.ts";
import type { KitPrompt } from "./prompt.ts";
import { asProtocolError, INVALID_PARAMS } from "./protocol-error.ts";
import { refuseCursor } from "./serve-tools.ts";
import type { ServerDefinition } from "./server.ts";

const MAX_COMPLETIONS = 100;

export function servePrompts(server: Server, prompts: readonly KitPrompt[]): void {
  server.setRequestHandler("prompts/list", (request) => {
    refuseCursor(request.params?.cursor);
    return {
      prompts: prompts.map(({ get: _get, complete: _complete, arguments: args, ...prompt }) => ({
        ...prompt,
        ...(args && { arguments: [...args] }),
      })),
    };
  });
  server.setRequestHandler("prompts/get", async (request, context) => {
    const prompt = findPrompt(prompts, request.params.name);
    const args = request.params.arguments ?? {};
    const missing = prompt.arguments?.find(({ name, required }) => required && args[name] === undefined);
    if (missing) {
      throw new ProtocolError(INVALID_PARAMS, `Prompt ${prompt.name} needs the argument "${missing.name}"`);
    }
    const binding = bindingOf(context, prompt.name, args);
    try {
      const input = readInput(context, binding);
      return await prompt.get(args, { signal: context.mcpReq.signal, input });
    } catch (error) {
      if (error instanceof InputNeeded) return asInputRequired(error, binding) as unknown as GetPromptResult;
      throw asProtocolError(error);
    }
  });
}

export function serveCompletions(server: Server, { resources, prompts }: ServerDefinition): void {
  const complete = async (
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
    argument: { name: string; value: string },
    others: Record<string, string>,
  ): Promise<readonly string[] | undefined> => {
    if (ref.type === "ref/prompt") {
      const prompt = findPrompt(prompts ?? [], ref.name);
      return prompt.complete?.(argument.name, argument.value, others);
    }
    const known = resources?.templates?.some(({ uriTemplate }) => uriTemplate === ref.uri);
    if (!known) throw new ProtocolError(INVALID_PARAMS, `Unknown resource template "${ref.uri}"`);
    return resources?.complete?.({
      template: ref.uri,
      variable: argument.name,
      value: argument.value,
      others,
    });
  };
  server.setRequestHandler("completion/complete", async (request) => {
    const { ref, argument, context } = request.params;
    try {
      const found = (await complete(ref, argument, context?.arguments ?? {})) ?? [];
      const values = found.slice(0, MAX_COMPLETIONS);
      return { completion: { values, total: found.length, hasMore: found.length > values.length } };
    } catch (error) {
      throw asProtocolError(error);
    }
  });
}

function findPrompt(prompts: readonly KitPrompt[], name: string): KitPrompt {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt) return prompt;
  const known = prompts.map((candidate) => candidate.name).join(", ");
  throw new ProtocolError(INVALID_PARAMS, `Unknown prompt "${name}". Known: ${known || "none"}`);
}
