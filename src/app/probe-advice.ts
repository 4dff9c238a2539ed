/** Why an extension did not start, and what a person can do about it, in plain words. Pure. */
import { basename } from "node:path";
import { ConfigError, type ExtensionSettings } from "../config/index.ts";
import { quote, targetOf } from "./manage-extensions.ts";

/** What was thrown; "fetch failed" says nothing without its innermost cause. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const root = causes(error).at(-1)?.message;
  return message.endsWith("fetch failed") && root !== undefined ? `${message} (${root})` : message;
}

/** `error` as it was thrown: its causes tell more than its words. */
export function adviseOn(settings: ExtensionSettings, error: unknown): string {
  const signs = causes(error)
    .map(({ message, code }) => `${message} ${typeof code === "string" ? code : ""}`)
    .join("\n");
  if (error instanceof ConfigError) return adviseOnSettings(settings, signs);
  switch (settings.type) {
    case "builtin":
      return `This is Kari's own: run it by hand to see what it says: kari mcp ${quote(settings.builtin)}`;
    case "stdio":
      return /is not set|are not set/.test(signs)
        ? adviseOnSettings(settings, signs)
        : adviseOnProcess(settings, signs);
    case "sse":
    case "streamable_http":
      return /is not set|are not set/.test(signs)
        ? adviseOnSettings(settings, signs)
        : adviseOnAddress(settings, signs);
    default:
      return settings satisfies never;
  }
}

type Stdio = Extract<ExtensionSettings, { type: "stdio" }>;
type Remote = Extract<ExtensionSettings, { type: "sse" | "streamable_http" }>;

/** The look of an environment variable in what a program says. */
const VARIABLE = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/;

/** Programs that come with something else, and what that is called. */
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

function adviseOnSettings({ name }: ExtensionSettings, signs: string): string {
  const variable = /wants (\w+), and it is not set/.exec(signs)?.[1] ?? /\$\{(\w+)\}/.exec(signs)?.[1];
  const mend = variable
    ? `Set ${variable} in the environment, or keep it: kari config secret ${variable}.`
    : "Mend its configuration.";
  return `${mend} Or do without it: kari extensions disable ${quote(name)}`;
}

function adviseOnProcess(settings: Stdio, signs: string): string {
  const program = basename(settings.command);
  const byHand = `Run it by hand to see what it says: ${targetOf(settings)}`;
  if (/\bENOENT\b/.test(signs)) {
    const from = Object.hasOwn(COMES_WITH, program) ? COMES_WITH[program] : undefined;
    const install = from
      ? `Install ${from}, which brings ${program}`
      : `Install ${program}, or check how it is spelt`;
    const folder = settings.cwd === undefined ? "" : ` The folder ${settings.cwd} must be there too.`;
    return `${install}; or give its full path as "cmd".${folder}`;
  }
  if (/\bEACCES\b/.test(signs)) return `Make it executable: chmod +x ${quote(settings.command)}`;
  if (/no answer within|timed? ?out/i.test(signs))
    return `It runs but does not answer; a first start may still be downloading. ${byHand}`;
  const variable = VARIABLE.exec(signs)?.[0];
  if (variable && /missing|required|not set|undefined|must|provide|need/i.test(signs))
    return `It seems to want ${variable}: kari config secret ${variable}, and name it under env_keys. ${byHand}`;
  return byHand;
}

function adviseOnAddress(settings: Remote, signs: string): string {
  const host = URL.canParse(settings.url) ? new URL(settings.url).host : settings.url;
  if (/ECONNREFUSED/.test(signs)) return `Nothing listens at ${host}. Start that server, or check the port.`;
  if (/ENOTFOUND|EAI_AGAIN/.test(signs))
    return `The name ${host} is not known. Check its spelling, and the network.`;
  if (/CERT|SELF_SIGNED|certificate/.test(signs))
    return `The certificate of ${host} is not trusted. If it is your own, name it in NODE_EXTRA_CA_CERTS.`;
  if (/\b(401|403)\b|unauthori[sz]ed|forbidden|authoriz/i.test(signs))
    return 'Authorize it: in a terminal, kari tools list opens your browser for that. Or give it a header such as Authorization: "Bearer ${NAME}", and the secret with kari config secret NAME.';
  if (/\b(404|405)\b/.test(signs))
    return "There is no MCP server at that path. Many are at /mcp; older ones (type: sse) at /sse.";
  if (/no answer within|timed? ?out|ETIMEDOUT/i.test(signs))
    return `It did not answer in time. Check the network, a proxy (HTTPS_PROXY), and that ${host} is up.`;
  return "Check the address, and its type: streamable_http (today's) or sse (the older one).";
}

interface Cause {
  readonly message: string;
  readonly code?: unknown;
}

/** The error, then what it was caused by; also the parts of one that stands for several. */
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
