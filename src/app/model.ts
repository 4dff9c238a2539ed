/**
 * Makes the model: a script, the provider that was chosen, or the one that can be found: a key in the environment,
 * a server on this machine, and at last the offline planner, which needs nothing.
 */
import { readFileSync } from "node:fs";
import {
  type Environment,
  type FileSettings,
  type ModelWishes,
  modelWishes,
  type SecretStore,
} from "../config/index.ts";
import { UsageError } from "../lib/usage-error.ts";
import type { Chosen, Host, Probe, ProviderChoice } from "../providers/index.ts";
import type { Model } from "../providers/model.ts";

export interface ModelOptions extends ModelWishes {
  /** A script for the scripted model; wins over any provider. */
  readonly fakeModel?: string | undefined;
}

export interface OpenedModel {
  readonly model: Model;
  /** Why this one, when nobody chose it: said once. */
  readonly reason?: string;
}

export async function openModel(
  options: ModelOptions,
  environment: Environment,
  file: FileSettings,
  secrets: SecretStore,
): Promise<OpenedModel> {
  if (options.fakeModel !== undefined) return { model: await openScript(options.fakeModel) };
  const { choice, reason, isChosen } = await chooseModel(options, environment, file, secrets);
  const model = await openChoice(choice);
  return isChosen ? { model } : { model, reason: `${model.id}: ${reason}` };
}

export interface ChosenModel extends Chosen {
  /** The person named the provider; otherwise it was found. */
  readonly isChosen: boolean;
}

/** `probe` asks a server for its models; `kari doctor` asks only those on this machine. */
export async function chooseModel(
  options: ModelWishes,
  environment: Environment,
  file: FileSettings,
  secrets: SecretStore,
  probe?: Probe,
): Promise<ChosenModel> {
  const wishes = modelWishes(options, environment, file);
  const { chooseProvider, HOSTS, probeServer } = await import("../providers/index.ts");
  const known = withKeptKeys(wishes.provider, HOSTS, environment, secrets);
  const chosen = await chooseProvider(wishes, known, probe ?? probeServer);
  return { ...chosen, isChosen: wishes.provider !== undefined };
}

/** Throws UsageError when the choice itself is wrong. Nobody is asked yet. */
export async function openChoice(choice: ProviderChoice): Promise<Model> {
  if (choice.provider === "offline") {
    const { createOfflineModel } = await import("../providers/offline/index.ts");
    return createOfflineModel();
  }
  const { createModel, ModelError } = await import("../providers/index.ts");
  try {
    return await createModel(choice);
  } catch (error) {
    if (error instanceof ModelError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Keys that the person gave to `kari configure`: those of the chosen provider, or of any when none was chosen. Where
 * the environment has one, the store is not asked.
 */
function withKeptKeys(
  provider: string | undefined,
  hosts: readonly Host[],
  environment: Environment,
  secrets: SecretStore,
): Environment {
  const asked = hosts.filter(({ id, key }) =>
    provider === undefined ? key === "required" : id === provider,
  );
  const names = asked.flatMap(({ keyNames }) => keyNames);
  if (names.length === 0 || names.some((name) => environment[name])) return environment;
  const kept = secrets.names();
  const keys = names.filter((name) => Object.hasOwn(kept, name)).map((name) => [name, secrets.get(name)]);
  return keys.length === 0 ? environment : { ...environment, ...Object.fromEntries(keys) };
}

async function openScript(file: string): Promise<Model> {
  const { createScriptedModel, parseScript } = await import("../providers/scripted.ts");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(
      `--fake-model ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  try {
    return createScriptedModel(parseScript(text, file), file);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
