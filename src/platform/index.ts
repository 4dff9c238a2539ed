export { createPlatformExtension } from "./extension.ts";
export { createSessionExtension } from "./session-extension.ts";
export { shortenResults } from "./shorten-results.ts";
export { ShownTools, type ShownToolsOptions } from "./shown-tools.ts";
export type { FindOptions } from "./tool-finder.ts";
