/** What a person typed, with what they attached by @ put into the context; what was and was not is said on stderr. */
import { prepareWords } from "../app/send-words.ts";
import type { Session } from "../app/session-port.ts";
import type { UserMessage } from "../conversation/index.ts";
import { revealHidden } from "../lib/hidden-text.ts";
import { terminalText } from "../lib/terminal-text.ts";
import { styleFor } from "./print-events.ts";

export async function attachWords(
  words: string,
  session: Session,
  signal: AbortSignal,
): Promise<string | UserMessage> {
  const style = styleFor(process.stderr, process.env);
  const prepared = await prepareWords(words, session, { workingDirectory: process.cwd(), signal });
  const safe = (text: string) => revealHidden(terminalText(text));
  for (const name of prepared.attached) console.error(style.dim(`attached: ${safe(name)}`));
  for (const problem of prepared.problems) console.error(style.warn(safe(problem)));
  return prepared.input;
}
