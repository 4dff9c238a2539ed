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
  readonly availableTools?: readonly string[];
  readonly required?: boolean;
}

export type ExtensionSettings = ExtensionCommon &
  (
    | { readonly type: "builtin"; readonly builtin: string }
    | {
        readonly type: "stdio";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        /** Names of secrets taken from the environment (or the keyring) when it starts. */
        readonly envKeys: readonly string[];
        readonly cwd?: string;
      }
    | {
        readonly type: "sse" | "streamable_http";
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
      }
  );

export interface FileSettings {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly approve?: string;
  readonly maxTurns?: number;
  readonly extensions: readonly ExtensionSettings[];
}

/** What a fresh machine has: enough to do the main job at once. */
export const DEFAULT_EXTENSIONS: readonly ExtensionSettings[] = [
  { type: "builtin", name: "developer", builtin: "developer", enabled: true },
];
