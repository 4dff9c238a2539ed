/** What `kari resources` and `kari prompts` share: asking each extension, and which of its items are wanted. */
import type { OpenedProfile } from "../app/open-profile.ts";
import { nearest } from "../lib/nearest.ts";
import { terminalText } from "../lib/terminal-text.ts";
import { UsageError } from "../lib/usage-error.ts";

/** What one extension gave, or why it gave nothing. */
export type Asked<T> = { readonly extension: string; readonly failure?: string } & T;

type Server = ReturnType<OpenedProfile["servers"]>[number];

export function chosenServers(opened: OpenedProfile, only: string | undefined): readonly Server[] {
  const servers = opened.servers();
  if (only === undefined) return servers;
  const found = servers.filter(({ key }) => key === only);
  if (found.length > 0) return found;
  const keys = servers.map(({ key }) => key);
  const near = nearest(only, keys, 1)[0];
  throw new UsageError(
    `There is no extension "${only}".${near ? ` Did you mean ${near}?` : ` Extensions: ${keys.join(", ") || "none"}.`}`,
  );
}

/** All at once. One that fails does not keep the others from answering. */
export async function askEach<T extends object>(
  servers: readonly Server[],
  nothing: T,
  ask: (server: Server) => Promise<T>,
): Promise<readonly Asked<T>[]> {
  return await Promise.all(
    servers.map(async (server) => {
      try {
        return { extension: server.key, ...(await ask(server)) };
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error);
        return { extension: server.key, ...nothing, failure };
      }
    }),
  );
}

/** Says what failed on stderr; the exit code. */
export function sayFailures(answers: readonly Asked<object>[]): number {
  const failures = answers.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  for (const failure of failures) console.error(`kari: ${terminalText(failure)}`);
  return failures.length > 0 ? 1 : 0;
}

/** Whether one of the words contains the filter: without case, in either Unicode form, percent-encoded or not. */
export function matches(filter: string | undefined, words: readonly (string | undefined)[]): boolean {
  if (filter === undefined || filter === "") return true;
  const wanted = fold(filter);
  return words.some((word) => word !== undefined && fold(`${word}\n${decoded(word)}`).includes(wanted));
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function decoded(uri: string): string {
  try {
    return decodeURI(uri);
  } catch {
    return "";
  }
}
