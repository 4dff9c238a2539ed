export {
  type BuildSessionOptions,
  buildSession,
  type ExtensionInput,
  extensionConfigs,
} from "./build-session.ts";
export { type OpenExtensions, openExtensions } from "./open-extensions.ts";
export { Session } from "./session.ts";
