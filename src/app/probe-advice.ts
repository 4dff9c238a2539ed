/** What a person can do about an extension that did not start, in plain words. Pure. */
import { basename } from "node:path";
import { ConfigError, type ExtensionSettings } from "../config/index.ts";
import { quote, targetOf } from "./manage-extensions.ts";

/** `error` as it was thrown: its causes tell more than its words. */
export function adviseOn(settings: ExtensionSettings, error: unknown): string {
  const codes = causes(error).flatMap(({ code }) => (typeof code === "string" ? [code] : []));
  const words = causes(error)
    .map(({ message }) => message)
    .join("\n");
  if (error instanceof ConfigError || codes.includes("config"))
    return `Mend its configuration. ${TURN_OFF(settings)}`;
  switch (settings.type) {
    case "builtin":
      return "This is Kari's own: run it by hand to see what it says: kari mcp " + quote(settings.builtin);
    case "stdio":
      return adviseOnProcess(settings, codes, words);
    case "sse":
    case "streamable_http":
      return adviseOnAddress(settings, codes, words);
    default:
      return settings satisfies never;
  }
}

type Stdio = Extract<ExtensionSettings, { type: "stdio" }>;
type Remote = Extract<ExtensionSettings, { type: "sse" | "streamable_http" }>;

const TURN_OFF = ({ name }: ExtensionSettings) => `Or do without it: kari extensions disable ${quote(name)}`;

/** Programs that come with a runtime, and the runtime's name. */
const COMES_WITH: Readonly<Record<string, string>> = {
  npx: "Node.js",
  node: "Node.js",
  uvx: "uv",
  uv: "uv",
  docker: "Docker",
  python: "Python",
  python3: "Python",
  bunx: "Bun",
  deno: "Deno",
};

function adviseOnProcess(settings: Stdio, codes: readonly string[], words: string): string {
  const program = basename(settings.command);
  if (codes.includes("ENOENT")) {
    if (settings.cwd !== undefined && /working directory/.test(words) && program !== settings.command)
      return `Check that ${settings.command} and the folder ${settings.cwd} are there.`;
    const from = COMES_WITH[program];
    const install = from
      ? `Install ${from}, which brings ${program}`
      : `Install ${program}, or check how it is spelt`;
    return `${install}; or give its full path as "cmd".${settings.cwd ? ` The folder ${settings.cwd} must be there too.` : ""}`;
  }
  if (codes.includes("EACCES")) return `Make it executable: chmod +x ${quote(settings.command)}`;
  const byHand = `Run it by hand to see what it says: ${targetOf(settings)}`;
  if (/no answer within|Timeout|timed out/i.test(words))
    return `It is running but does not answer: a first start may be downloading. ${byHand}`;
  if (
    /(missing|required|not set|undefined|must (be )?(set|provide))/i.test(words) &&
    /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/.test(words)
  )
    return `It seems to want ${/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/.exec(words)?.[0]}: name it under env_keys and set it in the environment, or keep it with kari config secret. ${byHand}`;
  return byHand;
}

function adviseOnAddress(settings: Remote, codes: readonly string[], words: string): string {
  const host = URL.canParse(settings.url) ? new URL(settings.url).host : settings.url;
  if (codes.includes("ECONNREFUSED"))
    return `Nothing listens at ${host}. Start that server, or check the port.`;
  if (codes.includes("ENOTFOUND") || codes.includes("EAI_AGAIN"))
    return `The name ${host} is not known. Check how it is spelt, and the network.`;
  if (codes.some((code) => code.includes("CERT") || code.includes("SELF_SIGNED")))
    return `The certificate of ${host} is not trusted. If it is your own, name it in NODE_EXTRA_CA_CERTS.`;
  if (/\b(401|403)\b|unauthori[sz]ed|forbidden/i.test(words))
    return `It wants to know who you are. Give a header: headers: { Authorization: "Bearer \${NAME}" }, and the secret with kari config secret NAME.`;
  if (/\b(404|405)\b/.test(words))
    return `There is no MCP server at that path. Many are at /mcp; older ones (type: sse) at /sse.`;
  if (/no answer within|Timeout|timed out|ETIMEDOUT/i.test(words + codes.join(" ")))
    return `It did not answer in time. Check the network, a proxy (HTTPS_PROXY), and that the server is up.`;
  return `Check the address, and its type: streamable_http (today's) or sse (the older one).`;
}

interface Cause {
  readonly message: string;
  readonly code?: unknown;
}

/** The error and what it was caused by; also the parts of one that stands for several. */
function causes(error: unknown): readonly Cause[] {
  const found: Cause[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && found.length < 20) {
    const next = queue.shift();
    if (!(next instanceof Error) || found.includes(next)) continue;
    found.push(next);
    queue.push(next.cause, ...(next instanceof AggregateError ? next.errors : []));
  }
  return found;
}
