/** `kari config`: where the settings are, single ones read and changed, and secrets kept. */
import { existsSync, readFileSync } from "node:fs";
import {
  getSetting,
  listSecrets,
  removeSecret,
  setSetting,
  settingPlaces,
  showValue,
  storeSecret,
  unsetSetting,
} from "../../app/manage-config.ts";
import { ourSurroundings } from "../../app/surroundings.ts";
import { nearest } from "../../lib/nearest.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { canAsk } from "../can-ask.ts";
import { type Command, choice, type Invocation, noMore } from "../command.ts";
import { InputEnded, openPrompter } from "../prompter.ts";
import { table } from "../table.ts";

const VERBS = ["path", "get", "set", "unset", "secret"] as const;

export const configCommand: Command = {
  summary:
    "Read and change settings. Comments and order of config.yaml stay as they are.\n\n" +
    "Keys: provider, model, base_url, approve, max_turns, context_budget, extensions.NAME.KEY (docs/configuration.md).",
  usage:
    "kari config path | get [KEY] | set KEY VALUE | unset KEY\n" +
    "       kari config secret [NAME [--remove]]     keep a key or token; its value is asked for or read from stdin",
  options: {
    format: { type: "string", value: "F", help: "path, get, secret: text (the default) or json" },
    remove: { type: "boolean", help: "secret: forget it" },
  },
  examples: [
    "kari config path",
    "kari config set model claude-sonnet-5-5",
    "kari config set extensions.developer.timeout 60",
    "kari config get --format json",
    "kari config secret ANTHROPIC_API_KEY",
    "pass show github | kari config secret GITHUB_TOKEN",
  ],
  async run(invocation) {
    const [verb] = invocation.positionals;
    switch (VERBS.find((candidate) => candidate === verb)) {
      case "path":
        return path(invocation);
      case "get":
        return get(invocation);
      case "set":
        return await set(invocation);
      case "unset":
        return await unset(invocation);
      case "secret":
        return await secret(invocation);
      case undefined: {
        const near = verb === undefined ? undefined : nearest(verb, VERBS, 1)[0];
        throw new UsageError(
          `kari config ${verb ?? ""}: it is ${VERBS.join(", ")}.${near ? ` Did you mean ${near}?` : ""}`,
        );
      }
    }
  },
};

function path({ values, positionals }: Invocation): number {
  noMore(positionals, 1);
  const places = settingPlaces(ourSurroundings());
  if (choice(values, "format", ["text", "json"]) === "json")
    console.log(JSON.stringify({ ...places, exists: existsSync(places.config) }, null, 2));
  else console.log(places.config);
  return 0;
}

function get({ values, positionals }: Invocation): number {
  noMore(positionals, 2);
  const [, key] = positionals;
  const place = ourSurroundings();
  const value = getSetting(key, place);
  const variable = key === "provider" ? "KARI_PROVIDER" : key === "model" ? "KARI_MODEL" : undefined;
  if (variable !== undefined && place.environment[variable])
    console.error(`kari: ${variable}=${place.environment[variable]} in the environment wins over the file.`);
  if (value === undefined) {
    console.error(`kari: ${key} is not set in ${settingPlaces(place).config}.`);
    return 1;
  }
  console.log(
    choice(values, "format", ["text", "json"]) === "json" ? JSON.stringify(value, null, 2) : showValue(value),
  );
  return 0;
}

async function set({ positionals }: Invocation): Promise<number> {
  const [, key, value] = positionals;
  if (key === undefined || value === undefined) throw new UsageError("Write: kari config set KEY VALUE");
  noMore(positionals, 3);
  const { file, changed, inClear } = await setSetting(key, value, ourSurroundings());
  console.log(changed ? `${key} is set (${file}).` : `${key} was so already.`);
  if (inClear)
    console.error(
      `kari: that looks like a secret, and it stands in ${file} in clear. To keep it out, set it to '\${NAME}' and run kari config secret NAME.`,
    );
  return 0;
}

async function unset({ positionals }: Invocation): Promise<number> {
  const [, key] = positionals;
  if (key === undefined) throw new UsageError("Write: kari config unset KEY");
  noMore(positionals, 2);
  const { file, changed } = await unsetSetting(key, ourSurroundings());
  console.log(changed ? `${key} is taken out (${file}).` : `${key} was not set.`);
  return 0;
}

async function secret({ values, positionals }: Invocation): Promise<number> {
  noMore(positionals, 2);
  const [, name] = positionals;
  const place = ourSurroundings();
  if (name === undefined) {
    const secrets = listSecrets(place);
    if (choice(values, "format", ["text", "json"]) === "json")
      console.log(JSON.stringify({ secrets }, null, 2));
    else if (secrets.length === 0) console.log("No secret is kept.");
    else
      console.log(
        table(
          ["NAME", "KEPT IN"],
          secrets.map((one) => [one.name, one.place]),
        ),
      );
    return 0;
  }
  if (values["remove"] === true) {
    const was = await removeSecret(name, place);
    console.log(was ? `${name} is forgotten.` : `${name} was not kept.`);
    return was ? 0 : 1;
  }
  const stored = await storeSecret(name, await readValue(name), place);
  console.log(
    stored.place === "keyring"
      ? `${name} is kept in the system's keyring.`
      : `${name} is kept in ${stored.file}, in clear, readable for you alone: this system has no keyring that Kari can use.`,
  );
  if (place.environment[name]) console.error(`kari: ${name} is also set in the environment, and that wins.`);
  return 0;
}

/** Never from the command line: other programs can read that, and the shell remembers it. */
async function readValue(name: string): Promise<string> {
  if (!canAsk()) return readFileSync(0, "utf8");
  const prompter = openPrompter({ input: process.stdin, output: process.stderr });
  try {
    return await prompter.secret(`${name} (not shown)`);
  } catch (error) {
    if (error instanceof InputEnded) throw new UsageError("No value was given. Nothing was kept.");
    throw error;
  } finally {
    prompter.close();
  }
}
