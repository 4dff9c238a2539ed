/**
 * Reads the user's `config.yaml`. A file that is broken, or says something we do not know, is an error with file,
 * line and key: silence would leave the person wondering. Loaded only where such a file exists.
 */
import { readFileSync } from "node:fs";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import type { ExtensionSettings, FileSettings } from "./settings.ts";

const scalars = z.record(z.string(), z.coerce.string());
const common = {
  enabled: z.boolean().default(true),
  name: z.string().min(1).optional(),
  display_name: z.string().optional(),
  description: z.string().optional(),
  timeout: z.number().positive().optional(),
  bundled: z.boolean().nullish(),
  available_tools: z.array(z.string()).optional(),
  required: z.boolean().optional(),
};
const remote = { uri: z.url(), headers: scalars.default({}), ...common };
const extensionSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("builtin"), ...common }),
  z.strictObject({
    type: z.literal("stdio"),
    cmd: z.string().min(1),
    args: z.array(z.coerce.string()).default([]),
    envs: scalars.default({}),
    env_keys: z.array(z.string()).default([]),
    cwd: z.string().optional(),
    ...common,
  }),
  z.strictObject({ type: z.literal("sse"), ...remote }),
  z.strictObject({ type: z.literal("streamable_http"), ...remote }),
]);
const fileSchema = z.strictObject({
  provider: z.string().optional(),
  model: z.string().optional(),
  base_url: z.url().optional(),
  approve: z.enum(["all", "read-only", "none", "ask"]).optional(),
  max_turns: z.number().int().positive().optional(),
  extensions: z.record(z.string(), extensionSchema).default({}),
});

export function readConfigFile(file: string): FileSettings {
  return parseConfig(readFileSync(file, "utf8"), file);
}

export function parseConfig(text: string, file: string): FileSettings {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken)
    throw new ConfigError(`not valid YAML: ${broken.message}`, {
      file,
      line: lines.linePos(broken.pos[0]).line,
    });
  const parsed = fileSchema.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
  if (!parsed.success) throw toConfigError(parsed.error, document, lines, file);
  const { base_url, max_turns, extensions, provider, model, approve } = parsed.data;
  return {
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(approve !== undefined && { approve }),
    ...(base_url !== undefined && { baseUrl: base_url }),
    ...(max_turns !== undefined && { maxTurns: max_turns }),
    extensions: Object.entries(extensions).map(([key, extension]) => toSettings(key, extension)),
  };
}

type RawExtension = z.output<typeof extensionSchema>;

function toSettings(key: string, raw: RawExtension): ExtensionSettings {
  const shared = {
    // goose keeps the name of a builtin in `name`; the key is what the person sees and types.
    name: key,
    enabled: raw.enabled,
    ...(raw.description !== undefined && { description: raw.description }),
    ...(raw.timeout !== undefined && { timeoutSeconds: raw.timeout }),
    ...(raw.available_tools !== undefined && { availableTools: raw.available_tools }),
    ...(raw.required !== undefined && { required: raw.required }),
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
      return { ...shared, type: raw.type, url: raw.uri, headers: raw.headers };
    default:
      return raw satisfies never;
  }
}

function toConfigError(error: z.ZodError, document: Document, lines: LineCounter, file: string): ConfigError {
  const issue = error.issues[0];
  const path = (issue?.path ?? []).filter((step) => typeof step !== "symbol");
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const fullPath = unknown === undefined ? path : [...path, unknown];
  const message =
    unknown === undefined ? (issue?.message ?? "cannot be read") : "is not a setting Kari knows";
  return new ConfigError(message, { file, line: lineOf(fullPath, document, lines), key: fullPath.join(".") });
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
