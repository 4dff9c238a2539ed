/**
 * Compiles the scanner of the code server (AssemblyScript) to WebAssembly. The compiler takes seconds and is large,
 * so it is loaded only when a source is newer than what was built last.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = "src/servers/code/scan/wasm";

/** The module's bytes: those of `built` when they are still right. Call it before `built` is removed. */
export async function buildScanner(built: string): Promise<Uint8Array> {
  return readIfNewer(built, sources()) ?? (await compile());
}

/** What the module depends on: its sources, the tables, this script and the version of the compiler. */
function sources(): string[] {
  const own = readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`);
  return [...own, "src/servers/code/scan/tables.ts", "scripts/build-scanner.ts", "package.json"];
}

function readIfNewer(built: string, paths: readonly string[]): Uint8Array | undefined {
  const time = statSync(built, { throwIfNoEntry: false })?.mtimeMs;
  if (time === undefined) return undefined;
  return paths.every((path) => statSync(`${root}${path}`).mtimeMs < time) ? readFileSync(built) : undefined;
}

async function compile(): Promise<Uint8Array> {
  const { default: asc } = await import("assemblyscript/asc");
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      // What these export, the module exports.
      ...["scanner.ts", "names.ts", "text.ts"].map((name) => `${folder}/${name}`),
      ...["--baseDir", root],
      ...["--outFile", "scanner.wasm"],
      // Nothing is allocated while scanning, so nothing has to be freed.
      ...["--runtime", "stub"],
      // Nothing of the standard library that could fail is used: then nothing has to be imported.
      ...["--use", "abort=", "--noAssert"],
      // Sixteen bytes at once where only the end of something is looked for.
      ...["--enable", "simd"],
      "-O3",
    ],
    {
      writeFile: (_name, contents) => {
        if (typeof contents !== "string") binary = contents;
      },
    },
  );
  if (error || !binary) throw new Error(`build: the scanner does not compile\n${stderr.toString()}`);
  return binary;
}
