/**
 * The core of the official suite against our client, in seconds; `npm run conformance client` runs all of it.
 * Each scenario is a process of the suite with a server in it, and a process of the client.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

const compileCache = mkdtempSync(join(tmpdir(), "kari-conformance-"));
afterAll(() => rmSync(compileCache, { recursive: true, force: true }));

function runScenario(revision: string, scenario: string): Promise<string> {
  const args = ["client", "--command", "node test/conformance/client.ts", "--timeout", "100000"];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [SUITE, ...args, "--spec-version", revision, "--scenario", scenario],
      {
        env: {
          ...process.env,
          PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
          NODE_COMPILE_CACHE: compileCache,
        },
      },
      (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
    );
  });
}

describe("the client conforms", { concurrent: true, timeout: 120_000 }, () => {
  test.each([
    ["2025-03-26", "auth/2025-03-26-oauth-metadata-backcompat", 13],
    ["2025-03-26", "auth/2025-03-26-oauth-endpoint-fallback", 8],
    ["2025-11-25", "initialize", 1],
    ["2025-11-25", "tools_call", 2],
    ["2025-11-25", "elicitation-sep1034-client-defaults", 5],
    ["2025-11-25", "sse-retry", 3],
    ["2026-07-28", "request-metadata", 8],
    ["2026-07-28", "sep-2322-client-request-state", 5],
    ["2026-07-28", "http-custom-headers", 18],
    ["2026-07-28", "http-invalid-tool-headers", 12],
    ["2026-07-28", "auth/scope-step-up", 25],
    ["2026-07-28", "auth/authorization-server-migration", 19],
  ])("in %s: %s", async (revision, scenario, checks) => {
    const output = await runScenario(revision, scenario);
    const [, passed] = /^Passed: (\d+)\/\d+, 0 failed, 0 warnings$/m.exec(output) ?? [];
    expect(Number(passed), output).toBeGreaterThanOrEqual(checks);
  });
});
