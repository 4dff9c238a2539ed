/** `kari extensions add`: an extension from flags. A secret given on the command line is written, and said to be. */

import { parseExtensionFlag, parseRemoteFlag } from "../../app/extension-flags.ts";
import { listSecrets, storeSecret } from "../../app/manage-config.ts";
import { addExtension, type ExtensionEntry, secretsInClear } from "../../app/manage-extensions.ts";
import { ourSurroundings } from "../../app/surroundings.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { canAsk } from "../can-ask.ts";
import { type Invocation, type OptionValues, positiveInteger, text, texts } from "../command.ts";
import { openPrompter } from "../prompter.ts";

export async function addFromFlags({ values, positionals }: Invocation): Promise<number> {
  const [, name, ...command] = positionals;
  if (name === undefined)
    throw new UsageError(
      'What shall it be called? kari extensions add NAME --stdio "command args", for example.',
    );
  const place = ourSurroundings();
  const entry = { ...entryFrom(name, command, values), ...commonFrom(values) };
  const { file, key } = await addExtension(name, entry, place);
  console.log(`Added ${name} to ${file}. Its tools are called ${key}__…; to try it: kari doctor ${name}`);
  for (const secret of secretsInClear(entry))
    console.error(
      `kari: the value of ${secret} stands in ${file} in clear. To keep it out, use \${NAME} there and kari config secret NAME.`,
    );
  await askForMissing(texts(values, "env-key"));
  return 0;
}

function entryFrom(name: string, command: readonly string[], values: OptionValues): ExtensionEntry {
  const kinds = ["builtin", "stdio", "http", "sse"].filter((kind) => text(values, kind) !== undefined);
  if (kinds.length + (command.length > 0 ? 1 : 0) !== 1)
    throw new UsageError(
      "Say once what it is: --builtin B, --stdio CMD, -- CMD ARGS, --http URL or --sse URL.",
    );
  const builtin = text(values, "builtin");
  if (builtin !== undefined)
    return refuse(values, ["env", "env-key", "header", "cwd"], builtinEntry(name, builtin));
  const url = text(values, "http") ?? text(values, "sse");
  if (url !== undefined) {
    const type = text(values, "http") === undefined ? "sse" : "streamable_http";
    return refuse(values, ["env", "env-key", "cwd"], remoteEntry(type, url, values));
  }
  return refuse(values, ["header"], stdioEntry(command, values));
}

function builtinEntry(name: string, builtin: string): ExtensionEntry {
  return builtin === name ? { type: "builtin" } : { type: "builtin", name: builtin };
}

function remoteEntry(type: "sse" | "streamable_http", url: string, values: OptionValues): ExtensionEntry {
  // An address with a variable in it can only be judged when it is filled in.
  if (!url.includes("${")) parseRemoteFlag(`x=${url}`, type);
  const headers = pairs(texts(values, "header"), /^([^\s:=]+)\s*[:=]\s*(.*)$/s, "--header");
  return { type, uri: url, ...(Object.keys(headers).length > 0 && { headers }) };
}

function stdioEntry(words: readonly string[], values: OptionValues): ExtensionEntry {
  const flag = text(values, "stdio");
  const parsed = flag === undefined ? undefined : parseExtensionFlag(`ext:${flag}`);
  const [cmd = "", ...args] = parsed?.type === "stdio" ? [parsed.command, ...(parsed.args ?? [])] : words;
  const inline = parsed?.type === "stdio" ? parsed.env : undefined;
  const envs = { ...inline, ...pairs(texts(values, "env"), /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s, "--env") };
  const keys = texts(values, "env-key");
  const cwd = text(values, "cwd");
  return {
    type: "stdio",
    cmd,
    ...(args.length > 0 && { args }),
    ...(Object.keys(envs).length > 0 && { envs }),
    ...(keys.length > 0 && { env_keys: keys }),
    ...(cwd !== undefined && { cwd }),
  };
}

function commonFrom(
  values: OptionValues,
): Pick<ExtensionEntry, "timeout" | "description" | "available_tools" | "required" | "enabled"> {
  const timeout = positiveInteger(values, "timeout");
  const description = text(values, "description");
  const tools = texts(values, "tool");
  return {
    ...(description !== undefined && { description }),
    ...(timeout !== undefined && { timeout }),
    ...(tools.length > 0 && { available_tools: tools }),
    ...(values["required"] === true && { required: true }),
    ...(values["disabled"] === true && { enabled: false }),
  };
}

function refuse(values: OptionValues, names: readonly string[], entry: ExtensionEntry): ExtensionEntry {
  const given = names.find((name) => text(values, name) !== undefined || texts(values, name).length > 0);
  if (given !== undefined)
    throw new UsageError(`--${given} has no meaning for an extension of type ${entry.type}.`);
  return entry;
}

function pairs(words: readonly string[], form: RegExp, flag: string): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value] = form.exec(word) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`${flag} is "${word}"; it must be NAME=VALUE.`);
      return [name, value];
    }),
  );
}

/** In a terminal the value can be given at once; elsewhere it is said what is missing. */
async function askForMissing(names: readonly string[]): Promise<void> {
  const place = ourSurroundings();
  const kept = new Set(listSecrets(place).map(({ name }) => name));
  const missing = names.filter((name) => !place.environment[name] && !kept.has(name));
  if (missing.length === 0) return;
  if (!canAsk()) {
    for (const name of missing)
      console.error(
        `kari: ${name} is not set yet: set it in the environment, or run kari config secret ${name}`,
      );
    return;
  }
  const prompter = openPrompter({ input: process.stdin, output: process.stderr });
  try {
    for (const name of missing) {
      const value = await prompter.secret(`${name} (not shown; empty: take it from the environment)`);
      if (value === "") continue;
      const { place: where, file } = await storeSecret(name, value, place);
      prompter.say(
        where === "keyring" ? "Kept in the system's keyring." : `Kept in ${file}, in clear, for you alone.`,
      );
    }
  } finally {
    prompter.close();
  }
}
