export { createPlatformExtension } from "./extension.ts";
export { createSessionExtension } from "./session-extension.ts";
export { shortenResults } from "./shorten-results.ts";
