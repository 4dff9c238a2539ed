/** An extension as it stands in `config.yaml`, key for key: what commands write there. Defaults are left out. */
interface Common {
  readonly enabled?: boolean;
  readonly description?: string;
  /** Seconds. */
  readonly timeout?: number;
  /** Seconds. */
  readonly startup_timeout?: number;
  readonly available_tools?: readonly string[];
  readonly required?: boolean;
  readonly max_concurrency?: number;
}

export interface LimitsEntry {
  /** Megabytes, or a text such as 2GB. */
  readonly memory?: number | string;
  /** Seconds. */
  readonly cpu?: number;
  readonly open_files?: number;
  readonly processes?: number;
}

export interface BuiltinEntry extends Common {
  readonly type: "builtin";
  /** Only where the extension is called something else than the builtin. */
  readonly name?: string;
  readonly limits?: LimitsEntry;
}

export interface StdioEntry extends Common {
  readonly type: "stdio";
  readonly cmd: string;
  readonly args?: readonly string[];
  readonly envs?: Readonly<Record<string, string>>;
  readonly env_keys?: readonly string[];
  readonly cwd?: string;
  readonly limits?: LimitsEntry;
}

export interface RemoteEntry extends Common {
  readonly type: "sse" | "streamable_http";
  readonly uri: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly client_id?: string;
  readonly client_secret_key?: string;
  readonly scopes?: readonly string[];
  readonly client_metadata_url?: string;
}

export type ExtensionEntry = BuiltinEntry | StdioEntry | RemoteEntry;

const ORDER =
  "type enabled name description cmd args envs env_keys cwd uri headers client_id client_secret_key scopes client_metadata_url timeout startup_timeout limits max_concurrency available_tools required".split(
    " ",
  );

/** The same keys in the order in which a person would write them. */
export function inReadingOrder(entry: ExtensionEntry): ExtensionEntry {
  const keys = Object.entries(entry).sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return Object.fromEntries(keys) as unknown as ExtensionEntry;
}
