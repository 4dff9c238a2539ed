/**
 * `npm test`: lint, types, import edges, unit and end-to-end, then one closing line that counts them all.
 * Every stage runs even when an earlier one failed, so that one run shows everything that is wrong.
 * End-to-end tests run one file at a time and wait a lot; the unit tests run beside them and are shown after them.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
}

const shell = process.platform === "win32";
const scratch = mkdtempSync(join(tmpdir(), "kari-test-"));
let passed = 0;
let failed = 0;
let skipped = 0;

for (const [name, command, ...args] of [
  ["lint", "biome", "check", "."],
  ["types", "tsc", "--noEmit"],
  ["import edges", "depcruise", "--config", ".dependency-cruiser.mjs", "src"],
] as const) {
  console.log(`\n── ${name}`);
  if (spawnSync(command, args, { stdio: "inherit", shell }).status === 0) passed += 1;
  else failed += 1;
}

const unitOutput = join(scratch, "unit.txt");
const output = openSync(unitOutput, "w");
const unit = runProject("unit", output);
console.log("\n── end-to-end, and unit tests beside them");
const endToEnd = await runProject("e2e", "inherit");
const unitStatus = await unit;
closeSync(output);
console.log("\n── unit");
process.stdout.write(readFileSync(unitOutput));
count("e2e", endToEnd);
count("unit", unitStatus);
rmSync(scratch, { recursive: true, force: true });

console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 ? 0 : 1;

/** What is said on the command line (names of files, `-t words`) narrows both; one may then have nothing to run. */
async function runProject(project: string, stdout: number | "inherit"): Promise<number> {
  const narrowed = process.argv.slice(2);
  const reports = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportOf(project)}`];
  const args = ["run", "--project", project, ...reports, ...narrowed];
  if (narrowed.length > 0) args.push("--passWithNoTests");
  const child = spawn("vitest", args, { stdio: ["ignore", stdout, stdout], shell });
  const [status] = (await once(child, "close")) as [number | null];
  return status ?? 1;
}

function reportOf(project: string): string {
  return join(scratch, `${project}.json`);
}

function count(project: string, status: number): void {
  try {
    const result = JSON.parse(readFileSync(reportOf(project), "utf8")) as VitestReport;
    passed += result.numPassedTests;
    failed += result.numFailedTests;
    skipped += result.numPendingTests;
    if (status !== 0 && result.numFailedTests === 0) failed += Math.max(1, result.numFailedTestSuites);
  } catch {
    failed += 1;
  }
}
