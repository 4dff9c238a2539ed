/**
 * esbuild: leaves out what our packages bring and we never use, since every start of every process would load it.
 * - The MCP SDKs' default JSON Schema validator (AJV, 210 KiB each in client and server). The client is given a
 *   validator of its own; the server would use it only to check answers to a request that the kit never sends.
 * - zod's messages in fifty languages (290 KiB). English ones are imported by zod itself; they go to models.
 * dist is a quarter smaller for it.
 */
import type { Plugin } from "esbuild";

// Importing node:process would cost 6 ms: the ES facade reads every property of it.
const NO_VALIDATOR = `
const thisProcess = globalThis.process;
export { thisProcess as process };
export const CORS_IS_POSSIBLE = false;
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error("This build has no JSON Schema validator: pass jsonSchemaValidator"); }
}`;

export const leanPlugin: Plugin = {
  name: "lean",
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/(server|client)\/_shims$/ }, ({ path }) => ({
      path,
      namespace: "no-validator",
    }));
    build.onLoad({ filter: /./, namespace: "no-validator" }, () => ({
      contents: NO_VALIDATOR,
      loader: "js",
    }));
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};
