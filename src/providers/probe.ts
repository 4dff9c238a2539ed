/** Asks whether a model server answers at an address. Silence, refusal and other programs all mean no. */
import type { Probe } from "./choose-provider.ts";
import { listModels } from "./list-models.ts";

/** A server on this machine that needs longer than this is not ready to be a default. */
const TIME_LIMIT_MS = 400;

export const probeServer: Probe = async (host, baseUrl) => {
  try {
    return await listModels(host, baseUrl, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  } catch {
    return undefined;
  }
};
