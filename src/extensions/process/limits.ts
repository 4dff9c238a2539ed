/**
 * Holds an extension's processes to what its configuration allows (Linux). Processor time, open files and the number
 * of processes are the kernel's own limits, set by a shell that then becomes the program. Memory is watched: a kernel
 * limit on address space would stop Node and Java at start, which reserve far more than they use.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { ProcessLimits } from "../config.ts";

export interface LimitedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Between two looks a process may grow; the kernel stops it this far above its limit. */
const MEMORY_MARGIN_MB = 2048;

/** Pure. Anywhere but on Linux the command stays as it is. */
export function limitedCommand(
  command: string,
  args: readonly string[],
  limits: ProcessLimits | undefined,
  platform: NodeJS.Platform = process.platform,
): LimitedCommand {
  if (!limits || platform !== "linux") return { command, args };
  const settings = [
    // At the soft limit the kernel says why it ends it, at the hard one it does not.
    limits.cpuSeconds !== undefined &&
      `{ ulimit -S -t ${whole(limits.cpuSeconds)} && ulimit -H -t ${whole(limits.cpuSeconds) + 1}; }`,
    limits.openFiles !== undefined && `ulimit -n ${whole(limits.openFiles)}`,
    limits.memoryMegabytes !== undefined &&
      `ulimit -d ${whole(limits.memoryMegabytes + MEMORY_MARGIN_MB) * 1024}`,
    // dash calls it -p, bash -u. Root is not held to it; the watch below is.
    limits.processes !== undefined &&
      `{ ulimit -u ${whole(limits.processes)} || ulimit -p ${whole(limits.processes)}; } 2>/dev/null`,
  ].filter((setting) => setting !== false);
  if (settings.length === 0) return { command, args };
  const failed = '{ echo "the limits of this extension could not be set" >&2; exit 126; }';
  const script = `${settings.map((setting) => `${setting} || ${failed}`).join("\n")}\nexec "$@"`;
  return { command: "/bin/sh", args: ["-c", script, "kari-limits", command, ...args] };
}

const LOOK_EVERY_MS = 250;

/** Calls back once, with the reason in words. Returns the function that ends the watch. */
export function watchLimits(
  group: number,
  limits: ProcessLimits | undefined,
  onExceeded: (reason: string) => void,
): () => void {
  const { memoryMegabytes, processes } = limits ?? {};
  if (process.platform !== "linux" || (memoryMegabytes === undefined && processes === undefined))
    return () => {};
  const timer = setInterval(() => {
    const reason = exceeded(groupUse(group), { memoryMegabytes, processes });
    if (reason === undefined) return;
    clearInterval(timer);
    onExceeded(reason);
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

interface GroupUse {
  readonly processes: number;
  readonly megabytes: number;
}

function exceeded(
  use: GroupUse,
  { memoryMegabytes, processes }: { memoryMegabytes: number | undefined; processes: number | undefined },
): string | undefined {
  if (memoryMegabytes !== undefined && use.megabytes > memoryMegabytes)
    return `was ended because it used ${Math.round(use.megabytes)} MB of memory (limits.memory: ${memoryMegabytes} MB)`;
  if (processes !== undefined && use.processes > processes)
    return `was ended because it had ${use.processes} processes (limits.processes: ${processes})`;
  return undefined;
}

const PAGE_BYTES = 4096;

/** What the processes of a group use together. Memory they share is counted for each; limits are not that exact. */
export function groupUse(group: number): GroupUse {
  let processes = 0;
  let pages = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      // state, parent, group, …; the resident set is the 24th field of the whole line.
      if (Number(fields[2]) !== group) continue;
      processes += 1;
      pages += Number(fields[21] ?? 0);
    } catch {
      // It ended while we looked.
    }
  }
  return { processes, megabytes: (pages * PAGE_BYTES) / (1024 * 1024) };
}

/** The kernel's signal for a spent processor time, in the words of the configuration. */
export function explainEnd(
  words: string,
  signal: NodeJS.Signals | null,
  limits: ProcessLimits | undefined,
): string {
  return signal === "SIGXCPU" && limits?.cpuSeconds !== undefined
    ? `${words} because it used up its processor time (limits.cpu: ${limits.cpuSeconds} s)`
    : words;
}

/** Into a shell script go digits only. */
function whole(value: number): number {
  return Math.max(1, Math.floor(value));
}
