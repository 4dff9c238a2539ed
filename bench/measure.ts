/** Runs one command and measures it from outside: wall time, CPU of it and its descendants, memory of its tree. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { now } from "./llm.ts";

export interface Measured {
  readonly startedAt: number;
  readonly wallMs: number;
  /** Of the command and all it waited for; ticks of 10 ms, so a median of several runs says more than one. */
  readonly cpuMs: number;
  /** Highest sum of resident memory over the process tree, sampled. */
  readonly peakMiB: number;
  readonly code: number | null;
  readonly stderr: string;
}

export interface MeasureOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sampleMemory?: boolean;
}

const TICK_MS = 10;
const PAGE_KIB = 4;
const SAMPLE_MS = 5;

export async function measure(
  [command = "", ...args]: readonly string[],
  options: MeasureOptions,
): Promise<Measured> {
  const cpuBefore = childrenCpuMs();
  const startedAt = now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-2000);
  });
  let peakKiB = 0;
  const sampler = options.sampleMemory
    ? setInterval(() => {
        peakKiB = Math.max(peakKiB, treeKiB(child.pid ?? 0));
      }, SAMPLE_MS)
    : undefined;
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  clearInterval(sampler);
  return {
    startedAt,
    wallMs: now() - startedAt,
    cpuMs: childrenCpuMs() - cpuBefore,
    peakMiB: peakKiB / 1024,
    code,
    stderr,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** `cutime` and `cstime` of this process: what all ended children used. */
export function childrenCpuMs(): number {
  const fields = statFields("self");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

function treeKiB(root: number): number {
  const children = new Map<number, number[]>();
  const resident = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statFields(name);
    const parent = Number(fields[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    resident.set(Number(name), Number(fields[21]) * PAGE_KIB);
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), resident.get(pid) ?? 0);
  return sum(root);
}

/** The fields of /proc/PID/stat after the command's name, which may hold anything. */
function statFields(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
