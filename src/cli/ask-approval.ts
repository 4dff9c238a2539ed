/** Asks the person at the terminal whether a tool may run. No answer is a no. */
import { createInterface } from "node:readline/promises";
import type { ApprovalAnswer, ApprovalRequest, SamplingRequest } from "../conversation/index.ts";
import { terminalText } from "../lib/terminal-text.ts";
import { wholeArguments } from "./print-events.ts";

const MAX_WORDS = 400;

export async function askForApproval(
  { request, tool, reason }: ApprovalRequest,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<ApprovalAnswer> {
  const args = wholeArguments(request.arguments);
  output.write(`\n${tool.extension} wants to run ${request.name}:\n${args}\n${terminalText(reason)}\n`);
  return parseAnswer(
    (await askLine("Run it? [y]es, [a]lways in this session, [n]o: ", input, output)) ?? "n",
  );
}

/** One line of the person's; undefined at the end of input, when nobody is there. */
export async function askLine(
  prompt: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string | undefined> {
  const readline = createInterface({ input, output });
  const closed = new Promise<undefined>((resolve) => readline.once("close", () => resolve(undefined)));
  const answer = await Promise.race([readline.question(prompt), closed]);
  readline.close();
  return answer;
}

/** For the person: who would ask the model what. */
export function describeSampling({ extension, messages, system, maxTokens }: SamplingRequest): string {
  const words = messages
    .map(
      (message) =>
        `${message.role}: ${message.content.map((block) => ("text" in block ? block.text : `[${block.type}]`)).join(" ")}`,
    )
    .join("\n");
  const shown =
    words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}… (${words.length} characters)` : words;
  return terminalText(
    `\n${extension} wants an answer of your model, of at most ${maxTokens} tokens:\n${system ? `${system.slice(0, MAX_WORDS)}\n` : ""}${shown}`,
  );
}

export function parseAnswer(answer: string): ApprovalAnswer {
  const word = answer.normalize("NFKC").trim().toLowerCase();
  if (["y", "yes", "はい"].includes(word)) return { type: "allow" };
  if (["a", "always", "いつも"].includes(word)) return { type: "allow", remember: true };
  const reason = ["", "n", "no", "いいえ"].includes(word) ? undefined : answer.trim();
  return { type: "deny", ...(reason !== undefined && { reason }) };
}
