/**
 * `kari configure`: the first set-up, asked at the terminal. Nothing is written before the last question is answered;
 * whoever ends it early has changed nothing.
 */
import { listSecrets, settingPlaces, storeSecret } from "../../app/manage-config.ts";
import { currentSetUp, modelsAt, type ProviderOption, providerOptions, saveSetUp } from "../../app/set-up.ts";
import { ourSurroundings, type Surroundings } from "../../app/surroundings.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { canAsk } from "../can-ask.ts";
import type { Command } from "../command.ts";
import { InputEnded, openPrompter, type Prompter } from "../prompter.ts";

export const configureCommand: Command = {
  summary:
    "Choose a provider, a model and the extensions to begin with, by answering a few questions.\n\n" +
    "Without a terminal: kari config set provider P; kari config set model M; and the key in the\n" +
    "environment, or: kari config secret NAME < file",
  usage: "kari configure",
  options: {},
  examples: [
    "kari configure",
    "kari config set provider ollama && kari config set model qwen3",
    "echo $KEY | kari config secret ANTHROPIC_API_KEY",
  ],
  async run({ positionals }) {
    if (positionals.length > 0)
      throw new UsageError(
        `kari configure asks; it takes no words ("${positionals[0]}"). See kari config --help.`,
      );
    if (!canAsk())
      throw new UsageError(
        "kari configure asks questions and needs a terminal. Instead: kari config set provider P, kari config set model M, " +
          "and put the provider's key into the environment (ANTHROPIC_API_KEY …) or give it to kari config secret NAME on standard input.",
      );
    const prompter = openPrompter({ input: process.stdin, output: process.stderr });
    try {
      await configure(prompter, ourSurroundings());
      return 0;
    } catch (error) {
      if (!(error instanceof InputEnded)) throw error;
      console.error(`\nkari: ${error.message}`);
      return 130;
    } finally {
      prompter.close();
    }
  },
};

/** More than a person wants to read. */
const MOST_MODELS = 12;

export async function configure(prompter: Prompter, place: Surroundings): Promise<void> {
  // A broken file is said before anything is asked.
  const { settings, builtins } = await currentSetUp(place);
  prompter.say(`Kari's settings: ${settingPlaces(place).config}\n\nWhich provider shall answer?`);
  const provider = await prompter.choose(
    "Provider",
    await providerOptions(),
    settings.provider ?? "anthropic",
  );
  const isSame = settings.provider === provider.id;
  const baseUrl = await askAddress(prompter, provider, isSame ? settings.baseUrl : undefined);
  const model = await askModel(prompter, provider, baseUrl, isSame ? settings.model : undefined);
  const key = await askKey(prompter, provider, place);
  prompter.say("\nWhich of Kari's own extensions shall be on?");
  const on = await prompter.chooseMany(
    "Extensions",
    builtins.map(({ name, summary }) => ({ id: name, label: summary })),
    builtins.filter(({ enabled }) => enabled).map(({ name }) => name),
  );
  const chosen = Object.fromEntries(builtins.map(({ name }) => [name, on.some(({ id }) => id === name)]));

  if (key !== undefined) {
    const { place: where, file } = await storeSecret(key.name, key.value, place);
    prompter.say(
      where === "keyring"
        ? `\n${key.name} is kept in the system's keyring.`
        : `\n${key.name} is kept in ${file}, in clear, readable for you alone: this system has no keyring that Kari can use.`,
    );
  }
  const setUp = { provider: provider.id, model, builtins: chosen, ...(baseUrl !== undefined && { baseUrl }) };
  const file = await saveSetUp(setUp, place);
  prompter.say(`\nWritten to ${file}.\n  kari doctor             looks everything over`);
  prompter.say("  kari extensions import  takes over what other programs use");
  prompter.say("  kari                    begins");
}

/** Undefined: the provider's own. */
async function askAddress(
  prompter: Prompter,
  { address }: ProviderOption,
  current: string | undefined,
): Promise<string | undefined> {
  if (address === undefined) return undefined;
  for (;;) {
    const answer = await prompter.line(
      `Its address, such as ${address.example}`,
      current ?? address.fallback,
    );
    if (answer === address.fallback) return undefined;
    if (URL.canParse(answer) && /^https?:$/.test(new URL(answer).protocol)) return answer;
    prompter.say(`"${answer}" is not an address: it begins with http:// or https://.`);
  }
}

async function askModel(
  prompter: Prompter,
  { id, isLocal, defaultModel }: ProviderOption,
  baseUrl: string | undefined,
  current: string | undefined,
): Promise<string> {
  const offered = isLocal ? await modelsAt(id, baseUrl) : [];
  if (offered.length > 0) prompter.say(`It has: ${offered.slice(0, MOST_MODELS).join(", ")}`);
  for (;;) {
    const answer = await prompter.line("Model", current ?? defaultModel ?? offered[0]);
    if (answer !== "") return answer;
    prompter.say("A model is needed; whoever runs that provider lists their names.");
  }
}

/** Undefined: there is one already, or none is wanted now. */
async function askKey(
  prompter: Prompter,
  { keyNames, keyIsOptional }: ProviderOption,
  place: Surroundings,
): Promise<{ readonly name: string; readonly value: string } | undefined> {
  const [name] = keyNames;
  if (name === undefined) return undefined;
  const inEnvironment = keyNames.find((candidate) => place.environment[candidate]);
  if (inEnvironment !== undefined) {
    prompter.say(`${inEnvironment} is set in the environment: it is used.`);
    return undefined;
  }
  const isKept = listSecrets(place).some((secret) => keyNames.includes(secret.name));
  const empty = isKept
    ? "keep the one there is"
    : keyIsOptional
      ? "none is needed"
      : "set it in the environment later";
  const value = await prompter.secret(`${name} (not shown; empty: ${empty})`);
  if (value !== "") return { name, value };
  if (!isKept && !keyIsOptional) prompter.say(`Before you begin: export ${name}=…`);
  return undefined;
}
