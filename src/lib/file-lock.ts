/**
 * One process at a time may change a file: whoever makes `FILE.lock` first. What is done under the lock takes
 * milliseconds, so a lock whose owner is gone, or which is a minute old, belongs to nobody and is taken over.
 * Programs that know nothing of the lock (an editor) are not held off: look at the file again before replacing it.
 */
import { readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

export interface FileLockOptions {
  /** How long to wait for the one who has it. */
  readonly waitMs?: number;
}

const WAIT_MS = 10_000;
const POLL_MS = 15;
const STALE_MS = 60_000;

/** Throws when another process holds the lock for longer than we wait. */
export async function withFileLock<T>(
  file: string,
  action: () => T,
  options: FileLockOptions = {},
): Promise<T> {
  const lock = `${file}.lock`;
  const mine = `${process.pid} ${hostname()} ${crypto.randomUUID()}\n`;
  const until = Date.now() + (options.waitMs ?? WAIT_MS);
  while (!take(lock, mine)) {
    if (removeIfAbandoned(lock)) continue;
    if (Date.now() > until) throw new Error(heldMessage(lock));
    // Not in step with the others who wait.
    await delay(POLL_MS + Math.random() * POLL_MS);
  }
  try {
    return action();
  } finally {
    // Only our own: one that took a minute may have been taken over.
    if (read(lock) === mine) unlinkSync(lock);
  }
}

function take(lock: string, mine: string): boolean {
  try {
    writeFileSync(lock, mine, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function removeIfAbandoned(lock: string): boolean {
  const owner = read(lock);
  // Gone meanwhile: the next try may get it.
  if (owner === undefined) return true;
  if (!isAbandoned(lock, owner) || read(lock) !== owner) return false;
  try {
    unlinkSync(lock);
  } catch {
    // Somebody else removed it first.
  }
  return true;
}

function isAbandoned(lock: string, owner: string): boolean {
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > STALE_MS) return true;
  const [pid, host] = owner.trim().split(" ");
  // Made and not yet written: its owner is at work.
  if (!pid || host !== hostname()) return false;
  return !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function heldMessage(lock: string): string {
  const owner = read(lock)?.split(" ")[0];
  return (
    `${lock} is held by ${owner ? `process ${owner}` : "another process"}. ` +
    "Try again in a moment; if no Kari is running, remove that file."
  );
}
