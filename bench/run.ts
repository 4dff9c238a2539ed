/**
 * `npm run bench -- [--runs N] [--turns N] [--goose [FOLDER]] [--json FILE]`: Kari on a mock LLM, beside goose when
 * it is asked for. The agents take turns within one run, so that noise meets both; medians are compared by ratio.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Agent, ECHO_SERVER, installGoose, kari } from "./agents.ts";
import { measureConfigured } from "./configured.ts";
import { type BenchLlm, type Step, startBenchLlm } from "./llm.ts";
import { measureLongResult } from "./long-result.ts";
import { type Measured, measure, median } from "./measure.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "9" },
    turns: { type: "string", default: "50" },
    goose: { type: "boolean", default: false },
    "goose-folder": { type: "string" },
    json: { type: "string" },
  },
});
const runs = Number(values.runs);
const turns = Number(values.turns);
const folder = values["goose-folder"];
const agents: readonly Agent[] = values.goose || folder ? [kari, installGoose(folder)] : [kari];

const ONE_ANSWER: readonly Step[] = [{ text: "All done here." }];
const repeat = (tool: RegExp, args: (turn: number) => Record<string, unknown>): Step[] => [
  ...Array.from({ length: turns }, () => ({ tool, args })),
  { text: "Done." },
];

interface Row {
  readonly name: string;
  readonly unit: string;
  /** At most this much of goose's. */
  readonly target: number;
  readonly steps: readonly Step[];
  readonly server?: boolean;
  readonly sampleMemory?: boolean;
  value(measured: Measured, llm: BenchLlm): number;
}

/** From the end of one answer to the next question: what the agent and the tool take, without the first start. */
const turnMs = (_measured: Measured, llm: BenchLlm) =>
  median(
    llm.exchanges.slice(2).map((exchange, i) => exchange.askedAt - (llm.exchanges[i + 1]?.answeredAt ?? 0)),
  );
const firstRequestMs = (measured: Measured, llm: BenchLlm) =>
  (llm.exchanges[0]?.askedAt ?? Number.NaN) - measured.startedAt;

const rows: readonly Row[] = [
  { name: "start → first LLM request", unit: "ms", target: 0.5, steps: ONE_ANSWER, value: firstRequestMs },
  {
    name: "the same plus a stdio server",
    unit: "ms",
    target: 0.9,
    steps: ONE_ANSWER,
    server: true,
    value: firstRequestMs,
  },
  {
    name: "a tool turn, builtin shell",
    unit: "ms",
    target: 0.8,
    steps: repeat(/(^|__)shell$/, (turn) => ({ command: `true # ${turn}` })),
    value: turnMs,
  },
  {
    name: "a tool turn, stdio MCP echo",
    unit: "ms",
    target: 0.5,
    steps: repeat(/(^|__)echo$/, (turn) => ({ message: `m${turn}` })),
    server: true,
    value: turnMs,
  },
  {
    name: "CPU of a one-answer run",
    unit: "ms",
    target: 0.6,
    steps: ONE_ANSWER,
    value: (measured) => measured.cpuMs,
  },
  {
    name: "peak memory of a one-answer run",
    unit: "MiB",
    target: 0.8,
    steps: ONE_ANSWER,
    sampleMemory: true,
    value: (measured) => measured.peakMiB,
  },
];

const scratch = mkdtempSync(join(tmpdir(), "kari-bench-"));
const llm = await startBenchLlm();
const results: Record<string, Record<string, number>> = {};
try {
  for (const row of rows) results[row.name] = await measureRow(row);
  printTable();
  await printVersion();
  for (const line of await measureConfigured(runs)) console.log(`\n${line}`);
  console.log(`\n${await measureLongResult(Math.min(runs, 3))}`);
  if (values.json)
    writeFileSync(
      values.json,
      JSON.stringify({ runs, turns, node: process.version, cpus: cpus().length, results }, null, 1),
    );
} finally {
  await llm.close();
  rmSync(scratch, { recursive: true, force: true });
}

async function measureRow(row: Row): Promise<Record<string, number>> {
  const samples = new Map(agents.map((agent) => [agent.name, [] as number[]]));
  // One run each beforehand: caches are warm for everybody.
  for (let round = -1; round < runs; round++) {
    for (const agent of agents) {
      llm.play(row.steps);
      const args = row.server ? agent.withServer("Do the thing.", ECHO_SERVER) : agent.plain("Do the thing.");
      const measured = await measure([...agent.command, ...args], {
        ...place(agent),
        sampleMemory: row.sampleMemory ?? false,
      });
      if (measured.code !== 0 || llm.exchanges.length !== row.steps.length) {
        throw new Error(
          `${agent.name}, ${row.name}: exit ${measured.code}, ${llm.exchanges.length} requests\n${measured.stderr}`,
        );
      }
      if (round >= 0) samples.get(agent.name)?.push(row.value(measured, llm));
    }
  }
  return Object.fromEntries([...samples].map(([name, list]) => [name, median(list)]));
}

function place(agent: Agent): { cwd: string; env: Record<string, string> } {
  const home = join(scratch, agent.name.replaceAll(" ", "-"));
  const cwd = join(home, "work");
  mkdirSync(cwd, { recursive: true });
  return {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      LANG: "C.UTF-8",
      TERM: "dumb",
      ...agent.env(llm.url),
    },
  };
}

function printTable(): void {
  const peer = agents[1]?.name;
  console.log(
    `\n| what | ${agents.map((agent) => agent.name).join(" | ")} |${peer ? " ratio | target |" : ""}`,
  );
  console.log(`|---|${agents.map(() => "---|").join("")}${peer ? "---|---|" : ""}`);
  for (const { name, unit, target } of rows) {
    const of = (agent: string) => results[name]?.[agent] ?? Number.NaN;
    const cells = agents.map((agent) => `${of(agent.name).toFixed(1)} ${unit}`).join(" | ");
    console.log(
      `| ${name} | ${cells} |${peer ? ` ${(of("kari") / of(peer)).toFixed(2)} × | ≤ ${target} × |` : ""}`,
    );
  }
}

async function printVersion(): Promise<void> {
  const bare: number[] = [];
  const version: number[] = [];
  for (let i = 0; i < Math.max(runs, 15); i++) {
    bare.push((await measure([process.execPath, "-e", "0"], place(kari))).wallMs);
    version.push((await measure([...kari.command, "--version"], place(kari))).wallMs);
  }
  const [own, floor] = [median(version), median(bare)];
  console.log(
    `\nkari --version: ${own.toFixed(1)} ms, node -e 0: ${floor.toFixed(1)} ms, ratio ${(own / floor).toFixed(2)} × (target ≤ 1.3 ×)`,
  );
}
