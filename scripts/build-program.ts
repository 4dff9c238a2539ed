/**
 * Builds the program as scripts that bin/load-script.js loads: one for the builtin servers, one for every other
 * command, one for threads of the code server. In a script each module waits for its first import, as it would in a
 * file of its own.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";

interface ScriptSource {
  readonly entry: string;
  /** Lazy imports that the launcher never sends there. */
  readonly leftOut?: RegExp;
}

const SCRIPTS: Readonly<Record<string, ScriptSource>> = {
  cli: { entry: "src/cli/door.ts", leftOut: /\/(?:commands\/mcp|servers\/\w+\/command)\.ts$/ },
  mcp: { entry: "src/cli/door.ts", leftOut: /\/commands\/(?!mcp\.)[\w-]+\.ts$/ },
  "code-scan-worker": { entry: "src/servers/code/statistics/scan-worker.ts" },
};

/** What all servers share. */
const KEPT = /\/kit\//;
const OPENING = "(function(exports,require,module,__scriptUrl){";
const CLOSING = "\n})\n//";

/** Gives, for each script, which sources went into it. */
export async function buildProgram(
  shared: BuildOptions,
  folder: string,
): Promise<readonly (readonly [script: string, inputs: string[]])[]> {
  return await Promise.all(
    Object.entries(SCRIPTS).map(async ([name, { entry, leftOut }]) => {
      const { metafile, outputFiles } = await build({
        ...shared,
        entryPoints: [entry],
        format: "cjs",
        banner: {},
        // `import()` becomes `require()`, which spares the loader of modules.
        supported: { "dynamic-import": false },
        define: { "import.meta.url": "__scriptUrl" },
        plugins: [...(leftOut ? [leaveOut(leftOut)] : []), ...(shared.plugins ?? [])],
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
