/** esbuild: gives the AI SDK's one shared file a light `Headers` of our own, so that undici is not loaded. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const plainHeaders = fileURLToPath(new URL("../src/providers/plain-headers.ts", import.meta.url));

export const plainHeadersPlugin: Plugin = {
  name: "plain-headers",
  setup(build) {
    build.onLoad({ filter: /@ai-sdk[\\/]provider-utils[\\/]dist[\\/]index\.js$/ }, async ({ path }) => ({
      contents: `import { PlainHeaders as Headers } from ${JSON.stringify(plainHeaders)};\n${await readFile(path, "utf8")}`,
      loader: "js",
      resolveDir: dirname(path),
    }));
  },
};
