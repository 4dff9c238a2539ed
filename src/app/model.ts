/** Makes the model that was chosen: a script, or a provider. Says in one sentence what to do when there is none. */
import { readFileSync } from "node:fs";
import {
  type Environment,
  type FileSettings,
  type ModelWishes,
  modelSettings,
  type SecretStore,
} from "../config/index.ts";
import { UsageError } from "../lib/usage-error.ts";
import type { Model } from "../providers/model.ts";

export interface ModelOptions extends ModelWishes {
  /** A script for the scripted model; wins over any provider. */
  readonly fakeModel?: string | undefined;
}

export async function openModel(
  options: ModelOptions,
  environment: Environment,
  file: FileSettings,
  secrets: SecretStore,
): Promise<Model> {
  if (options.fakeModel !== undefined) return await openScript(options.fakeModel);
  const settings = modelSettings(options, environment, file, secrets);
  if (!settings) {
    throw new UsageError(
      "No provider is configured. Run kari configure, or set KARI_PROVIDER and KARI_MODEL (and the provider's key), pass --provider and --model, " +
        "or try --fake-model examples/list-files.json.",
    );
  }
  const { createModel, ModelError } = await import("../providers/index.ts");
  try {
    return await createModel(settings);
  } catch (error) {
    if (error instanceof ModelError) throw new UsageError(error.message);
    throw error;
  }
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
