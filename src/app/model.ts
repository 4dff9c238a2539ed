/**
 * Makes the model: a script, the provider that was chosen, or the one that can be found: a key in the environment,
 * a server on this machine, and at last the offline planner, which needs nothing.
 */
import { readFileSync } from "node:fs";
import {
  type Environment,
  type FileSettings,
  keyVariable,
  type ModelWishes,
  modelWishes,
  type SecretStore,
} from "../config/index.ts";
import { UsageError } from "../lib/usage-error.ts";
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
  const wishes = modelWishes(options, environment, file);
  const known = withProviderKey(wishes.provider, environment, secrets);
  const { chooseProvider, createModel, ModelError, probeServer } = await import("../providers/index.ts");
  const { choice, reason } = await chooseProvider(wishes, known, probeServer);
  try {
    const model = choice.provider === "offline" ? await openOffline() : await createModel(choice);
    return wishes.provider === undefined ? { model, reason: `${model.id}: ${reason}` } : { model };
  } catch (error) {
    if (error instanceof ModelError) throw new UsageError(error.message);
    throw error;
  }
}

async function openOffline(): Promise<Model> {
  const { createOfflineModel } = await import("../providers/offline/index.ts");
  return createOfflineModel();
}

/** A key that the person gave to `kari configure` is asked for only when its provider was chosen. */
function withProviderKey(
  provider: string | undefined,
  environment: Environment,
  secrets: SecretStore,
): Environment {
  const name = provider === undefined ? undefined : keyVariable(provider);
  if (name === undefined || environment[name]) return environment;
  const key = secrets.get(name);
  return key === undefined ? environment : { ...environment, [name]: key };
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
