export { createPlatformExtension } from "./extension.ts";
