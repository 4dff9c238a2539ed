/**
 * `npm run bench:code -- DIR [--runs N]`, or `-- --generate 60000 DIR` first to make a project of so many files.
 * The code server as another host starts it (the built executable over stdio), in turns with `rg --files | xargs wc -l`
 * and with bare ripgrep, so that noise meets both; medians are compared by ratio. Figures that are promised in
 * milliseconds are printed beside their promise. DIR is only read, but for one file that is made and removed again.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { rgPath } from "@vscode/ripgrep";
import { generateProject } from "./code-project.ts";
import { CodeServer, killServers } from "./code-server.ts";
import { childrenCpuMs, median } from "./measure.ts";

/** In nearly every file, and in few. */
const QUERIES = ["return", "deprecated"] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "9" }, generate: { type: "string" } },
});
const runs = Number(values.runs);
const root = resolve(positionals[0] ?? ".");
if (values.generate !== undefined) {
  mkdirSync(root, { recursive: true });
  generateProject(root, Number(values.generate));
  console.log(`${values.generate} files generated in ${root}`);
}

const scratch = mkdtempSync(join(tmpdir(), "bench-code-"));
try {
  const files = spawnSync(rgPath, ["--files"], { cwd: root, maxBuffer: 1 << 30 }).stdout.filter(
    (byte) => byte === 0x0a,
  ).length;
  console.log(`${root}: ${files} files, ${runs} runs of each in turns\n`);
  console.log("| what | Kari | beside it | ratio | promise |\n| --- | --- | --- | --- | --- |");
  await measureStatistics(files);
  await measureCache();
  await measureLive();
} finally {
  killServers();
  rmSync(scratch, { recursive: true, force: true });
}

/** All four statistics in a process that knows nothing, beside counting lines with ripgrep and wc. */
async function measureStatistics(files: number): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const ourCpu: number[] = [];
  const theirCpu: number[] = [];
  const memory: number[] = [];
  for (let run = -1; run < runs; run += 1) {
    const begun = childrenCpuMs();
    const counting = countLines();
    const between = childrenCpuMs();
    const server = startServer(["--no-cache"]);
    await server.readStatistics();
    const wall = performance.now() - server.startedAt;
    const peak = server.peakMiB();
    await server.end();
    if (run < 0) continue;
    theirs.push(counting);
    ours.push(wall);
    theirCpu.push(between - begun);
    ourCpu.push(childrenCpuMs() - between);
    memory.push(peak);
  }
  const promise = files >= 60_000 ? "≤ 1.0 ×" : "≤ 1.2 × at 10,000 files";
  compare("all four statistics, new process, `rg --files \\| xargs wc -l`", ours, theirs, promise);
  // On a machine that others use as well, the clock tells less than the processor.
  compare("the same in processor time, all cores together", ourCpu, theirCpu, "");
  plain("peak memory of that process", `${median(memory).toFixed(0)} MiB`, "≤ 150 MiB at 60,000 files");
}

function startServer(options: readonly string[]): CodeServer {
  return new CodeServer(root, scratch, options);
}

function countLines(): number {
  const begun = performance.now();
  const command = `'${rgPath}' --files -0 | xargs -0 wc -l > ${join(scratch, "wc")}`;
  spawnSync("sh", ["-c", command], { cwd: root });
  return performance.now() - begun;
}

/** A new process that finds everything in the cache. */
async function measureCache(): Promise<void> {
  const cache = ["--cache", join(scratch, "cache")];
  // What was changed within the tick of the file system's clock is never believed: let a new project settle.
  await new Promise((done) => setTimeout(done, 2500));
  const first = startServer(cache);
  await first.readStatistics();
  await first.end();
  const fromStart: number[] = [];
  const fromReady: number[] = [];
  for (let run = -1; run < runs; run += 1) {
    const server = startServer(cache);
    await server.ready;
    const ready = performance.now();
    await server.readStatistics();
    if (run >= 0) {
      fromStart.push(performance.now() - server.startedAt);
      fromReady.push(performance.now() - ready);
    }
    await server.end();
  }
  plain("all four from the cache, after the server has started", ms(fromReady), "≤ 150 ms at 50,000 files");
  plain("the same with the start of the process", ms(fromStart), "");
}

/** In a server that runs and watches: a changed file, a search, a file. */
async function measureLive(): Promise<void> {
  const server = startServer(["--no-cache"]);
  await server.readStatistics();
  await server.request("resources/subscribe", { uri: "code://stats/overview" });
  const file = join(root, "bench-code-changed.ts");
  const news: number[] = [];
  const fresh: number[] = [];
  const reads: number[] = [];
  const searches: Search[] = [];
  try {
    let told = server.told();
    writeFileSync(file, "const a = 1;\n");
    await told;
    let lines = (await server.overview()).total_lines;
    for (let run = -1; run < runs; run += 1) {
      // Behind the pause that a burst of news gets.
      await new Promise((done) => setTimeout(done, 400));
      told = server.told();
      const begun = performance.now();
      writeFileSync(file, `${"const a = 1;\n".repeat(run + 3)}`);
      await told;
      const notified = performance.now();
      const overview = await server.overview();
      await server.readStatistics();
      if (overview.total_lines !== lines + 1)
        throw new Error(`stale: ${overview.total_lines} after ${lines}`);
      lines = overview.total_lines;
      if (run < 0) continue;
      news.push(notified - begun);
      fresh.push(performance.now() - notified);
    }
    for (const query of QUERIES) searches.push(await measureSearch(server, query));
    for (let run = -1; run < runs * 10; run += 1) {
      const begun = performance.now();
      await server.request("resources/read", { uri: "code://file/bench-code-changed.ts" });
      if (run >= 0) reads.push(performance.now() - begun);
    }
  } finally {
    rmSync(file, { force: true });
    await server.end();
  }
  plain("one changed file: all four new statistics after the news", ms(fresh), "≤ 20 ms");
  plain("one changed file: from the write to the news", ms(news), "");
  for (const { query, ours, theirs } of searches)
    compare(`find_and_grep, \`rg --count-matches ${query}\``, ours, theirs, "≤ 1.3 ×");
  plain("a file read", ms(reads), "≤ 5 ms");
}

interface Search {
  readonly query: string;
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

async function measureSearch(server: CodeServer, query: string): Promise<Search> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let run = -1; run < runs; run += 1) {
    const bare = searchBare(query);
    const begun = performance.now();
    await server.request("tools/call", { name: "find_and_grep", arguments: { query, count_only: true } });
    if (run < 0) continue;
    ours.push(performance.now() - begun);
    theirs.push(bare);
  }
  return { query, ours, theirs };
}

function searchBare(query: string): number {
  const output = openSync(join(scratch, "rg"), "w");
  const begun = performance.now();
  const options = ["--no-config", "--hidden", "-g", "!.git", "-S", "-F", "--count-matches"];
  spawnSync(rgPath, [...options, query, "."], { cwd: root, stdio: ["ignore", output, "ignore"] });
  const time = performance.now() - begun;
  closeSync(output);
  return time;
}

function compare(what: string, ours: readonly number[], theirs: readonly number[], promise: string): void {
  const ratio = median(ours) / median(theirs);
  console.log(`| ${what} | ${ms(ours)} | ${ms(theirs)} | ${ratio.toFixed(2)} × | ${promise} |`);
}

function plain(what: string, figure: string, promise: string): void {
  console.log(`| ${what} | ${figure} | | | ${promise} |`);
}

function ms(times: readonly number[]): string {
  return `${median(times).toFixed(median(times) < 20 ? 1 : 0)} ms`;
}
