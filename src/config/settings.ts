/**
 * The settings of one run, in layers: defaults, the user's file, the environment, the flags. Parsed once into a
 * frozen value; no room but `app` ever sees it whole.
 */
export interface ExtensionCommon {
  /** As written; the key is derived from it. */
  readonly name: string;
  readonly enabled: boolean;
  readonly description?: string;
  readonly timeoutSeconds?: number;
  readonly startupSeconds?: number;
  readonly availableTools?: readonly string[];
  readonly required?: boolean;
  readonly maxConcurrency?: number;
}

/** What the processes of one extension may use. */
export interface LimitSettings {
  readonly memoryMegabytes?: number;
  readonly cpuSeconds?: number;
  readonly openFiles?: number;
  readonly processes?: number;
}

export interface OAuthSettings {
  readonly clientId?: string;
  /** The name under which the secret is kept, not the secret. */
  readonly clientSecretKey?: string;
  readonly scopes?: readonly string[];
  readonly clientMetadataUrl?: string;
}

export type ExtensionSettings = ExtensionCommon &
  (
    | { readonly type: "builtin"; readonly builtin: string; readonly limits?: LimitSettings }
    | {
        readonly type: "stdio";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        /** Names of secrets taken from the environment (or the keyring) when it starts. */
        readonly envKeys: readonly string[];
        readonly cwd?: string;
        readonly limits?: LimitSettings;
      }
    | {
        readonly type: "sse" | "streamable_http";
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly oauth?: OAuthSettings;
      }
  );

/** When the model gets a search instead of all tools. Not enabled: never. */
export interface ToolSearchSettings {
  readonly enabled?: boolean;
  readonly maxTools?: number;
  readonly maxTokens?: number;
  /** Extensions and tools that are always in the model's list. */
  readonly always?: readonly string[];
}

export interface FileSettings {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly approve?: string;
  readonly maxTurns?: number;
  /** Tokens that resources may take in the context by themselves. */
  readonly contextBudget?: number;
  readonly toolSearch?: ToolSearchSettings;
  readonly extensions: readonly ExtensionSettings[];
}

/** What a fresh machine has: enough to do the main job at once. */
export const DEFAULT_EXTENSIONS: readonly ExtensionSettings[] = [
  { type: "builtin", name: "developer", builtin: "developer", enabled: true },
  { type: "builtin", name: "code", builtin: "code", enabled: true },
  { type: "builtin", name: "wakashu", builtin: "wakashu", enabled: true },
];
