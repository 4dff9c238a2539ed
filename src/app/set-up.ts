/**
 * The first set-up: which providers can be chosen, and how a choice is written. The questions themselves are asked in
 * cli/commands/configure.ts; here nothing is asked.
 */
import {
  configFile,
  DEFAULT_EXTENSIONS,
  type FileSettings,
  keyVariable,
  loadSettings,
} from "../config/index.ts";
import { editConfig } from "../config/write.ts";
import type { YamlEdit } from "../config/yaml-edit.ts";
import { builtinNames, builtinSummary } from "./builtins.ts";
import type { Surroundings } from "./surroundings.ts";

export interface ProviderChoice {
  readonly id: string;
  readonly label: string;
  /** The variable of its key; undefined where none is needed. */
  readonly key?: string;
  readonly keyIsOptional?: boolean;
  /** `ask`: everybody has an address of their own. */
  readonly address?: { readonly ask: true; readonly example: string; readonly fallback?: string };
  /** Of the name, so that a person knows what kind of word is wanted. */
  readonly modelExample: string;
}

export function providerChoices(): readonly ProviderChoice[] {
  return PROVIDERS.map((provider) => {
    const key = keyVariable(provider.id);
    return { ...provider, ...(key !== undefined && { key }) };
  });
}

const PROVIDERS: readonly ProviderChoice[] = [
  { id: "anthropic", label: "Anthropic (Claude)", modelExample: "claude-sonnet-5-5" },
  { id: "openai", label: "OpenAI", modelExample: "gpt-5.5" },
  { id: "google", label: "Google Gemini", modelExample: "gemini-3-pro" },
  {
    id: "ollama",
    label: "Ollama, on this machine or in the house",
    address: { ask: true, example: "http://localhost:11434", fallback: "http://localhost:11434" },
    modelExample: "qwen3",
  },
  {
    id: "openai-compatible",
    label: "any other server with OpenAI's chat completions",
    keyIsOptional: true,
    address: { ask: true, example: "http://localhost:8080/v1" },
    modelExample: "the name your server gives it",
  },
];

export interface SetUp {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string;
  /** Builtins by name; those not named stay as they are. */
  readonly builtins: Readonly<Record<string, boolean>>;
}

export interface BuiltinChoice {
  readonly name: string;
  readonly summary: string;
  readonly enabled: boolean;
}

/** What is set now, to be offered as the answer. Throws ConfigError when the file is broken. */
export async function currentSetUp({
  paths,
}: Surroundings): Promise<{ readonly settings: FileSettings; readonly builtins: readonly BuiltinChoice[] }> {
  const settings = await loadSettings(paths);
  const builtins = builtinNames().map((name) => ({
    name,
    summary: builtinSummary(name) ?? "",
    enabled: settings.extensions.some(
      (extension) => extension.type === "builtin" && extension.builtin === name && extension.enabled,
    ),
  }));
  return { settings, builtins };
}

/** The file. */
export async function saveSetUp(setUp: SetUp, { paths }: Surroundings): Promise<string> {
  const { file } = await editConfig(configFile(paths), ({ extensions }) => [
    { type: "set", path: ["provider"], value: setUp.provider },
    { type: "set", path: ["model"], value: setUp.model },
    setUp.baseUrl === undefined
      ? { type: "delete", path: ["base_url"] }
      : { type: "set", path: ["base_url"], value: setUp.baseUrl },
    ...Object.entries(setUp.builtins).flatMap(([name, enabled]) => builtinEdits(name, enabled, extensions)),
  ]);
  return file;
}

function builtinEdits(
  name: string,
  enabled: boolean,
  inFile: FileSettings["extensions"],
): readonly YamlEdit[] {
  const written = inFile.find((extension) => extension.type === "builtin" && extension.builtin === name);
  if (written)
    return written.enabled === enabled
      ? []
      : [{ type: "set", path: ["extensions", written.name, "enabled"], value: enabled }];
  const byDefault = DEFAULT_EXTENSIONS.some((extension) => extension.name === name);
  return byDefault === enabled
    ? []
    : [{ type: "set", path: ["extensions", name], value: { type: "builtin", enabled } }];
}
