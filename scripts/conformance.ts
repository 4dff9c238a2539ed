/**
 * `npm run conformance [server|client] [REVISION …]`: the official conformance suite of the Model Context Protocol
 * against the fixture server built on `servers/kit` and the client built on `extensions`, for each revision with a
 * requirements list of its own. Prints a table and exits non-zero when a scored scenario failed. What the suite runs
 * without scoring is shown beside it; a scored scenario that failed is run once more by itself.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly warnings: number;
}

interface Scenario extends Count {
  readonly name: string;
  readonly scored: boolean;
  readonly secondRun?: boolean;
}

interface Report {
  readonly title: string;
  readonly scenarios: readonly Scenario[];
}

const root = fileURLToPath(new URL("..", import.meta.url));
const suite = `${root}node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const ROLES = ["server", "client"];
const REVISIONS = ["2025-11-25", "2026-07-28"];
/** The suite starts all clients of a revision at once: on a small machine the last ones wait long for their turn. */
const CLIENT_ARGS = ["client", "--command", "node test/conformance/client.ts", "--timeout", "180000"];

const asked = process.argv.slice(2);
const roles = chosen(ROLES);
const revisions = chosen(REVISIONS);
const compileCache = mkdtempSync(join(tmpdir(), "kari-conformance-"));
process.on("exit", () => rmSync(compileCache, { recursive: true, force: true }));

const reports: Report[] = [];
for (const role of roles)
  for (const revision of revisions)
    reports.push(role === "server" ? await testServer(revision) : await testClient(revision));
for (const report of reports) print(report);
printTable(reports);
process.exit(reports.every(conforms) ? 0 : 1);

/** Those of the names that were asked for, or all. */
function chosen(names: readonly string[]): readonly string[] {
  const some = names.filter((name) => asked.includes(name));
  return some.length > 0 ? some : names;
}

/** Each revision gets a server of its own, so that nothing is left over from the one before. */
async function testServer(revision: string): Promise<Report> {
  const server = spawn(process.execPath, [`${root}test/conformance/fixture-server.ts`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [url] = (await once(createInterface(server.stdout), "line")) as [string];
    const args = ["server", "--url", url];
    const scenarios = await runRequirements(args, revision);
    return { title: `server ${revision}`, scenarios: await runFailedAgain(args, revision, scenarios) };
  } finally {
    server.kill();
  }
}

async function testClient(revision: string): Promise<Report> {
  const scenarios = await runRequirements(CLIENT_ARGS, revision);
  return { title: `client ${revision}`, scenarios: await runFailedAgain(CLIENT_ARGS, revision, scenarios) };
}

async function runRequirements(args: readonly string[], revision: string): Promise<readonly Scenario[]> {
  const output = await runSuite([...args, "--requirements", revision]);
  const scenarios = readSummary(output);
  if (scenarios.length === 0) throw new Error(`The suite gave no summary:\n${output.slice(-2000)}`);
  return scenarios;
}

async function runFailedAgain(
  args: readonly string[],
  revision: string,
  scenarios: readonly Scenario[],
): Promise<readonly Scenario[]> {
  const settled: Scenario[] = [];
  for (const scenario of scenarios) {
    if (!scenario.scored || succeeded(scenario)) {
      settled.push(scenario);
      continue;
    }
    const output = await runSuite([...args, "--spec-version", revision, "--scenario", scenario.name]);
    settled.push({ ...scenario, ...readResult(output), secondRun: true });
  }
  return settled;
}

async function runSuite(args: readonly string[]): Promise<string> {
  console.log(`conformance ${args.join(" ")}`);
  const run = spawn(process.execPath, [suite, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      // The suite starts "node" by a shell: this one.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
      NODE_COMPILE_CACHE: compileCache,
    },
  });
  let output = "";
  for (const stream of [run.stdout, run.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  await once(run, "close");
  return output;
}

/** The suite ends with a line per scenario, then names those it does not score. */
function readSummary(output: string): readonly Scenario[] {
  const [, summary = ""] = output.split(/^=== (?:SUITE )?SUMMARY ===$/m);
  const [counts = "", unscored = ""] = summary.split(/^Not scored for /m);
  const aside = new Set([...unscored.matchAll(/^\s*[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  return [...counts.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed(?:, (\d+) warnings)?/gm)].map(
    ([, name = "", passed, failed, warnings = 0]) => ({
      name,
      passed: Number(passed),
      failed: Number(failed),
      warnings: Number(warnings),
      scored: !aside.has(name),
    }),
  );
}

/** A scenario by itself ends with its own count. */
function readResult(output: string): Count {
  const [, passed, failed, warnings] =
    /^Passed: (\d+)\/\d+, (\d+) failed, (\d+) warnings/m.exec(output) ?? [];
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 1), warnings: Number(warnings ?? 0) };
}

/** A scenario that found nothing to check has shown nothing. */
function succeeded({ passed, failed, warnings }: Count): boolean {
  return passed > 0 && failed === 0 && warnings === 0;
}

function conforms({ scenarios }: Report): boolean {
  return scenarios.every((scenario) => !scenario.scored || succeeded(scenario));
}

function print(report: Report): void {
  console.log(`\n── ${report.title}: ${conforms(report) ? "conforms" : "DOES NOT CONFORM"}`);
  for (const scenario of report.scenarios) {
    const { name, passed, failed, scored, secondRun } = scenario;
    const mark = succeeded(scenario) ? "✓" : scored ? "✗" : "–";
    const note = `${scored ? "" : "  not scored"}${secondRun ? "  second run" : ""}`;
    console.log(`${mark} ${name.padEnd(50)} ${cell(passed)} ${cell(failed)}${note}`);
  }
}

function printTable(all: readonly Report[]): void {
  console.log(`\n${"".padEnd(18)} scored: passed failed   not scored: passed failed`);
  for (const { title, scenarios } of all) {
    const scored = sum(scenarios.filter((scenario) => scenario.scored));
    const aside = sum(scenarios.filter((scenario) => !scenario.scored));
    console.log(
      `${title.padEnd(18)} ${cell(scored.passed, 14)} ${cell(scored.failed, 6)} ` +
        `${cell(aside.passed, 20)} ${cell(aside.failed, 6)}`,
    );
  }
}

function sum(scenarios: readonly Scenario[]): { readonly passed: number; readonly failed: number } {
  return {
    passed: scenarios.reduce((total, { passed }) => total + passed, 0),
    failed: scenarios.reduce((total, { failed }) => total + failed, 0),
  };
}

function cell(value: number, width = 5): string {
  return String(value).padStart(width);
}
