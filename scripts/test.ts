/**
 * `npm test`: lint, types, import edges, unit and end-to-end, then one closing line that counts them all.
 * Every stage runs even when an earlier one failed, so that one run shows everything that is wrong.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
}

const scratch = mkdtempSync(join(tmpdir(), "kari-test-"));
const report = join(scratch, "vitest.json");
let passed = 0;
let failed = 0;
let skipped = 0;

for (const [name, command, ...args] of [
  ["lint", "biome", "check", "."],
  ["types", "tsc", "--noEmit"],
  ["import edges", "depcruise", "--config", ".dependency-cruiser.mjs", "src"],
] as const) {
  console.log(`\n── ${name}`);
  if (run(command, args) === 0) passed += 1;
  else failed += 1;
}

console.log("\n── unit and end-to-end");
const status = run("vitest", [
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
]);
try {
  const result = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
  passed += result.numPassedTests;
  failed += result.numFailedTests;
  skipped += result.numPendingTests;
  if (status !== 0 && result.numFailedTests === 0) failed += Math.max(1, result.numFailedTestSuites);
} catch {
  failed += 1;
}
rmSync(scratch, { recursive: true, force: true });

console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 ? 0 : 1);

function run(command: string, args: readonly string[]): number {
  return spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" }).status ?? 1;
}
