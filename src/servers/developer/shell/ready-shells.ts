/**
 * Shells that are started ahead of time and wait for a command, because starting bash is most of what a short command
 * takes. Each is used once, as any other shell is. It reads its command from descriptor 3, which is closed before the
 * command runs; when we end, whichever way, it reads the end of that pipe and goes. Where anything could differ from a
 * shell started now (another folder, a start-up file, a long command), it is not used.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type Stats, statSync } from "node:fs";
import type { Writable } from "node:stream";
import type { OutputPipe, PipePool } from "./output-pipe.ts";
import type { ShellProgram } from "./shell-program.ts";

export interface ReadyShellOptions {
  readonly shell: ShellProgram;
  readonly cwd: string;
  readonly pipes: PipePool;
  environment(): Promise<Readonly<Record<string, string>>>;
}

export interface StartedShell {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly pipe: OutputPipe;
}

interface Waiting extends StartedShell {
  readonly input: Writable;
  readonly folder: Stats;
}

/** One is taken while the next is still on its way up. */
const READY = 2;
/** bash takes what comes through a pipe byte by byte. */
const MAX_COMMAND_BYTES = 4096;
/** Its clock begins with the command, as in `bash -c`; of the way it came only REPLY is left, which scripts set themselves. */
const WAIT = `IFS= read -r -d '' -u 3 || exit; exec 3<&-; SECONDS=0; eval "$REPLY"`;

export class ReadyShells {
  readonly #options: ReadyShellOptions;
  /** Oldest first: it has been up for longest. */
  #waiting: Waiting[] = [];
  #isStarting = false;
  #closed = false;

  constructor(options: ReadyShellOptions) {
    this.#options = options;
  }

  /** Gives the command to the waiting shell. Undefined when there is none that would do exactly what is asked. */
  run(command: string, cwd: string): StartedShell | undefined {
    if (cwd !== this.#options.cwd || Buffer.byteLength(command) > MAX_COMMAND_BYTES) return undefined;
    const waiting = this.#waiting.shift();
    if (!waiting) return undefined;
    if (!isSameFolder(waiting.folder, cwd) || hasEnded(waiting.child)) {
      void dismiss(waiting);
      return undefined;
    }
    waiting.child.ref();
    waiting.input.end(`${command}\0`);
    return waiting;
  }

  /** Starts what is missing when there is time for it. */
  prepareSoon(): void {
    if (this.#waiting.length >= READY || this.#isStarting || this.#closed) return;
    if (this.#options.shell.name !== "bash") return;
    this.#isStarting = true;
    setImmediate(() => void this.#prepare());
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#waiting.splice(0).map(dismiss));
  }

  async #prepare(): Promise<void> {
    try {
      const env = await this.#options.environment();
      // A start-up file may be another one by the time the command comes.
      if (env["BASH_ENV"] !== undefined) return;
      const pipe = await this.#options.pipes.take();
      if (this.#closed || typeof pipe.target !== "number") return pipe.abandon();
      this.#waiting.push(this.#start(env, pipe));
    } catch {
      // The next command starts its own shell, and says what is wrong if that fails too.
      return;
    } finally {
      this.#isStarting = false;
    }
    this.prepareSoon();
  }

  #start(env: Readonly<Record<string, string>>, pipe: OutputPipe): Waiting {
    const { shell, cwd } = this.#options;
    const [file, ...args] = shell.argv(WAIT);
    try {
      const child = spawn(file, args, {
        cwd,
        env,
        stdio: ["ignore", pipe.target, pipe.target, "pipe"],
        detached: true,
      });
      child.on("error", () => {});
      const input = child.stdio[3];
      const { pid } = child;
      if (pid === undefined || !input || !("write" in input)) throw new Error("not started");
      input.on("error", () => {});
      child.unref();
      if ("unref" in input && typeof input.unref === "function") input.unref();
      const waiting: Waiting = { child, pid, pipe, input, folder: statSync(cwd) };
      child.once("exit", () => {
        const index = this.#waiting.indexOf(waiting);
        if (index < 0) return;
        this.#waiting.splice(index, 1);
        pipe.abandon();
      });
      return waiting;
    } catch (error) {
      pipe.abandon();
      throw error;
    }
  }
}

async function dismiss({ child, input, pipe }: Waiting): Promise<void> {
  input.destroy();
  pipe.abandon();
  if (hasEnded(child)) return;
  child.ref();
  child.kill("SIGKILL");
  await once(child, "exit");
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** A folder that was removed and made again has the same name and is another one. */
function isSameFolder(folder: Stats, path: string): boolean {
  const now = statSync(path, { throwIfNoEntry: false });
  return now !== undefined && now.ino === folder.ino && now.dev === folder.dev;
}
