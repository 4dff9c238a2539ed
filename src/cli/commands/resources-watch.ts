/**
 * `kari resources watch URI…`: a line and a difference whenever a resource changes, until Ctrl-C. The server is asked
 * to tell; it is read again now and then as well, because some cannot tell and any may have been away.
 */
import { createHash } from "node:crypto";
import { type OpenedProfile, openProfile } from "../../app/open-profile.ts";
import type { ResourceContents } from "../../conversation/index.ts";
import { unifiedDiff } from "../../lib/line-diff.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { choice, type Invocation, type OptionValues, positiveInteger, text } from "../command.ts";
import { EXIT_INTERRUPTED, interruptSignal } from "../interrupt.ts";
import { chosenServers } from "../listing.ts";
import { extensionsFrom } from "../session-flags.ts";
import { byteSize, safeText } from "../show-content.ts";

const POLL_SECONDS = 2;
/** For a server that tells: only against what was missed. */
const SAFETY_SECONDS = 30;

export async function watchCommand({ values, positionals }: Invocation): Promise<number> {
  const uris = [...new Set(positionals.slice(1))];
  if (uris.length === 0) throw new UsageError("Watch which resources? kari resources list shows their URIs.");
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const limit = positiveInteger(values, "count");
  const every = secondsFrom(values);
  const signal = interruptSignal();
  const opened = await openProfile(extensionsFrom(values));
  const done = Promise.withResolvers<number>();
  signal.addEventListener("abort", () => done.resolve(EXIT_INTERRUPTED));
  const timers: NodeJS.Timeout[] = [];
  let told = 0;
  try {
    const watched = await Promise.all(
      uris.map((uri) => find(opened, uri, text(values, "extension"), signal)),
    );
    if (signal.aborted) return EXIT_INTERRUPTED;
    for (const resource of watched) {
      const look = serially(async () => {
        const change = await compare(resource, signal);
        if (!change || signal.aborted || (limit !== undefined && told >= limit)) return;
        told += 1;
        console.log(format === "json" ? JSON.stringify(change) : describe(change, process.stdout.isTTY));
        if (told === limit) done.resolve(0);
      });
      // A server may tell of a part of what was asked for.
      resource.server.onChange((change) => {
        if (change.type === "resource" && change.uri.startsWith(resource.uri)) look();
      });
      await resource.server.subscribe(resource.uri).catch(() => {});
      const tells = resource.server.listing?.tellsChanges === true;
      const seconds = every ?? (tells ? SAFETY_SECONDS : POLL_SECONDS);
      if (seconds > 0) timers.push(setInterval(look, seconds * 1000));
      // What changed between the first look and the subscription.
      look();
      console.error(
        `Watching ${terminalText(resource.uri)} of ${resource.server.key}${tells ? "" : `, which cannot tell changes${seconds > 0 ? `: read every ${seconds} s` : ""}`}.`,
      );
    }
    return await done.promise;
  } finally {
    for (const timer of timers) clearInterval(timer);
    await opened.close();
  }
}

function secondsFrom(values: OptionValues): number | undefined {
  const given = text(values, "every");
  if (given === undefined) return undefined;
  const seconds = Number(given);
  if (!(seconds >= 0 && seconds <= 86_400))
    throw new UsageError(`--every is "${given}"; it must be a number of seconds from 0 to 86400.`);
  return seconds;
}

type Server = ReturnType<OpenedProfile["servers"]>[number];

interface Watched {
  readonly server: Server;
  readonly uri: string;
  state: State;
}

type State =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "bytes"; readonly hash: string; readonly bytes: number }
  | { readonly type: "failed"; readonly reason: string };

/** Whose it is, and how it is now. What cannot be read at all is an error at once. */
async function find(
  opened: OpenedProfile,
  uri: string,
  only: string | undefined,
  signal: AbortSignal,
): Promise<Watched> {
  const args = { uri, ...(only !== undefined && { extension_name: only }) };
  if (only !== undefined) chosenServers(opened, only);
  const response = await opened.call("platform__read_resource", args, { signal });
  const owner = response.isError ? undefined : response.content[0]?.source?.extension;
  const server = opened.servers().find(({ key }) => key === owner);
  if (!server) {
    const words = response.content.map((content) => (content.type === "text" ? content.text : "")).join("\n");
    throw new Error(terminalText(words || `${uri} cannot be watched.`));
  }
  return { server, uri, state: await stateOf(server, uri, signal) };
}

async function stateOf(server: Server, uri: string, signal: AbortSignal): Promise<State> {
  try {
    return summarise(await server.readResource(uri, { signal }));
  } catch (error) {
    return { type: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

function summarise(contents: readonly ResourceContents[]): State {
  const texts = contents.flatMap((part) => ("text" in part ? [part.text] : []));
  if (texts.length === contents.length) return { type: "text", text: texts.join("\n") };
  const hash = createHash("sha256");
  let bytes = 0;
  for (const part of contents) {
    hash.update("text" in part ? part.text : part.blob);
    bytes += "text" in part ? Buffer.byteLength(part.text) : Math.floor((part.blob.length * 3) / 4);
  }
  return { type: "bytes", hash: hash.digest("hex"), bytes };
}

/** One line of the JSON form. */
interface Change {
  readonly time: string;
  readonly extension: string;
  readonly uri: string;
  readonly change: "changed" | "unreadable";
  readonly bytes?: number;
  /** Missing where there is none: bytes, or texts that share too little. */
  readonly diff?: string;
  readonly reason?: string;
}

async function compare(watched: Watched, signal: AbortSignal): Promise<Change | undefined> {
  const { server, uri, state: before } = watched;
  const after = await stateOf(server, uri, signal);
  if (isSame(before, after)) return undefined;
  watched.state = after;
  const common = { time: new Date().toISOString(), extension: server.key, uri };
  if (after.type === "failed") return { ...common, change: "unreadable", reason: after.reason };
  if (after.type === "bytes") return { ...common, change: "changed", bytes: after.bytes };
  const diff = before.type === "text" ? unifiedDiff(before.text, after.text) : undefined;
  const bytes = Buffer.byteLength(after.text);
  return { ...common, change: "changed", bytes, ...(diff !== undefined && { diff }) };
}

function isSame(a: State, b: State): boolean {
  if (a.type === "text" && b.type === "text") return a.text === b.text;
  if (a.type === "bytes" && b.type === "bytes") return a.hash === b.hash;
  return a.type === "failed" && b.type === "failed";
}

function describe({ time, extension, uri, diff, bytes, reason }: Change, isTerminal = false): string {
  const safe = (value: string) => safeText(value, { isTerminal });
  const what = reason === undefined ? `changed, ${byteSize(bytes ?? 0)}` : `cannot be read: ${safe(reason)}`;
  const line = `${time}  ${extension}  ${safe(uri)}  ${what}`;
  if (diff === undefined) return line;
  return [
    line,
    ...safe(diff)
      .split("\n")
      .map((part) => colour(part, isTerminal)),
  ].join("\n");
}

function colour(line: string, isTerminal: boolean): string {
  const code = { "+": 32, "-": 31, "@": 36 }[line[0] ?? ""];
  if (!isTerminal || process.env["NO_COLOR"] || code === undefined) return line;
  return `\u001B[${code}m${line}\u001B[39m`;
}

/** One look at a time; a wish during a look is one more look after it, however often it is wished. */
function serially(look: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    running = true;
    do {
      again = false;
      await look();
    } while (again);
    running = false;
  };
  return () => {
    again = true;
    if (!running) void run();
  };
}
