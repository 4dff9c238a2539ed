/**
 * esbuild: leaves out what our packages bring and we never use, since every start of every process would load it.
 * - The MCP SDKs' default JSON Schema validator (AJV, 210 KiB each in client and server). The client is given a
 *   validator of its own; the server would use it only to check answers to a request that the kit never sends.
 * - The schemas of OAuth in the server's SDK, which lists them and uses none of them.
 * - zod's messages in fifty languages (290 KiB). English ones are imported by zod itself; they go to models.
 * dist is a quarter smaller for it.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Plugin } from "esbuild";

// Importing node:process would cost 6 ms: the ES facade reads every property of it.
const NO_VALIDATOR = `
const thisProcess = globalThis.process;
export { thisProcess as process };
export const CORS_IS_POSSIBLE = false;
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error("This build has no JSON Schema validator: pass jsonSchemaValidator"); }
}`;

const SERVER_SDK = /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]/;
const RESOLVED = "resolved";

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
    build.onLoad({ filter: new RegExp(`${SERVER_SDK.source}src-\\w+\\.mjs$`) }, ({ path }) => ({
      contents: withoutOAuth(path, [/^const authSchemas = \{[^}]*\}/m, "const authSchemas = {}"]),
      loader: "js",
    }));
    // For the server alone: the client uses them.
    build.onResolve({ filter: /^@modelcontextprotocol\/core\/internal$/ }, async (request) => {
      if (request.pluginData === RESOLVED || !SERVER_SDK.test(request.importer)) return undefined;
      const { path, resolveDir, kind, importer } = request;
      const found = await build.resolve(path, { resolveDir, kind, importer, pluginData: RESOLVED });
      // The path becomes part of what is built, which must not depend on where that was.
      return { path, namespace: "core-of-server", pluginData: found.path };
    });
    build.onLoad({ filter: /./, namespace: "core-of-server" }, ({ pluginData: file }) => ({
      contents: withoutOAuth(file, [/^import \{[^}]*\} from ".\/auth-[\w-]+\.mjs";$/m, ""]),
      resolveDir: dirname(file),
      loader: "js",
    }));
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** The file's text with one piece replaced, and no name of such a schema in what it imports and exports. */
function withoutOAuth(path: string, [piece, instead]: readonly [RegExp, string]): string {
  const text = readFileSync(path, "utf8");
  if (!piece.test(text)) throw new Error(`build: ${path} has no ${piece.source}: the SDK has changed`);
  const names = /\b(?:IdJagTokenExchangeResponse|O(?:Auth|penId)\w+|(?:Optional)?SafeUrl)Schema,? ?/g;
  return text
    .replace(piece, instead)
    .replace(/^(?:import|export) \{[^}]*\}/gm, (list) => list.replace(names, ""));
}
