/**
 * What commands left running when their shell ended (`server &`). It may go on working and printing while the
 * developer server lives; it ends with it. Also keeps the watch that holds should we be killed ourselves.
 */
import { endCommands } from "./end-command.ts";
import type { OutputLog } from "./output-log.ts";
import type { OutputPipe } from "./output-pipe.ts";
import { processesOf } from "./process-table.ts";

/** A command that takes longer is announced to the watchdog; announcing each would cost more than it is worth. */
const WATCH_AFTER_MS = 100;
const MARK_VARIABLE = "KARI_COMMANDS_OF";

// Loaded with the first command that needs it: it costs some milliseconds that a start should not pay.
const loadWatchdog = () => import("../../../lib/watchdog.ts");

export class BackgroundProcesses {
  readonly #mark = `${process.pid}-${process.hrtime.bigint()}`;
  readonly #inForeground = new Set<number>();
  readonly #running = new Map<number, { readonly pipe: OutputPipe; readonly log: OutputLog }>();
  #environment: Promise<Readonly<Record<string, string>>> | undefined;
  #closed = false;

  /** The environment for commands, with what it takes to find them again. The same at every call. */
  environment(base: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    this.#environment ??= this.#withMarks(base);
    return this.#environment;
  }

  /** Returns the function to call when the command is over. */
  watch(leader: number): () => void {
    this.#inForeground.add(leader);
    let watched = false;
    const timer = setTimeout(() => {
      watched = true;
      void loadWatchdog().then(({ watchGroup }) => watchGroup(leader));
    }, WATCH_AFTER_MS);
    return () => {
      this.#inForeground.delete(leader);
      clearTimeout(timer);
      if (!watched || this.#running.has(leader)) return;
      void loadWatchdog().then(({ unwatchGroup }) => unwatchGroup(leader));
    };
  }

  /** Whether anything of the command's own process group is still there. */
  isAlive(leader: number): boolean {
    if (process.platform === "win32") return false;
    try {
      process.kill(-leader, 0);
    } catch {
      return false;
    }
    // A signal reaches the dead too, where nobody buries them; the table leaves them out.
    return processesOf(leader).length > 0;
  }

  /** Its output goes on to the log's file until it ends. */
  adopt(leader: number, pipe: OutputPipe, log: OutputLog): void {
    void loadWatchdog().then(({ watchGroup }) => watchGroup(leader));
    this.#running.set(leader, { pipe, log });
    for (const other of this.#running.keys()) if (!this.isAlive(other)) this.#forget(other);
    void pipe.ended().then(() => {
      if (!this.isAlive(leader)) this.#forget(leader);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const leaders = [...this.#inForeground, ...this.#running.keys()].filter((leader) => this.isAlive(leader));
    // Without an environment given out, nothing was ever started.
    if (this.#environment) await endCommands(leaders, `${MARK_VARIABLE}=${this.#mark}`);
    for (const leader of this.#running.keys()) this.#forget(leader);
  }

  async #withMarks(base: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    const { ensureWatchdog, OWNER_VARIABLE, ownerMark } = await loadWatchdog();
    const marked = { ...base, [MARK_VARIABLE]: this.#mark };
    // Inside an agent, its own mark is there already, and its watchdog looks for that one.
    if (base[OWNER_VARIABLE] !== undefined) return marked;
    ensureWatchdog();
    return { ...marked, ...ownerMark() };
  }

  #forget(leader: number): void {
    const command = this.#running.get(leader);
    if (command === undefined) return;
    this.#running.delete(leader);
    void loadWatchdog().then(({ unwatchGroup }) => unwatchGroup(leader));
    command.pipe.close();
    command.log.close();
  }
}
