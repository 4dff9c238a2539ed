/**
 * A child process that leads its own process group, and the end of the whole group.
 * The child gets exactly the environment it is given, never ours.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { ownerMark, unwatchGroup, watchGroup } from "./watchdog.ts";

export interface GroupSpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Windows: the arguments are one line that is already quoted. */
  readonly windowsVerbatimArguments?: boolean;
}

/** Resolves once the child runs; rejects with the reason (ENOENT, EACCES, …) when it does not start. */
export async function spawnGroup(options: GroupSpawnOptions): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(options.command, [...options.args], {
    env: { ...options.env, ...ownerMark() },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
    windowsVerbatimArguments: options.windowsVerbatimArguments ?? false,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  const group = child.pid;
  if (group !== undefined) {
    watchGroup(group);
    child.once("exit", () => unwatchGroup(group));
  }
  return child;
}

export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") endTree(child.pid, signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** Windows has no groups, and no gentle way: the whole tree is ended when its time is up. */
function endTree(pid: number, signal: NodeJS.Signals): void {
  if (signal !== "SIGKILL") return;
  spawn("taskkill.exe", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
    "error",
    () => {},
  );
}

/** Closes stdin, then TERM, then KILL, each after a while; resolves when the child is gone. */
export async function endGroup(child: ChildProcessWithoutNullStreams, graceMs = 1000): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });
  child.stdin.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (await settlesWithin(gone, graceMs)) break;
    signalGroup(child, signal);
  }
  await settlesWithin(gone, graceMs);
  // The leader is gone; whoever it left behind in its group goes too.
  signalGroup(child, "SIGKILL");
}

async function settlesWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = await Promise.race([promise.then(() => true as const), late]);
  clearTimeout(timer);
  return settled;
}
