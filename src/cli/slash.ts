/** What can be typed in a session besides words: lines that begin with a slash. Pure but for the session they act on. */
import type { Session } from "../app/session-port.ts";

interface Slash {
  readonly usage: string;
  readonly help: string;
  run(session: Session, words: readonly string[]): string;
}

const SLASHES: Readonly<Record<string, Slash>> = {
  "/context": { usage: "/context", help: "the resources in the context, and why", run: showShelf },
  "/attach": {
    usage: "/attach EXTENSION URI",
    help: "put a resource into the context",
    run: (session, words) => put(session, words, "attached"),
  },
  "/pin": {
    usage: "/pin EXTENSION URI",
    help: "the same, before all others",
    run: (session, words) => put(session, words, "pinned"),
  },
  "/drop": { usage: "/drop URI", help: "take a resource out of the context", run: drop },
  "/tools": {
    usage: "/tools",
    help: "the tools there are",
    run: (session) => session.tools.map((tool) => tool.name).join("\n"),
  },
  "/extensions": {
    usage: "/extensions",
    help: "the extensions and their state",
    run: (session) =>
      session.extensions.map(({ key, kind, state }) => `${key}  ${kind}  ${state.type}`).join("\n"),
  },
};

export function runSlash(line: string, session: Session): string {
  const [name = "", ...words] = line.trim().split(/\s+/);
  const slash = Object.hasOwn(SLASHES, name) ? SLASHES[name] : undefined;
  if (slash) return slash.run(session, words);
  const lines = Object.values(SLASHES).map(({ usage, help }) => `${usage.padEnd(24)}${help}`);
  return [
    ...(name === "/help" ? [] : [`There is no ${name}.`]),
    ...lines,
    `${"/exit".padEnd(24)}end the session`,
  ].join("\n");
}

function showShelf(session: Session): string {
  if (session.shelf.length === 0) return "No resources are in the context yet.";
  const total = session.shelf.reduce((sum, entry) => sum + entry.tokens, 0);
  const lines = session.shelf.map(
    ({ name, extension, uri, why, tokens, changedAt }) =>
      `${why.padEnd(9)} ${String(tokens).padStart(7)} tokens  ${extension}  ${uri}  ${name}  (since ${changedAt})`,
  );
  return [...lines, `${session.shelf.length} resources, about ${total} tokens`].join("\n");
}

function put(session: Session, [extension, uri]: readonly string[], why: "attached" | "pinned"): string {
  if (extension === undefined || uri === undefined)
    return `It is /${why === "pinned" ? "pin" : "attach"} EXTENSION URI.`;
  if (!session.extensions.some(({ key }) => key === extension))
    return `There is no extension "${extension}".`;
  session.attach(extension, uri, why);
  return `${uri} goes with your next words.`;
}

function drop(session: Session, [uri]: readonly string[]): string {
  if (uri === undefined) return "It is /drop URI.";
  return session.drop(uri)
    ? `${uri} is taken out with your next words.`
    : `${uri} is not in the context; /context shows what is.`;
}
