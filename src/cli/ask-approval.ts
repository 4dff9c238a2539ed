/** Asks the person at the terminal whether a tool may run. No answer is a no. */
import { createInterface } from "node:readline/promises";
import type { ApprovalAnswer, ApprovalRequest } from "../conversation/index.ts";
import { terminalText } from "../lib/terminal-text.ts";

export async function askForApproval(
  { request, tool, reason }: ApprovalRequest,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<ApprovalAnswer> {
  const args = terminalText(JSON.stringify(request.arguments, null, 2));
  output.write(`\n${tool.extension} wants to run ${request.name}:\n${args}\n${terminalText(reason)}\n`);
  const readline = createInterface({ input, output });
  // End of input means that nobody is there to say yes.
  const closed = new Promise<string>((resolve) => readline.once("close", () => resolve("n")));
  const answer = await Promise.race([
    readline.question("Run it? [y]es, [a]lways in this session, [n]o: "),
    closed,
  ]);
  readline.close();
  return parseAnswer(answer);
}

export function parseAnswer(answer: string): ApprovalAnswer {
  const word = answer.normalize("NFKC").trim().toLowerCase();
  if (["y", "yes", "はい"].includes(word)) return { type: "allow" };
  if (["a", "always", "いつも"].includes(word)) return { type: "allow", remember: true };
  const reason = ["", "n", "no", "いいえ"].includes(word) ? undefined : answer.trim();
  return { type: "deny", ...(reason !== undefined && { reason }) };
}
