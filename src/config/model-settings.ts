/** What the person wants of a model: flags over the environment over the file. What is left open is found elsewhere. Pure. */
import type { Environment } from "./paths.ts";

export interface ModelWishes {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

export function modelWishes(flags: ModelWishes, environment: Environment, file: ModelWishes): ModelWishes {
  return {
    provider: flags.provider ?? (environment["KARI_PROVIDER"] || undefined) ?? file.provider,
    model: flags.model ?? (environment["KARI_MODEL"] || undefined) ?? file.model,
    baseUrl: flags.baseUrl ?? file.baseUrl,
  };
}
