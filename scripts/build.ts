/**
 * Builds dist/: the program as scripts (build-program.ts), the library as modules, its types, the scanner of the
 * code server, and the catalog of builtin tools, asked of the built servers themselves.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { SYNTAXES } from "../src/servers/code/languages/index.ts";
import { makeLexicons } from "../src/servers/code/scan/lexicons.ts";
import { buildProgram } from "./build-program.ts";
import { buildScanner } from "./build-scanner.ts";
import { leanPlugin } from "./lean-plugin.ts";
import { plainHeadersPlugin } from "./plain-headers-plugin.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist`;

// Found by their names beside the chunk that uses them: scan/scanner.ts.
const scannerFile = `${dist}/code-scanner.wasm`;
const scanner = await buildScanner(scannerFile);
rmSync(dist, { recursive: true, force: true });
const shared: BuildOptions = {
  absWorkingDir: root,
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22.18",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  chunkNames: "[name]-[hash]",
  // What stays outside the bundle: native code and data files that are found by their package's name.
  external: Object.keys(manifest.dependencies),
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
  },
  plugins: [plainHeadersPlugin, leanPlugin],
  logLevel: "warning",
};
const { metafile } = await build({
  ...shared,
  metafile: true,
  entryPoints: { index: "src/index.ts" },
  splitting: true,
});
const scripts = await buildProgram(shared, dist);
writeFileSync(scannerFile, scanner);
writeFileSync(`${dist}/code-lexicons.bin`, makeLexicons(SYNTAXES).bytes);

// Which source went into which file: the tests of what a command loads read it.
const modules = Object.entries(metafile.outputs).map(
  ([file, output]) => [file.replace(/^dist\//, ""), Object.keys(output.inputs)] as const,
);
writeFileSync(`${dist}/inputs.json`, JSON.stringify(Object.fromEntries([...modules, ...scripts])));

run(["scripts/builtin-catalog.ts"]);
if (!process.argv.includes("--no-types"))
  run(["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json"]);

const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) =>
  /\.c?js$/.test(entry.name),
);
const bytes = files.reduce((sum, file) => sum + statSync(`${file.parentPath}/${file.name}`).size, 0);
console.log(`built dist/: ${files.length} modules, ${(bytes / 1024).toFixed(0)} KiB`);

function run(args: string[]): void {
  const script = args[0];
  if (script !== undefined && !existsSync(`${root}${script}`))
    throw new Error(`build: ${script} is missing; run npm install`);
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (result.status !== 0) process.exit(result.status ?? 1);
}
