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
import { build } from "esbuild";
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

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kari-start-up-"));
  llm = await startMockLlm({ steps: [{ text: "ok" }] });
  await writeFile(join(folder, "main.ts"), main);
  await build({
    absWorkingDir: root,
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
