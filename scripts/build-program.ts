/**
 * Builds the program as scripts that bin/load-script.js loads: one for the builtin servers, one for every other
 * command. In a script each module waits for its first import, as it would in a file of its own.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";

/** By what is left out of each: the lazy imports that the launcher never sends there. */
const SCRIPTS = {
  cli: /\/(?:commands\/mcp|servers\/\w+\/command)\.ts$/,
  mcp: /\/commands\/(?!mcp\.)[\w-]+\.ts$/,
};

/** What all servers share. */
const KEPT = /\/kit\//;
const ENTRY = "src/cli/door.ts";
const OPENING = "(function(exports,require,module,__scriptUrl){";
const CLOSING = "\n})\n//";

/** Gives, for each script, which sources went into it. */
export async function buildProgram(
  shared: BuildOptions,
  folder: string,
): Promise<readonly (readonly [script: string, inputs: string[]])[]> {
  return await Promise.all(
    Object.entries(SCRIPTS).map(async ([name, modules]) => {
      const { metafile, outputFiles } = await build({
        ...shared,
        entryPoints: [ENTRY],
        format: "cjs",
        banner: {},
        // `import()` becomes `require()`, which spares the loader of modules.
        supported: { "dynamic-import": false },
        define: { "import.meta.url": "__scriptUrl" },
        plugins: [leaveOut(modules), ...(shared.plugins ?? [])],
        metafile: true,
        write: false,
      });
      const script = OPENING + inAscii(outputFiles[0]?.text ?? "") + CLOSING;
      // The loader knows it by what comes last.
      const hash = createHash("sha256").update(script).digest("hex").slice(0, 32);
      writeFileSync(`${folder}/${name}.cjs`, script + hash);
      return [`${name}.cjs`, inputsOf(metafile)] as const;
    }),
  );
}

/**
 * Half as long in memory, and read without decoding. esbuild leaves other letters only in regular expressions and in
 * tagged templates, where an escape means the same. (In `String.raw` it does so for sources of regular expressions,
 * and we use it for nothing else.)
 */
function inAscii(script: string): string {
  const escaped = /\\[^\0-\x7f]/.exec(script);
  if (escaped) throw new Error(`build: ${escaped[0]} cannot be written in ASCII`);
  return script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function inputsOf({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

function leaveOut(modules: RegExp): Plugin {
  return {
    name: "leave-out",
    setup(plugins) {
      plugins.onResolve({ filter: /\.ts$/ }, ({ path, kind }) => {
        if (kind !== "dynamic-import" || !modules.test(path) || KEPT.test(path)) return undefined;
        return { path, namespace: "left-out" };
      });
      plugins.onLoad({ filter: /./, namespace: "left-out" }, ({ path }) => ({
        contents: `throw new Error(${JSON.stringify(`${path} is not in this script`)});`,
      }));
    },
  };
}
