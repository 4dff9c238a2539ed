/**
 * What commands left running when their shell ended (`server &`). It may go on working and printing while the
 * developer server lives; it ends with it. Also keeps the watch that holds should we be killed ourselves.
 */
import { randomUUID } from "node:crypto";
import { OWNER_VARIABLE, ownerMark, unwatchGroup, watchGroup } from "../../../lib/watchdog.ts";
import { endCommand, endMarked } from "./end-command.ts";
import type { OutputLog } from "./output-log.ts";
import type { OutputPipe } from "./output-pipe.ts";
import { processesOf } from "./process-table.ts";

/** A command that takes longer is announced to the watchdog; announcing each would cost more than it is worth. */
const WATCH_AFTER_MS = 100;
const MARK_VARIABLE = "KARI_COMMANDS_OF";

export class BackgroundProcesses {
  readonly #id = randomUUID();
  readonly #running = new Map<number, { readonly pipe: OutputPipe; readonly log: OutputLog }>();
  #closed = false;
  #used = false;

  /** What a command's environment must carry so that it can be found again. */
  marks(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
    // Inside an agent, its own mark is there already, and its watchdog looks for that one.
    const owner = environment[OWNER_VARIABLE] === undefined ? ownerMark() : {};
    return { ...owner, [MARK_VARIABLE]: this.#id };
  }

  /** Returns the function to call when the command is over. */
  watch(leader: number): () => void {
    this.#used = true;
    let watched = false;
    const timer = setTimeout(() => {
      watched = true;
      watchGroup(leader);
    }, WATCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
      if (watched && !this.#running.has(leader)) unwatchGroup(leader);
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
    watchGroup(leader);
    this.#running.set(leader, { pipe, log });
    for (const other of this.#running.keys()) if (!this.isAlive(other)) this.#forget(other);
    void pipe.ended().then(() => {
      if (!this.isAlive(leader)) this.#forget(leader);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const leaders = [...this.#running.keys()].filter((leader) => this.isAlive(leader));
    await Promise.all(leaders.map(endCommand));
    if (this.#used) await endMarked(`${MARK_VARIABLE}=${this.#id}`);
    for (const leader of this.#running.keys()) this.#forget(leader);
  }

  #forget(leader: number): void {
    const command = this.#running.get(leader);
    if (command === undefined) return;
    this.#running.delete(leader);
    unwatchGroup(leader);
    command.pipe.close();
    command.log.close();
  }
}
