/**
 * One server of another host, in Kari's words. What Kari cannot do is either a reason to refuse the server or a note;
 * nothing is left out in silence. Literal secrets are taken out of the entry and given back beside it.
 */
import { posix, win32 } from "node:path";
import type { ExtensionEntry, RemoteEntry, StdioEntry } from "../extension-entry.ts";
import { splitWords } from "../extension-flag.ts";
import { type Ask, translateVariables, type VariableContext } from "./host-variables.ts";
import { readOAuth } from "./oauth-entry.ts";
import { holdsSecret } from "./secret-values.ts";
import type { RawServer } from "./server-map.ts";
import { takeOutSecrets } from "./take-out-secrets.ts";

export type ServerReading =
  | {
      readonly type: "usable";
      readonly entry: ExtensionEntry;
      readonly notes: readonly string[];
      /** Literal secrets, by the name under which Kari will look for them. */
      readonly secrets: Readonly<Record<string, string>>;
      readonly asks: readonly Ask[];
    }
  | { readonly type: "refused"; readonly reason: string };

/** Not worth a word: they say what we know already, or only how the host shows it. */
const SILENT = new Set(
  "$schema type transport transportType name display_name bundled icon iconPath gallery version".split(" "),
);

export function readServer(
  { name, entry: raw, disabled }: RawServer,
  context: VariableContext,
): ServerReading {
  const reader = new EntryReader(raw, context);
  try {
    const kind = kindOf(raw, context);
    const entry =
      kind === "builtin"
        ? reader.builtin(name)
        : kind === "stdio"
          ? reader.stdio()
          : reader.remote(kind, name);
    const common = reader.common(disabled);
    const { entry: clean, secrets, notes } = takeOutSecrets(name, { ...entry, ...common });
    const left = reader.leftovers();
    return {
      type: "usable",
      entry: clean,
      notes: [...new Set([...reader.notes, ...left, ...notes])],
      secrets: { ...secrets, ...reader.secrets },
      asks: uniqueAsks(reader.asks),
    };
  } catch (error) {
    if (error instanceof Refusal) return { type: "refused", reason: error.message };
    throw error;
  }
}

class Refusal extends Error {}

type Kind = "builtin" | "stdio" | "sse" | "streamable_http";

function kindOf(raw: RawServer["entry"], { dialect }: VariableContext): Kind {
  const said = raw["type"] ?? raw["transport"] ?? raw["transportType"];
  if (said !== undefined && typeof said !== "string") throw new Refusal(`its type is ${show(said)}`);
  switch (said?.toLowerCase().replace(/[-_]/g, "")) {
    case "builtin":
      return "builtin";
    case "stdio":
    case "local":
      return "stdio";
    case "sse":
      return "sse";
    case "http":
    case "streamablehttp":
    case "remote":
      return "streamable_http";
    case undefined:
      break;
    default:
      throw new Refusal(`its type is "${said}"; Kari knows stdio, http and sse`);
  }
  if (raw["command"] !== undefined || raw["cmd"] !== undefined) return "stdio";
  if (raw["httpUrl"] !== undefined) return "streamable_http";
  const url = raw["url"] ?? raw["serverUrl"] ?? raw["uri"];
  if (typeof url !== "string") throw new Refusal("it has neither a command nor an address");
  if (dialect.url !== "by-path") return dialect.url;
  return /\/sse\/?(?:[?#]|$)/.test(url) ? "sse" : "streamable_http";
}

/** Reads fields by any of their names and remembers which ones were read. */
class EntryReader {
  readonly notes: string[] = [];
  readonly asks: Ask[] = [];
  readonly secrets: Record<string, string> = {};
  readonly #raw: RawServer["entry"];
  readonly #context: VariableContext;
  readonly #read = new Set<string>();

  constructor(raw: RawServer["entry"], context: VariableContext) {
    this.#raw = raw;
    this.#context = context;
  }

  builtin(name: string): ExtensionEntry {
    const [, own] = this.#take("name");
    return typeof own === "string" && own !== name ? { type: "builtin", name: own } : { type: "builtin" };
  }

  stdio(): StdioEntry {
    const [program, ...rest] = this.#command();
    if (program === undefined || program === "") throw new Refusal("its command is empty");
    const args = [...rest, ...this.#list("args")].map((word) => this.#text(word));
    const cmd = this.#text(program);
    const env = this.#record("env", "environment", "envs");
    const cwd = this.#folder();
    args.forEach((word, at) => {
      if (holdsSecret(word, args[at - 1]))
        this.notes.push(`argument ${at + 1} looks like a secret and is written into config.yaml in clear`);
    });
    const passed = Object.keys(env).filter((key) => env[key] === `\${${key}}`);
    const envKeys = [...new Set([...passed, ...this.#list("env_keys")])];
    const envs = Object.fromEntries(Object.entries(env).filter(([key]) => !passed.includes(key)));
    return {
      type: "stdio",
      cmd,
      ...(args.length > 0 && { args }),
      ...(Object.keys(envs).length > 0 && { envs }),
      ...(envKeys.length > 0 && { env_keys: envKeys }),
      ...(cwd !== undefined && { cwd }),
    };
  }

  remote(type: "sse" | "streamable_http", server: string): RemoteEntry {
    const [key, url] = this.#take("httpUrl", "url", "serverUrl", "uri");
    if (typeof url !== "string") throw new Refusal("it has no address");
    const uri = this.#text(url);
    const isAddress = URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol);
    if (!isAddress && !uri.includes("${")) throw new Refusal(`its ${key} is "${uri}", not an http address`);
    if (holdsSecret(uri))
      this.notes.push("its address holds a secret, which is written into config.yaml in clear");
    const headers = this.#record("headers");
    const [, authorization] = this.#take("auth", "oauth");
    const oauth = readOAuth(authorization, server, (text) => this.#text(text));
    this.notes.push(...oauth.notes);
    Object.assign(this.secrets, oauth.secrets);
    return { type, uri, ...(Object.keys(headers).length > 0 && { headers }), ...oauth.entry };
  }

  common(
    disabledElsewhere: boolean,
  ): Pick<ExtensionEntry, "enabled" | "description" | "timeout" | "available_tools"> {
    const [, off] = this.#take("disabled");
    const [, on] = this.#take("enabled");
    const [, description] = this.#take("description");
    const timeout = this.#timeout();
    const tools = this.#list("includeTools", "available_tools", "enabledTools");
    return {
      ...((disabledElsewhere || off === true || on === false) && { enabled: false }),
      ...(typeof description === "string" && description !== "" && { description }),
      ...(timeout !== undefined && { timeout }),
      ...(tools.length > 0 && { available_tools: tools }),
    };
  }

  leftovers(): readonly string[] {
    const left = Object.entries(this.#raw).filter(
      ([key, value]) => !this.#read.has(key) && !SILENT.has(key) && !isNothing(value),
    );
    return left.length === 0 ? [] : [`not taken over: ${left.map(([key]) => key).join(", ")}`];
  }

  #command(): readonly string[] {
    const [key, command] = this.#take("command", "cmd");
    if (Array.isArray(command)) return command.map((word) => scalar(word, key));
    if (typeof command !== "string") throw new Refusal(`its ${key} is ${show(command)}`);
    const isPath = /^(["']|[\\/~.]|[A-Za-z]:|\$\{)/.test(command);
    if (isPath || !/\s/.test(command.trim()) || this.#raw["args"] !== undefined) return [command.trim()];
    this.notes.push(`"${command}" is read as a command with its arguments`);
    try {
      return splitWords(command);
    } catch (error) {
      throw new Refusal(error instanceof Error ? error.message : String(error));
    }
  }

  #folder(): string | undefined {
    const [, cwd] = this.#take("cwd");
    const { project, home, platform } = this.#context;
    // The same command in the same folder: that is where the other host starts the servers of a project.
    if (typeof cwd !== "string" || cwd === "") return project;
    const { isAbsolute, join } = platform === "win32" ? win32 : posix;
    const folder = this.#text(cwd).replace(/^~(?=[\\/]|$)/, home);
    return project === undefined || isAbsolute(folder) || folder.startsWith("${")
      ? folder
      : join(project, folder);
  }

  #timeout(): number | undefined {
    const [, value] = this.#take("timeout", "timeout_ms");
    const given =
      typeof value === "object" && value !== null ? (value as { request?: unknown }).request : value;
    if (typeof given !== "number" || !(given > 0)) return undefined;
    return this.#context.dialect.timeout === "seconds" ? given : Math.max(1, Math.ceil(given / 1000));
  }

  #record(...keys: readonly string[]): Record<string, string> {
    const [key, value] = this.#take(...keys);
    if (isNothing(value)) return {};
    if (typeof value !== "object" || Array.isArray(value)) throw new Refusal(`its ${key} is ${show(value)}`);
    return Object.fromEntries(
      Object.entries(value as object)
        // A variable without a value means: not set.
        .filter(([, item]) => item !== null)
        .map(([name, item]) => [name, this.#text(scalar(item, `${key}.${name}`))]),
    );
  }

  #list(...keys: readonly string[]): readonly string[] {
    const [key, value] = this.#take(...keys);
    if (isNothing(value)) return [];
    if (!Array.isArray(value)) throw new Refusal(`its ${key} is ${show(value)}, not a list`);
    return value.map((item) => scalar(item, key));
  }

  #text(text: string): string {
    const { text: translated, unknown, notes, asks } = translateVariables(text, this.#context);
    if (unknown.length > 0)
      throw new Refusal(
        `it uses ${[...new Set(unknown)].join(", ")}, which Kari does not know; add it by hand`,
      );
    this.notes.push(...notes);
    this.asks.push(...asks);
    return translated;
  }

  #take(...keys: readonly string[]): [key: string, value: unknown] {
    for (const key of keys) this.#read.add(key);
    const key = keys.find((candidate) => Object.hasOwn(this.#raw, candidate)) ?? keys[0] ?? "";
    return [key, Object.hasOwn(this.#raw, key) ? this.#raw[key] : undefined];
  }
}

function scalar(value: unknown, place: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Refusal(`its ${place} is ${show(value)}, not a text`);
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function show(value: unknown): string {
  const json = JSON.stringify(value) ?? "missing";
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}

function uniqueAsks(asks: readonly Ask[]): readonly Ask[] {
  return [...new Map(asks.map((ask) => [ask.name, ask])).values()];
}
