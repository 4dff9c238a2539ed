/** Ends all processes of a command: TERM, then KILL for those that stay. Also those outside its process group. */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { processesMarked, processesOf, readProcessTable } from "./process-table.ts";

const GRACE_MS = 1000;
const POLL_MS = 40;

export function endCommand(leader: number): Promise<void> {
  if (process.platform === "win32") return endTree(leader);
  return endAll(() => processesOf(leader), leader);
}

/** Ends whatever carries the mark in its environment, wherever it went. */
export function endMarked(mark: string): Promise<void> {
  return endAll(() => processesMarked(mark));
}

async function endAll(find: () => readonly number[], group?: number): Promise<void> {
  // The whole group in one step first: what forks in between cannot slip through.
  if (group !== undefined) signal(-group, "SIGTERM");
  let left = find();
  for (const pid of left) signal(pid, "SIGTERM");
  for (let waited = 0; left.length > 0 && waited < GRACE_MS; waited += POLL_MS) {
    await sleep(POLL_MS);
    left = stillThere(left);
  }
  if (group !== undefined) signal(-group, "SIGKILL");
  for (const pid of new Set([...left, ...find()])) signal(pid, "SIGKILL");
}

function stillThere(pids: readonly number[]): readonly number[] {
  const present = new Set(readProcessTable().map(({ pid }) => pid));
  return pids.filter((pid) => present.has(pid));
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // Gone already, or not ours to end.
  }
}

function endTree(leader: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  execFile("taskkill", ["/pid", String(leader), "/T", "/F"], () => resolve());
  return promise;
}
