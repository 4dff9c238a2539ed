/**
 * Asks a person at a terminal, line by line. Answers may be typed in any script: full-width digits and はい are
 * understood. The end of the input, or Ctrl-C, throws `InputEnded`: nobody answered, so nothing was agreed to.
 */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

export class InputEnded extends Error {
  override readonly name = "InputEnded";
  constructor() {
    super("The questions were not answered to the end. Nothing was changed.");
  }
}

export interface Prompter {
  /** Trimmed; the fallback for an empty answer. */
  line(question: string, fallback?: string): Promise<string>;
  /** What is typed is not shown. */
  secret(question: string): Promise<string>;
  confirm(question: string, fallback: boolean): Promise<boolean>;
  /** One of the options, by its number or its id. */
  choose<T extends Option>(question: string, options: readonly T[], fallback?: string): Promise<T>;
  /** Any of the options, by numbers or ids; `none` for none; those in `fallback` for an empty answer. */
  chooseMany<T extends Option>(
    question: string,
    options: readonly T[],
    fallback: readonly string[],
  ): Promise<readonly T[]>;
  say(text: string): void;
  close(): void;
}

export interface Option {
  readonly id: string;
  readonly label: string;
}

export interface PrompterStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

export function openPrompter({ input, output }: PrompterStreams): Prompter {
  // Only an answer to a question that may be seen is shown: what is typed ahead may be meant for a hidden one.
  let muted = true;
  const screen = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // Judged now: what waits in a queue might be shown when it no longer should be.
      if (!muted) output.write(chunk);
      done();
    },
  });
  const terminal = input.isTTY === true;
  const readline = createInterface({ input, output: screen, terminal });
  const lines: string[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const signal = () => {
    wake?.();
    wake = undefined;
  };
  readline.on("line", (line) => {
    lines.push(line);
    // At once: what follows in the same paste may be meant for a hidden question.
    muted = true;
    signal();
  });
  readline.on("close", () => {
    ended = true;
    signal();
  });
  readline.on("SIGINT", () => readline.close());

  const next = async (question: string, hidden: boolean): Promise<string> => {
    if (hidden) output.write(question);
    muted = hidden;
    try {
      readline.setPrompt(hidden ? "" : question);
      // Kept, cursor and all: what was typed ahead.
      if (!ended) readline.prompt(true);
      while (lines.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      muted = true;
      if (hidden) output.write("\n");
    }
    const line = lines.shift();
    if (line === undefined) throw new InputEnded();
    return line.trim();
  };

  const showOptions = (options: readonly Option[]) => {
    for (const [index, { id, label }] of options.entries()) prompter.say(`  ${index + 1}. ${id}: ${label}`);
  };
  const prompter: Prompter = {
    line: async (question, fallback) => {
      const answer = await next(`${question}${fallback === undefined ? "" : ` [${fallback}]`}: `, false);
      return answer === "" ? (fallback ?? "") : answer;
    },
    secret: async (question) => await next(`${question}: `, true),
    confirm: async (question, fallback) => {
      for (;;) {
        const answer = await next(`${question} [${fallback ? "Y/n" : "y/N"}]: `, false);
        const meant = answer === "" ? fallback : yesOrNo(answer);
        if (meant !== undefined) return meant;
        prompter.say("Please answer y or n (はい・いいえ).");
      }
    },
    choose: async (question, options, fallback) => {
      showOptions(options);
      for (;;) {
        const found = pick(await prompter.line(question, fallback), options);
        if (found) return found;
        prompter.say(`Please type a number from 1 to ${options.length}, or a name.`);
      }
    },
    chooseMany: async (question, options, fallback) => {
      showOptions(options);
      const usual = fallback.length === 0 ? "none" : fallback.join(", ");
      for (;;) {
        const words = (await prompter.line(question, usual))
          .split(/[\s,、，]+/u)
          .filter((word) => word !== "");
        if (words.length === 1 && /^(none|なし|0)$/.test((words[0] ?? "").normalize("NFKC"))) return [];
        const found = words.map((word) => pick(word, options));
        const unknown = words.find((_, index) => found[index] === undefined);
        if (unknown === undefined) return options.filter((option) => found.includes(option));
        prompter.say(`"${unknown}" is none of them: type numbers or names, or none.`);
      }
    },
    say: (text) => void output.write(`${text}\n`),
    close: () => readline.close(),
  };
  return prompter;
}

function pick<T extends Option>(answer: string, options: readonly T[]): T | undefined {
  const word = answer.normalize("NFKC").toLowerCase();
  return options[Number(word) - 1] ?? options.find(({ id }) => id === word);
}

export function yesOrNo(answer: string): boolean | undefined {
  const word = answer.normalize("NFKC").trim().toLowerCase();
  if (["y", "yes", "はい", "hai", "ok"].includes(word)) return true;
  if (["n", "no", "いいえ", "iie"].includes(word)) return false;
  return undefined;
}
