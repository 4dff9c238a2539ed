/**
 * The Tab key at the prompt: completes what stands behind an @. Anywhere else Tab is a tab, so that nothing of a
 * pasted text is swallowed. Servers have two seconds; the person never waits longer, and what they type meanwhile,
 * or what an input method hands over at once, is kept in order by readline.
 */
import type { Session } from "../app/session-port.ts";

export type Completer = (line: string) => Promise<[string[], string]>;

const PATIENCE_MS = 2000;

export interface CompleterOptions {
  readonly workingDirectory: string;
  /** Aborted when the prompt is closed. */
  readonly closed: AbortSignal;
}

export function attachmentCompleter(session: Session, options: CompleterOptions): Completer {
  return async (line) => {
    const completions = await complete(line, session, options.workingDirectory);
    // readline throws where nobody can catch it when an answer comes after its end.
    return options.closed.aborted ? await new Promise<never>(() => {}) : completions;
  };
}

async function complete(
  line: string,
  session: Session,
  workingDirectory: string,
): Promise<[string[], string]> {
  const [{ completeAttachment }, { extensionsOf }] = await Promise.all([
    import("../app/complete-attachment.ts"),
    import("../app/send-words.ts"),
  ]);
  const patience = new AbortController();
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => {
    patience.abort();
    late.resolve("late");
  }, PATIENCE_MS);
  const world = { extensions: extensionsOf(session), workingDirectory };
  try {
    const found = await Promise.race([
      late.promise,
      completeAttachment(line, world, { signal: patience.signal }),
    ]);
    if (found === "late") return [[], line];
    return found ? [[...found.items], found.typed] : [["\t"], ""];
  } finally {
    clearTimeout(timer);
  }
}
