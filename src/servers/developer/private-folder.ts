/**
 * A folder of the server's own for what it keeps besides its answers: full outputs, pipes.
 * Made when first needed, readable by nobody else (0700), removed with everything in it at the end. What a killed
 * server left is removed by a later one, days after, so that nobody's living folder is taken.
 */
import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "kari-developer-";
const SWEEP_AFTER_MS = 10_000;
const STALE_MS = 3 * 24 * 60 * 60 * 1000;

export class PrivateFolder {
  #path: string | undefined;
  #closed = false;
  #count = 0;

  /** Undefined while nothing was kept. */
  get existing(): string | undefined {
    return this.#path;
  }

  get path(): string {
    if (this.#closed) throw new Error("the server is closing: nothing more can be kept");
    this.#path ??= this.#make();
    return this.#path;
  }

  /** A name that nothing else in the folder has. */
  newPath(prefix: string, suffix = ""): string {
    this.#count += 1;
    return join(this.path, `${prefix}-${this.#count}${suffix}`);
  }

  close(): void {
    this.#closed = true;
    if (this.#path !== undefined) rmSync(this.#path, { recursive: true, force: true, maxRetries: 2 });
    this.#path = undefined;
  }

  #make(): string {
    setTimeout(() => sweepStaleFolders(tmpdir(), Date.now()), SWEEP_AFTER_MS).unref();
    // Resolved, because later paths are compared after their links are resolved.
    return realpathSync.native(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)));
  }
}

/** Removes folders of servers that are gone and that nobody has written to for days. */
export function sweepStaleFolders(parent: string, now: number): void {
  for (const name of readdirSync(parent)) {
    const owner = /^kari-developer-(\d+)-\w{6}$/.exec(name)?.[1];
    if (owner === undefined || isRunning(Number(owner))) continue;
    try {
      const path = join(parent, name);
      const stats = lstatSync(path);
      if (!stats.isDirectory() || now - stats.mtimeMs < STALE_MS) continue;
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Somebody else's, or gone already.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
