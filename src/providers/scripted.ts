/**
 * A model that plays a script: turns of text, tool calls, errors and delays from a JSON file (`--fake-model FILE`).
 * It makes the shipped program testable end to end and its examples runnable anywhere. The format is documented in
 * docs/fake-model.md. `{{result}}` in a text becomes the text of the newest tool results.
 */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { JsonObject, Message, ToolRequest } from "../conversation/index.ts";
import { type Model, ModelError, type ModelEvent } from "./model.ts";
import { parseToolArguments } from "./tool-arguments.ts";

const errorCodes = [
  "auth",
  "rate-limit",
  "overload",
  "context-overflow",
  "credits",
  "refused",
  "network",
  "protocol",
] as const;

const turnSchema = z.strictObject({
  text: z.string().optional(),
  thinking: z.string().optional(),
  toolCalls: z
    .array(
      z.strictObject({
        name: z.string(),
        /** An object, or a string that is sent as it is: broken JSON, for example. */
        arguments: z.union([z.record(z.string(), z.json()), z.string()]).default({}),
      }),
    )
    .optional(),
  error: z.strictObject({ code: z.enum(errorCodes), message: z.string() }).optional(),
  delayMs: z.number().int().min(0).max(600_000).optional(),
});

const scriptSchema = z.strictObject({
  description: z.string().optional(),
  turns: z.array(turnSchema).min(1),
});

export type Script = z.output<typeof scriptSchema>;
type Turn = Script["turns"][number];

/** Reads a script; throws an Error whose message names the file and what is wrong in it. */
export function parseScript(text: string, file: string): Script {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = scriptSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `  ${issue.path.join(".") || "(top)"}: ${issue.message}`);
  throw new Error(`${file} is not a script for --fake-model:\n${lines.join("\n")}`);
}

export function createScriptedModel(script: Script, name = "script"): Model {
  let next = 0;
  return {
    id: `fake/${name}`,
    limits: { context: 200_000, output: 8000, images: true },
    async *stream(request, { signal }) {
      const turn = script.turns[next];
      next += 1;
      if (!turn) {
        const message = `The script has ${script.turns.length} turn(s), and the agent asked for turn ${next}.`;
        yield { type: "error", error: new ModelError("protocol", message) };
        return;
      }
      yield* play(turn, next, request.messages, signal);
    },
  };
}

async function* play(
  turn: Turn,
  number: number,
  messages: readonly Message[],
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (turn.delayMs !== undefined) await delay(turn.delayMs, undefined, { signal }).catch(() => {});
  if (signal.aborted) {
    yield { type: "error", error: new ModelError("cancelled", "cancelled") };
    return;
  }
  if (turn.thinking !== undefined) {
    yield { type: "thinking-delta", text: turn.thinking };
    yield { type: "content", content: { type: "thinking", text: turn.thinking } };
  }
  if (turn.text !== undefined) {
    const text = turn.text.replaceAll("{{result}}", () => newestResults(messages));
    for (const word of text.match(/\S+\s*|\s+/g) ?? []) yield { type: "text-delta", text: word };
    yield { type: "content", content: { type: "text", text } };
  }
  if (turn.error) {
    yield { type: "error", error: new ModelError(turn.error.code, turn.error.message) };
    return;
  }
  for (const [index, call] of (turn.toolCalls ?? []).entries()) {
    yield { type: "content", content: toRequest(`call-${number}-${index + 1}`, call.name, call.arguments) };
  }
  yield { type: "finish", reason: turn.toolCalls?.length ? "tool-calls" : "end", usage: {} };
}

function toRequest(id: string, name: string, args: JsonObject | string): ToolRequest {
  const parsed = typeof args === "string" ? parseToolArguments(args) : { arguments: args };
  return { type: "tool-request", id, name, ...parsed };
}

function newestResults(messages: readonly Message[]): string {
  const tool = messages.findLast((message) => message.role === "tool");
  if (!tool) return "";
  return tool.content
    .flatMap((response) => response.content)
    .map((content) => (content.type === "text" ? content.text : ""))
    .join("\n");
}
