export { type Chosen, chooseProvider, type Environment, type Probe, type Wishes } from "./choose-provider.ts";
export { createModel, type ProviderChoice } from "./create-model.ts";
export { findHost, HOSTS, type Host } from "./hosts.ts";
export { listModels } from "./list-models.ts";
export {
  type Model,
  ModelError,
  type ModelErrorCode,
  type ModelEvent,
  type ModelLimits,
  type ModelRequest,
  type StopReason,
} from "./model.ts";
export { probeServer } from "./probe.ts";
