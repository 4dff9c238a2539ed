/**
 * Which processes belong to a command, also those that left its process group: job control and `timeout` make
 * groups of their own inside the command's session, daemons leave the session but carry our mark or are
 * descendants still. Used only when something must end, never while a command simply runs.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not say. */
  readonly session: number;
}

/** The processes of the command led by `leader`: its group, its session and all that descends from it. */
export function processesOf(leader: number, table = readProcessTable()): readonly number[] {
  const members = new Set<number>();
  for (const { pid, group, session } of table) {
    if (pid === leader || group === leader || session === leader) members.add(pid);
  }
  for (let grown = true; grown; ) {
    grown = false;
    for (const { pid, parent } of table) {
      if (!members.has(parent) || members.has(pid)) continue;
      members.add(pid);
      grown = true;
    }
  }
  return [...members];
}

/** Processes whose environment carries the entry `NAME=value`. Only Linux lets us look. */
export function processesMarked(mark: string): readonly number[] {
  if (process.platform !== "linux") return [];
  return processIds().filter((pid) => {
    if (pid === process.pid) return false;
    return readIfAny(`/proc/${pid}/environ`)?.split("\0").includes(mark) === true;
  });
}

export function readProcessTable(): readonly ProcessEntry[] {
  if (process.platform === "win32") return [];
  return process.platform === "linux" ? readProc() : readPs();
}

function readProc(): readonly ProcessEntry[] {
  return processIds().flatMap((pid) => {
    const stat = readIfAny(`/proc/${pid}/stat`);
    // "pid (name) state ppid pgrp session …"; the name may hold anything, parentheses too.
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields === undefined || fields[0] === "Z") return [];
    return [{ pid, parent: Number(fields[1]), group: Number(fields[2]), session: Number(fields[3]) }];
  });
}

function readPs(): readonly ProcessEntry[] {
  const lines = execFileSync("ps", ["-axo", "pid=,ppid=,pgid="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [pid, parent, group] = line.trim().split(/\s+/).map(Number);
    if (!pid || parent === undefined || group === undefined) return [];
    return [{ pid, parent, group, session: 0 }];
  });
}

function processIds(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
