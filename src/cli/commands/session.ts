/** `kari session`: a conversation at the terminal, line by line. Ctrl-C stops an answer; at the prompt it ends the session. */
import { createInterface, type Interface } from "node:readline/promises";
import { buildSession } from "../../app/build-session.ts";
import type { Session } from "../../app/session-port.ts";
import { revealHidden } from "../../lib/hidden-text.ts";
import { openBrowser } from "../../lib/open-browser.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { describeSampling, parseAnswer } from "../ask-approval.ts";
import { askElicitation } from "../ask-elicitation.ts";
import { attachWords } from "../attach-words.ts";
import type { Command } from "../command.ts";
import { attachmentCompleter } from "../complete-attachment.ts";
import { createEventPrinter, wholeArguments } from "../print-events.ts";
import { extensionFlags, modelFlags, sessionOptionsFrom } from "../session-flags.ts";
import { runSlash } from "../slash.ts";

export const sessionCommand: Command = {
  summary: "Talk with Kari. /help shows what else can be typed; /exit or Ctrl-D ends.",
  usage: "kari [session] [options]",
  options: { ...modelFlags, ...extensionFlags },
  examples: [
    "kari",
    "kari session --approve ask --with-builtin developer",
    "kari --provider openai-compatible --model qwen3",
  ],
  async run({ values, positionals }) {
    if (positionals.length > 0)
      throw new UsageError(
        `kari session takes no words ("${positionals[0]}"): type them at the prompt, or use kari run -t.`,
      );
    const options = sessionOptionsFrom(values);
    const session = await buildSession({
      ...options,
      approve: options.approve ?? (process.stdin.isTTY ? "ask" : "read-only"),
    });
    session.warm();
    const closed = new AbortController();
    const readline = createInterface({
      input: process.stdin,
      output: process.stderr,
      terminal: process.stdin.isTTY === true,
      completer: attachmentCompleter(session, { workingDirectory: process.cwd(), closed: closed.signal }),
    });
    readline.once("close", () => closed.abort());
    try {
      await converse(session, readline);
      return 0;
    } finally {
      readline.close();
      await session.close();
    }
  },
};

async function converse(session: Session, readline: Interface): Promise<void> {
  let running: AbortController | undefined;
  let ended = false;
  const lines: string[] = [];
  let wake: (() => void) | undefined;
  const signalLine = () => {
    wake?.();
    wake = undefined;
  };
  readline.on("line", (line) => {
    lines.push(line);
    signalLine();
  });
  // The end of the input is not the end of an answer that is still coming.
  readline.on("close", () => {
    ended = true;
    signalLine();
  });
  readline.on("SIGINT", () => {
    if (running) running.abort();
    else readline.close();
  });
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      running?.abort();
      readline.close();
    });
  }
  /** Undefined at the end of input. */
  const nextLine = async (prompt: string): Promise<string | undefined> => {
    readline.setPrompt(prompt);
    if (!ended) readline.prompt();
    while (lines.length === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return lines.shift();
  };

  for (;;) {
    const line = await nextLine("雁> ");
    if (line === undefined || line.trim() === "/exit") return;
    if (line.trim() === "") continue;
    if (line.startsWith("/")) {
      console.error(revealHidden(terminalText(runSlash(line, session))));
      continue;
    }
    running = new AbortController();
    await answer(session, line, running.signal, nextLine);
    running = undefined;
  }
}

async function answer(
  session: Session,
  words: string,
  signal: AbortSignal,
  nextLine: (prompt: string) => Promise<string | undefined>,
): Promise<void> {
  const printer = createEventPrinter(process.stdout, process.stderr, process.env);
  for await (const event of session.send(await attachWords(words, session, signal), { signal })) {
    await printer.print(event);
    if (event.type === "approval-request") {
      const { request, reason } = event.approval;
      console.error(`${request.name} ${wholeArguments(request.arguments)}\n${terminalText(reason)}`);
      event.reply(parseAnswer((await nextLine("Run it? [y]es, [a]lways in this session, [n]o: ")) ?? "n"));
    } else if (event.type === "elicitation-request") {
      const open = (url: string) => openBrowser(url, process.env);
      event.reply(await askElicitation(event.elicitation, { ask: nextLine, say: console.error, open }));
    } else if (event.type === "sampling-request") {
      console.error(describeSampling(event.sampling));
      event.reply(parseAnswer((await nextLine("Let it? [y]es, [n]o: ")) ?? "n"));
    }
  }
}
