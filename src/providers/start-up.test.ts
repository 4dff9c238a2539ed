/**
 * What the first request costs. Times depend on the machine; what is loaded does not: undici (behind the
 * global fetch, Headers and the ES facade of node:http) must not be, nor any provider that was not chosen.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type Metafile } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plainHeadersPlugin } from "../../scripts/plain-headers-plugin.ts";
import { type MockLlm, startMockLlm } from "../../test/support/mock-llm.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = `
  const { createModel } = await import(${JSON.stringify(`${root}src/providers/create-model.ts`)});
  const model = await createModel({ provider: "openai-compatible", model: "m", baseUrl: process.argv[2], apiKey: "k" });
  const request = { system: "s", messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }], tools: [] };
  const events = [];
  for await (const event of model.stream(request, { signal: new AbortController().signal })) events.push(event.type);
  console.log(JSON.stringify({ events, loaded: process.moduleLoadList }));
`;
let folder: string;
let llm: MockLlm;
let metafile: Metafile;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kari-start-up-"));
  llm = await startMockLlm({ steps: [{ text: "ok" }] });
  await writeFile(join(folder, "main.ts"), main);
  const built = await build({
    absWorkingDir: root,
    metafile: true,
    external: ["sharp"],
    entryPoints: [join(folder, "main.ts")],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    nodePaths: [join(root, "node_modules")],
    plugins: [plainHeadersPlugin],
    logLevel: "error",
  });
  metafile = built.metafile;
});

afterAll(async () => {
  await llm.close();
  await rm(folder, { recursive: true });
});

test("a bundled run asks its first question without loading undici", async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [join(folder, "main.mjs"), `${llm.url}/v1`]);
  const { events, loaded } = JSON.parse(stdout) as { events: string[]; loaded: string[] };
  expect(events).toEqual(["text-delta", "content", "finish"]);
  expect(loaded.filter((name) => name.includes("undici"))).toEqual([]);
});

const PACKAGES = ["@ai-sdk/openai-compatible", "@ai-sdk/openai", "@ai-sdk/anthropic", "@ai-sdk/google"];

test.each([
  ["create-model", []],
  ["openai-compatible", []],
  ["openai", ["@ai-sdk/openai"]],
  ["anthropic", ["@ai-sdk/anthropic"]],
  ["google", ["@ai-sdk/google"]],
  ["ollama", []],
])("%s loads these packages and no other: %j", (name, expected) => {
  const files = loadedWith(`src/providers/${name}.ts`);
  expect(PACKAGES.filter((wanted) => files.some((file) => file.includes(`node_modules/${wanted}/`)))).toEqual(
    expected,
  );
  expect(files.filter((file) => /sharp|pictures\/convert/.test(file))).toEqual([]);
});

/** The sources of the chunk that holds a file, and of every chunk that it imports before it runs. */
function loadedWith(source: string): string[] {
  const { outputs } = metafile;
  const start = Object.keys(outputs).find((path) => outputs[path]?.inputs[source]?.bytesInOutput);
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const imported of outputs[path]?.imports ?? [])
      if (imported.kind === "import-statement" && !imported.external) visit(imported.path);
  };
  if (start === undefined) throw new Error(`${source} is in no chunk`);
  visit(start);
  return [...seen].flatMap((path) => [
    ...Object.keys(outputs[path]?.inputs ?? {}),
    ...(outputs[path]?.imports ?? [])
      .filter((imported) => imported.kind === "import-statement")
      .map(({ path: name }) => name),
  ]);
}
