/**
 * Ends all processes of a command: TERM, then KILL for those that stay. Also those outside its process group.
 * Each gets one TERM only: what a program starts to clean up after itself may do its work.
 */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { processesMarked, processesOf, readProcessTable } from "./process-table.ts";

const GRACE_MS = 1000;
const POLL_MS = 40;

export function endCommand(leader: number): Promise<void> {
  return endCommands([leader]);
}

/** Ends these commands, and whatever carries the mark in its environment, wherever it went. */
export async function endCommands(leaders: readonly number[], mark?: string): Promise<void> {
  if (process.platform === "win32") {
    await Promise.all(leaders.map(endTree));
    return;
  }
  const find = () => {
    const table = readProcessTable();
    const marked = mark === undefined ? [] : processesMarked(mark);
    return [...new Set([...leaders.flatMap((leader) => processesOf(leader, table)), ...marked])];
  };
  let left = find();
  for (const pid of left) signal(pid, "SIGTERM");
  for (let waited = 0; left.length > 0 && waited < GRACE_MS; waited += POLL_MS) {
    await sleep(POLL_MS);
    const present = new Set(readProcessTable().map(({ pid }) => pid));
    left = left.filter((pid) => present.has(pid));
  }
  // Whole groups in one step: what forks in between cannot slip through. Then those that came after we looked.
  for (const leader of leaders) signal(-leader, "SIGKILL");
  for (const pid of [...left, ...find()]) signal(pid, "SIGKILL");
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
