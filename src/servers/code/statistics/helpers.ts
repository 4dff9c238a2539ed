/**
 * Threads that help the server's own with many files. Each stays for a while after its last task. None is ever
 * needed: when one cannot start or dies, the server's thread does all the work.
 */
import { availableParallelism } from "node:os";
import { SHARE_ENV, Worker } from "node:worker_threads";
import type { HelperNews, HelperTask } from "./helper-task.ts";

const MAX_HELPERS = Math.min(3, availableParallelism() - 1);
const KEEP_MS = 5000;

const idle: Helper[] = [];

/** How many could help: those that are there, and as many more as `files` are worth starting. */
export function helpersFor(files: number, filesPerHelper: number): number {
  return Math.min(MAX_HELPERS, Math.max(idle.length, Math.floor(files / filesPerHelper)));
}

/** A helper for one task that comes later: it starts meanwhile. */
export function startHelper(): Pick<Helper, "run"> {
  return idle.pop() ?? new Helper();
}

/** Resolves when the helper has done its task, or is dead. `news` is called with what it tells meanwhile. */
export async function askHelper(task: HelperTask, news?: (news: HelperNews) => void): Promise<void> {
  await startHelper().run(task, news);
}

class Helper {
  readonly #worker: Worker | undefined;
  #finish: (() => void) | undefined;
  #news: ((news: HelperNews) => void) | undefined;
  #dead = false;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    try {
      this.#worker = new Worker(workerFile(), {
        workerData: { script: "code-scan-worker" },
        env: SHARE_ENV,
        stdout: false,
        stderr: false,
      });
    } catch {
      this.#end();
      return;
    }
    this.#worker.unref();
    this.#worker.once("error", () => this.#end());
    this.#worker.once("exit", () => this.#end());
    this.#worker.on("message", (message: HelperNews) => {
      if (message.kind === "done") this.#rest();
      else this.#news?.(message);
    });
  }

  async run(task: HelperTask, news?: (news: HelperNews) => void): Promise<void> {
    if (this.#dead || !this.#worker) return;
    clearTimeout(this.#timer);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#finish = resolve;
    this.#news = news;
    this.#worker.ref();
    this.#worker.postMessage(task);
    await promise;
  }

  #rest(): void {
    this.#worker?.unref();
    idle.push(this);
    this.#timer = setTimeout(() => void this.#worker?.terminate(), KEEP_MS);
    this.#timer.unref();
    this.#settle();
  }

  #end(): void {
    if (this.#dead) return;
    this.#dead = true;
    const at = idle.indexOf(this);
    if (at >= 0) idle.splice(at, 1);
    this.#settle();
  }

  #settle(): void {
    this.#finish?.();
    this.#finish = undefined;
    this.#news = undefined;
  }
}

/** Beside this file in the sources; what was built is loaded by bin/thread.js. */
function workerFile(): URL {
  const source = import.meta.url.endsWith(".ts");
  return new URL(source ? "./scan-worker.ts" : "../bin/thread.js", import.meta.url);
}
