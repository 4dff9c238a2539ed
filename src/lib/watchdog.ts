/**
 * Makes sure that no child outlives us, however we end (also SIGKILL): a tiny shell process reads our list of
 * process groups from a pipe, and when the pipe breaks because we are gone, it ends them: TERM, then KILL.
 * Children also carry a mark in their environment, so that descendants that left their group are found (Linux).
 * On Windows there is no such shell; there the children's own end-of-input check is all there is.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** The variable that marks every descendant of this process. */
export const OWNER_VARIABLE = "KARI_OWNER";
const owner = randomUUID();

// Reads "+pgid" and "-pgid" lines. At end of input: TERM all, wait, KILL all, and those that carry the mark.
const SCRIPT = `
trap '' INT TERM HUP
groups=
while read -r line; do
  case $line in
    +*) groups="$groups \${line#+}" ;;
    -*) old=\${line#-}; rest=; for g in $groups; do [ "$g" = "$old" ] || rest="$rest $g"; done; groups=$rest ;;
  esac
done
marked() { [ -d /proc/1 ] && grep -lsz "^${OWNER_VARIABLE}=$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3; }
for g in $groups; do kill -TERM -"$g" 2>/dev/null; done
for p in $(marked "$1"); do kill -TERM "$p" 2>/dev/null; done
n=0
while [ $n -lt 10 ]; do
  alive=$(marked "$1"); for g in $groups; do kill -0 -"$g" 2>/dev/null && alive="$alive $g"; done
  [ -z "$alive" ] && exit 0
  n=$((n+1)); sleep 0.2
done
for g in $groups; do kill -KILL -"$g" 2>/dev/null; done
for p in $(marked "$1"); do kill -KILL "$p" 2>/dev/null; done
`;

let watchdog: ChildProcess | undefined;

/** What a child's environment must carry to be found. A Kari inside a Kari keeps the outermost mark too. */
export function ownerMark(): { readonly [OWNER_VARIABLE]: string } {
  return { [OWNER_VARIABLE]: owner };
}

/** From now on whatever carries our mark ends with us, also before its group is known. */
export function ensureWatchdog(): void {
  if (process.platform !== "win32") watchdog ??= startWatchdog();
}

export function watchGroup(group: number): void {
  ensureWatchdog();
  watchdog?.stdin?.write(`+${group}\n`);
}

export function unwatchGroup(group: number): void {
  watchdog?.stdin?.write(`-${group}\n`);
}

/** Ends every descendant that carries our mark and is still there. For the orderly end of the program. */
export function sweepMarked(signal: NodeJS.Signals): number {
  const pids = markedProcesses();
  for (const pid of pids) signalProcess(pid, signal);
  return pids.length;
}

function startWatchdog(): ChildProcess {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "kari-watchdog", owner], {
    stdio: ["pipe", "ignore", "ignore"],
    // Its own group: a Ctrl-C in the terminal must not reach it.
    detached: true,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
  });
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  child.unref();
  (child.stdin as { unref?(): void } | null)?.unref?.();
  return child;
}

function markedProcesses(): readonly number[] {
  if (process.platform !== "linux") return [];
  const mark = `${OWNER_VARIABLE}=${owner}`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}
