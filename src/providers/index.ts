export { createModel, type ProviderChoice } from "./create-model.ts";
export {
  type Model,
  ModelError,
  type ModelErrorCode,
  type ModelEvent,
  type ModelLimits,
  type ModelRequest,
  type StopReason,
} from "./model.ts";
