/**
 * What an extension is before it runs: one tagged union, exactly the fields of each kind.
 * Plain data; reading files and expanding variables is the config room's work.
 */
interface Common {
  /** `[a-z0-9-]+`, unique, none of RESERVED_KEYS: the prefix of its tools. */
  readonly key: string;
  readonly description?: string;
  /** Idle seconds of one call before it is cancelled; progress resets it. */
  readonly timeoutSeconds?: number;
  /** How long it may take to start and to say what it offers. */
  readonly startupSeconds?: number;
  /** When given, only these tools exist for the model. */
  readonly availableTools?: readonly string[];
  /** The first question to the model waits for it. */
  readonly required?: boolean;
  /** How many of its calls run at once; the others wait. */
  readonly maxConcurrency?: number;
}

/** What one extension's processes may use. Enforced on Linux. */
export interface ProcessLimits {
  /** Of address space for each of its processes. */
  readonly memoryMegabytes?: number;
  /** Of processor time for each of its processes. */
  readonly cpuSeconds?: number;
  readonly openFiles?: number;
  /** How many processes this person may have in all while it runs: what a fork bomb runs into. */
  readonly processes?: number;
}

/** For servers whose authorization server knows us already, or cannot be told who we are. */
export interface OAuthConfig {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  /** Where our own description can be read by the authorization server (CIMD). */
  readonly clientMetadataUrl?: string;
}

export interface BuiltinConfig extends Common {
  readonly type: "builtin";
  readonly name: string;
  readonly limits?: ProcessLimits;
}

export interface StdioConfig extends Common {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Declared for this extension alone; nobody else gets them. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly limits?: ProcessLimits;
}

/** The type is what is tried first: a server of the other kind is found out. */
export interface RemoteConfig extends Common {
  readonly type: "sse" | "streamable_http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthConfig;
}

export type ProcessConfig = BuiltinConfig | StdioConfig;
export type ExtensionConfig = ProcessConfig | RemoteConfig;
export type ExtensionKind = ExtensionConfig["type"] | "platform";

export const DEFAULT_TIMEOUT_SECONDS = 300;
export const DEFAULT_CONCURRENCY = 8;
export const PLATFORM_KEY = "platform";
export const SESSION_KEY = "session";
/** Kari's own extensions: nobody else may be called like them. */
export const RESERVED_KEYS: readonly string[] = [PLATFORM_KEY, SESSION_KEY];

/** For error messages: what would be started, without environment values or header values. */
export function describeConfig(config: ExtensionConfig): string {
  switch (config.type) {
    case "builtin":
      return `builtin(${config.name})`;
    case "stdio":
      return `stdio(${[config.command, ...config.args].map(quoteArgument).join(" ")})`;
    case "sse":
    case "streamable_http":
      return `${config.type}(${withoutCredentials(config.url)})`;
    default:
      return config satisfies never;
  }
}

function quoteArgument(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.username = "";
  parsed.password = "";
  parsed.search = "";
  return parsed.href;
}
