/**
 * `npm run conformance [REVISION …]`: the official conformance suite of the Model Context Protocol against the
 * fixture server built on `servers/kit`, for each revision with a requirements list of its own. Prints a table
 * and exits non-zero when a scored scenario failed. What the suite runs without scoring is shown beside it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

interface ScenarioCount {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly scored: boolean;
}

interface Report {
  readonly title: string;
  readonly scenarios: readonly ScenarioCount[];
  /** The suite's own verdict. */
  readonly ok: boolean;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const suite = `${root}node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const REVISIONS = ["2025-11-25", "2026-07-28"];
const wanted = process.argv.length > 2 ? process.argv.slice(2) : REVISIONS;

const reports: Report[] = [];
for (const revision of wanted) reports.push(await testServer(revision));
for (const report of reports) print(report);
process.exit(reports.every(({ ok }) => ok) ? 0 : 1);

/** Each revision gets a server of its own, so that nothing is left over from the one before. */
async function testServer(revision: string): Promise<Report> {
  const server = spawn(process.execPath, [`${root}test/conformance/fixture-server.ts`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [url] = (await once(createInterface(server.stdout), "line")) as [string];
    return await runSuite(`server ${revision}`, ["server", "--url", url, "--requirements", revision]);
  } finally {
    server.kill();
  }
}

async function runSuite(title: string, args: readonly string[]): Promise<Report> {
  console.log(`conformance ${args.join(" ")}`);
  const run = spawn(process.execPath, [suite, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [run.stdout, run.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const [code] = (await once(run, "close")) as [number | null];
  const scenarios = readSummary(output);
  if (scenarios.length === 0)
    throw new Error(`The suite gave no summary (exit code ${code}):\n${output.slice(-2000)}`);
  return { title, scenarios, ok: code === 0 };
}

/** The suite ends with a line per scenario, then names those it does not score. */
function readSummary(output: string): ScenarioCount[] {
  const [, summary = ""] = output.split("=== SUMMARY ===");
  const [counts = "", unscored = ""] = summary.split(/^Not scored for /m);
  const aside = new Set([...unscored.matchAll(/^\s*[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  return [...counts.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(
    ([, name = "", passed, failed]) => ({
      name,
      passed: Number(passed),
      failed: Number(failed),
      scored: !aside.has(name),
    }),
  );
}

function print({ title, scenarios, ok }: Report): void {
  console.log(`\n── ${title}: ${ok ? "conforms" : "DOES NOT CONFORM"}`);
  for (const { name, passed, failed, scored } of scenarios) {
    const mark = failed === 0 ? "✓" : scored ? "✗" : "–";
    console.log(
      `${mark} ${name.padEnd(50)} ${count(passed)} ${count(failed)}${scored ? "" : "  not scored"}`,
    );
  }
  for (const [label, some] of [
    ["scored", scenarios.filter(({ scored }) => scored)],
    ["not scored", scenarios.filter(({ scored }) => !scored)],
  ] as const) {
    const passed = some.reduce((sum, scenario) => sum + scenario.passed, 0);
    const failed = some.reduce((sum, scenario) => sum + scenario.failed, 0);
    console.log(`  ${label.padEnd(50)} ${count(passed)} ${count(failed)}`);
  }
}

function count(value: number): string {
  return String(value).padStart(5);
}
