/**
 * Reads `--with-extension "[name:][ENV=value …] command args"`, `--with-http name=URL` and `--with-sse name=URL`.
 * Words are split as a shell splits them, quotes and backslashes included; nothing is expanded and no shell runs.
 */
import { basename } from "node:path";
import { ConfigError } from "./config-error.ts";
import type { ExtensionSettings } from "./settings.ts";

/** Programs that only start another one: the extension is named after what they start. */
const LAUNCHERS = new Set([
  "npx",
  "bunx",
  "uvx",
  "pnpm",
  "yarn",
  "node",
  "bun",
  "deno",
  "python",
  "python3",
  "uv",
  "sh",
  "bash",
]);

export function parseExtensionFlag(flag: string): Extract<ExtensionSettings, { type: "stdio" }> {
  const named = /^([\p{L}\p{N}_.-]{2,}):(?!\/\/|\\)\s*(.*)$/su.exec(flag);
  const words = splitWords(named?.[2] ?? flag);
  const env: Record<string, string> = {};
  while (words[0] !== undefined && /^[A-Za-z_][A-Za-z0-9_]*=/.test(words[0])) {
    const word = words.shift() ?? "";
    env[word.slice(0, word.indexOf("="))] = word.slice(word.indexOf("=") + 1);
  }
  const [command, ...args] = words;
  if (!command) {
    throw new ConfigError(`has no command: "${flag}". Write "[name:][ENV=value …] command args".`, {
      key: "--with-extension",
    });
  }
  return {
    type: "stdio",
    name: named?.[1] ?? nameOf(command, args),
    enabled: true,
    command,
    args,
    env,
    envKeys: [],
  };
}

export function parseRemoteFlag(
  flag: string,
  type: "sse" | "streamable_http",
): Extract<ExtensionSettings, { type: "sse" | "streamable_http" }> {
  const option = type === "sse" ? "--with-sse" : "--with-http";
  const named = /^([^=/:]+)=(.+)$/s.exec(flag);
  const url = named?.[2] ?? flag;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ConfigError(`"${url}" is not an http or https address. Write name=https://host/path.`, {
      key: option,
    });
  }
  return { type, name: named?.[1] ?? new URL(url).hostname, enabled: true, url, headers: {} };
}

/** Throws ConfigError on a quote that is never closed. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (character === "\\" && quote === '"' && /["\\$`]/.test(text[index + 1] ?? ""))
        word = (word ?? "") + text[++index];
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === "\\" && process.platform !== "win32" && index + 1 < text.length) {
      word = (word ?? "") + text[++index];
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (quote !== undefined) throw new ConfigError(`a ${quote} is never closed in: ${text}`);
  if (word !== undefined) words.push(word);
  return words;
}

function nameOf(command: string, args: readonly string[]): string {
  const program = basename(command).replace(/\.(exe|cmd|bat|ps1)$/i, "");
  if (!LAUNCHERS.has(program)) return program;
  const started = args.find((argument) => !argument.startsWith("-"));
  if (started === undefined) return program;
  return basename(started.replace(/@[^@/]*$/, "")).replace(/\.(m?[jt]s|cjs|py|sh)$/i, "") || program;
}
