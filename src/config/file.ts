/**
 * Reads the user's `config.yaml`. A file that is broken, or says something we do not know, is an error with file,
 * line and key: silence would leave the person wondering. Loaded only where such a file exists.
 */
import { readFileSync } from "node:fs";
import { type Document, isNode, LineCounter, parseDocument, type YAMLError } from "yaml";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import type { ExtensionEntry } from "./extension-entry.ts";
import type {
  ExtensionSettings,
  FileSettings,
  LimitSettings,
  OAuthSettings,
  ToolSearchSettings,
} from "./settings.ts";

const scalars = z.record(z.string(), z.coerce.string());
const common = {
  enabled: z.boolean().default(true),
  name: z.string().min(1).optional(),
  display_name: z.string().optional(),
  description: z.string().optional(),
  timeout: z.number().positive().optional(),
  startup_timeout: z.number().positive().optional(),
  bundled: z.boolean().nullish(),
  available_tools: z.array(z.string()).optional(),
  required: z.boolean().optional(),
  max_concurrency: z.number().int().positive().optional(),
};
const megabytes = z
  .union([z.number().positive(), z.string().regex(/^\d+(\.\d+)?\s*(MB|GB)$/i)])
  .transform((size) =>
    typeof size === "number" ? size : Number.parseFloat(size) * (/GB$/i.test(size) ? 1024 : 1),
  );
const limits = z
  .strictObject({
    memory: megabytes.optional(),
    cpu: z.number().positive().optional(),
    open_files: z.number().int().positive().optional(),
    processes: z.number().int().positive().optional(),
  })
  .optional();
/** With a variable in it, only the expanded address can be judged: when the extension starts. */
const address = z
  .string()
  .refine((uri) => uri.includes("${") || isHttpUrl(uri), "must be an address such as https://host/mcp");
const remote = {
  uri: address,
  headers: scalars.default({}),
  client_id: z.string().min(1).optional(),
  /** The name of the secret, not the secret. */
  client_secret_key: z.string().min(1).optional(),
  scopes: z.array(z.string()).optional(),
  client_metadata_url: z.url().optional(),
  ...common,
};
const extensionSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("builtin"), limits, ...common }),
  z.strictObject({
    type: z.literal("stdio"),
    cmd: z.string().min(1),
    args: z.array(z.coerce.string()).default([]),
    envs: scalars.default({}),
    env_keys: z.array(z.string()).default([]),
    cwd: z.string().optional(),
    limits,
    ...common,
  }),
  z.strictObject({ type: z.literal("sse"), ...remote }),
  z.strictObject({ type: z.literal("streamable_http"), ...remote }),
]);
const toolSearch = z.strictObject({
  enabled: z.boolean().optional(),
  max_tools: z.number().int().positive().optional(),
  max_tokens: z.number().int().positive().optional(),
  always: z.array(z.string().min(1)).optional(),
});
const fileSchema = z.strictObject({
  provider: z.string().optional(),
  model: z.string().optional(),
  base_url: z.url().optional(),
  approve: z.enum(["all", "read-only", "none", "ask"]).optional(),
  max_turns: z.number().int().positive().optional(),
  context_budget: z.number().int().nonnegative().optional(),
  tool_search: toolSearch.optional(),
  // A person who comments out every extension leaves `extensions:` with nothing in it.
  extensions: z.record(z.string(), extensionSchema).nullish(),
});

export function readConfigFile(file: string): FileSettings {
  return parseConfig(readFileSync(file, "utf8"), file);
}

/** Throws ConfigError for the first thing that is wrong. */
export function parseConfig(text: string, file: string): FileSettings {
  const { settings, errors } = checkConfig(text, file);
  if (settings === undefined) throw errors[0] ?? new ConfigError("cannot be read", { file });
  return settings;
}

/** Everything that is wrong at once: for `kari doctor`, so that a person need not mend and ask again and again. */
export function checkConfig(
  text: string,
  file: string,
): { readonly settings?: FileSettings; readonly errors: readonly ConfigError[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0)
    return { errors: document.errors.map((error) => notYaml(error, lines, file)) };
  const parsed = fileSchema.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
  if (!parsed.success)
    return { errors: parsed.error.issues.flatMap((issue) => toConfigErrors(issue, document, lines, file)) };
  return { settings: toFileSettings(parsed.data), errors: [] };
}

function toFileSettings(parsed: z.output<typeof fileSchema>): FileSettings {
  const { base_url, max_turns, context_budget, tool_search, extensions, provider, model, approve } = parsed;
  return {
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(approve !== undefined && { approve }),
    ...(base_url !== undefined && { baseUrl: base_url }),
    ...(max_turns !== undefined && { maxTurns: max_turns }),
    ...(context_budget !== undefined && { contextBudget: context_budget }),
    ...(tool_search !== undefined && { toolSearch: toToolSearch(tool_search) }),
    extensions: Object.entries(extensions ?? {}).map(([key, extension]) => toSettings(key, extension)),
  };
}

function toToolSearch(raw: z.output<typeof toolSearch>): ToolSearchSettings {
  const { enabled, max_tools, max_tokens, always } = raw;
  return {
    ...(enabled !== undefined && { enabled }),
    ...(max_tools !== undefined && { maxTools: max_tools }),
    ...(max_tokens !== undefined && { maxTokens: max_tokens }),
    ...(always !== undefined && { always }),
  };
}

/** One extension as it would be read from the file; throws ConfigError. */
export function parseExtension(name: string, entry: ExtensionEntry): ExtensionSettings {
  const parsed = extensionSchema.safeParse(entry);
  if (parsed.success) return toSettings(name, parsed.data);
  const issue = parsed.error.issues[0];
  throw new ConfigError(issue?.message ?? "cannot be read", { key: issue?.path.join(".") ?? name });
}

type RawExtension = z.output<typeof extensionSchema>;

function toSettings(key: string, raw: RawExtension): ExtensionSettings {
  const shared = {
    // goose keeps the name of a builtin in `name`; the key is what the person sees and types.
    name: key,
    enabled: raw.enabled,
    ...(raw.description !== undefined && { description: raw.description }),
    ...(raw.timeout !== undefined && { timeoutSeconds: raw.timeout }),
    ...(raw.startup_timeout !== undefined && { startupSeconds: raw.startup_timeout }),
    ...(raw.available_tools !== undefined && { availableTools: raw.available_tools }),
    ...(raw.required !== undefined && { required: raw.required }),
    ...(raw.max_concurrency !== undefined && { maxConcurrency: raw.max_concurrency }),
    ...("limits" in raw && raw.limits && { limits: toLimits(raw.limits) }),
  };
  switch (raw.type) {
    case "builtin":
      return { ...shared, type: "builtin", builtin: raw.name ?? key };
    case "stdio":
      return {
        ...shared,
        type: "stdio",
        command: raw.cmd,
        args: raw.args,
        env: raw.envs,
        envKeys: raw.env_keys,
        ...(raw.cwd !== undefined && { cwd: raw.cwd }),
      };
    case "sse":
    case "streamable_http":
      return { ...shared, type: raw.type, url: raw.uri, headers: raw.headers, ...toOAuth(raw) };
    default:
      return raw satisfies never;
  }
}

function toLimits(raw: NonNullable<z.output<typeof limits>>): LimitSettings {
  const { memory, cpu, open_files, processes } = raw;
  return {
    ...(memory !== undefined && { memoryMegabytes: memory }),
    ...(cpu !== undefined && { cpuSeconds: cpu }),
    ...(open_files !== undefined && { openFiles: open_files }),
    ...(processes !== undefined && { processes }),
  };
}

function toOAuth(raw: Extract<RawExtension, { uri: string }>): { oauth?: OAuthSettings } {
  const { client_id, client_secret_key, scopes, client_metadata_url } = raw;
  const oauth: OAuthSettings = {
    ...(client_id !== undefined && { clientId: client_id }),
    ...(client_secret_key !== undefined && { clientSecretKey: client_secret_key }),
    ...(scopes !== undefined && { scopes }),
    ...(client_metadata_url !== undefined && { clientMetadataUrl: client_metadata_url }),
  };
  return Object.keys(oauth).length > 0 ? { oauth } : {};
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function notYaml(error: YAMLError, lines: LineCounter, file: string): ConfigError {
  return new ConfigError(`not valid YAML: ${error.message}`, {
    file,
    line: lines.linePos(error.pos[0]).line,
  });
}

function toConfigErrors(
  issue: z.core.$ZodIssue,
  document: Document,
  lines: LineCounter,
  file: string,
): ConfigError[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  const at = (full: readonly (string | number)[], message: string) =>
    new ConfigError(message, { file, line: lineOf(full, document, lines), key: full.join(".") });
  if (issue.code !== "unrecognized_keys") return [at(path, issue.message)];
  return issue.keys.map((key) => at([...path, key], "is not a setting Kari knows"));
}

/** The line of the innermost part of `path` that exists. */
function lineOf(
  path: readonly (string | number)[],
  document: Document,
  lines: LineCounter,
): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    if (start !== undefined) return lines.linePos(start).line;
  }
  return undefined;
}

/** Every key there is, at the top and in an extension: docs/configuration.md is checked against it. */
export function knownKeys(): { readonly top: readonly string[]; readonly extension: readonly string[] } {
  const kinds = extensionSchema.options.flatMap((kind) => Object.keys(kind.shape));
  return { top: Object.keys(fileSchema.shape), extension: [...new Set(kinds)] };
}
