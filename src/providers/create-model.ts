/**
 * From a choice to a Model. Each provider's package is loaded only when it was chosen. Nothing here reads the
 * environment or a file: whoever calls passes the values.
 */
import { type Model, ModelError, type ModelLimits } from "./model.ts";

export interface ProviderChoice {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the user knows better than our tables. */
  readonly limits?: Partial<ModelLimits> | undefined;
}

/** Throws a ModelError when the choice itself is wrong; everything later is an event of the stream. */
export async function createModel(choice: ProviderChoice): Promise<Model> {
  switch (choice.provider) {
    case "openai-compatible": {
      const { baseUrl } = choice;
      if (baseUrl === undefined)
        throw new ModelError(
          "protocol",
          "openai-compatible needs a base URL, such as http://localhost:8080/v1.",
        );
      const { createOpenAiCompatibleModel } = await import("./openai-compatible.ts");
      return createOpenAiCompatibleModel({ ...choice, baseUrl });
    }
    default:
      throw new ModelError("protocol", `There is no provider "${choice.provider}".`);
  }
}
