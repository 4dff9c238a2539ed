/**
 * Builds dist/: one bundle split so that each command and each builtin server loads only its own code,
 * the types of the library, and the catalog of builtin tools, asked of the built servers themselves.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { SYNTAXES } from "../src/servers/code/languages/index.ts";
import { makeLexicons } from "../src/servers/code/scan/lexicons.ts";
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
  entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts" },
  splitting: true,
});
// A thread is started by the name of its file (helpers.ts); one file is loaded sooner than many.
await build({
  ...shared,
  entryPoints: { "code-scan-worker": "src/servers/code/statistics/scan-worker.ts" },
});

writeFileSync(scannerFile, scanner);
writeFileSync(`${dist}/code-lexicons.bin`, makeLexicons(SYNTAXES).bytes);

// Which source went into which module: the tests of what a command loads read it.
const inputs = Object.entries(metafile.outputs).map(([file, output]) => [
  file.replace(/^dist\//, ""),
  Object.keys(output.inputs),
]);
writeFileSync(`${dist}/inputs.json`, JSON.stringify(Object.fromEntries(inputs)));

run(["scripts/builtin-catalog.ts"]);
if (!process.argv.includes("--no-types"))
  run(["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json"]);

const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) =>
  entry.name.endsWith(".js"),
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
