/**
 * How a command's output reaches us. Node's own child pipes are sockets: on Linux a command cannot open
 * /dev/stderr then, and stdout and stderr arrive by separate ways, out of order. So both are given one named
 * pipe (FIFO), a real pipe that keeps the order. A pipe is used again only when nobody holds its other end.
 * Where there are no named pipes (Windows), Node's own are used.
 */
import { type ChildProcess, execFile } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";
import type { PrivateFolder } from "../private-folder.ts";

export interface OutputPipe {
  /** For the `stdio` of a spawn: where stdout and stderr go. */
  readonly target: number | "pipe";
  /** Call right after the spawn. Data comes from then on, until the end or `close`. */
  start(child: ChildProcess, onData: (chunk: Buffer) => void): void;
  /** Instead of `start`, when no child came of the spawn. */
  abandon(): void;
  /** Reads at once what has been written. True when nobody holds the writing end any more. */
  drain(): boolean;
  /** True when the writing end is closed by all within the time; without one, when that comes. */
  ended(graceMs?: number): Promise<boolean>;
  /** Reads no more; a writer that is left gets a broken pipe. */
  close(): void;
}

const BATCH = 8;
/** A command that ends sooner is read without any stream being made, which saves a tenth of a millisecond. */
const ATTACH_AFTER_MS = 3;
/** As much as a pipe can hold, so that an endless writer cannot hold us in `drain`. */
const MAX_DRAIN_BYTES = 1024 * 1024;
const scratch = Buffer.allocUnsafe(64 * 1024);

export class PipePool {
  readonly #folder: PrivateFolder;
  #free: string[] = [];
  #refill: Promise<void> | undefined;
  #available = process.platform !== "win32";

  constructor(folder: PrivateFolder) {
    this.#folder = folder;
  }

  async take(): Promise<OutputPipe> {
    while (this.#available && this.#free.length === 0) {
      this.#refill ??= this.#make().finally(() => {
        this.#refill = undefined;
      });
      await this.#refill;
    }
    const path = this.#free.pop();
    if (path === undefined) return new ChildStreams();
    try {
      return new Fifo(path, () => this.#free.push(path));
    } catch (error) {
      this.#free.push(path);
      throw error;
    }
  }

  async #make(): Promise<void> {
    const paths = Array.from({ length: BATCH }, () => this.#folder.newPath("pipe"));
    try {
      await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
      this.#free.push(...paths);
    } catch {
      // A system without mkfifo, or a file system without pipes: Node's own do, with less order.
      this.#available = false;
    }
  }
}

class Fifo implements OutputPipe {
  readonly target: number;
  readonly #reader: number;
  readonly #release: () => void;
  #onData: (chunk: Buffer) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #socket: Socket | undefined;
  #ended = false;
  #closed = false;

  constructor(path: string, release: () => void) {
    this.#release = release;
    // The reader first and without blocking: then the writer need not wait for one.
    this.#reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      this.target = openSync(path, constants.O_WRONLY);
    } catch (error) {
      closeSync(this.#reader);
      throw error;
    }
  }

  start(_child: ChildProcess, onData: (chunk: Buffer) => void): void {
    closeSync(this.target);
    this.#onData = onData;
    this.#timer = setTimeout(() => this.#attach(), ATTACH_AFTER_MS);
  }

  abandon(): void {
    closeSync(this.target);
    this.#ended = true;
    this.close();
  }

  drain(): boolean {
    if (this.#socket?.destroyed) this.#ended = true;
    for (let total = 0; !this.#ended && !this.#closed && total < MAX_DRAIN_BYTES; ) {
      const length = this.#read();
      if (length === undefined) return false;
      if (length === 0) this.#ended = true;
      else this.#onData(Buffer.from(scratch.subarray(0, length)));
      total += length;
    }
    return this.#ended;
  }

  async ended(graceMs?: number): Promise<boolean> {
    if (this.drain()) return true;
    this.#attach();
    await within(graceMs, (done) => this.#socket?.once("close", done));
    return this.#ended || this.#socket?.destroyed === true;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#socket) this.#socket.destroy();
    else closeSync(this.#reader);
    if (this.#ended) this.#release();
  }

  #attach(): void {
    if (this.#socket || this.#closed) return;
    clearTimeout(this.#timer);
    this.#socket = new Socket({ fd: this.#reader, readable: true, writable: false });
    this.#socket.on("data", (chunk: Buffer) => this.#onData(chunk));
    this.#socket.on("error", () => {});
    // Known at the end and not at the close after it: in between the descriptor may be another file's already.
    this.#socket.once("end", () => {
      this.#ended = true;
    });
  }

  /** Undefined when there is nothing now but may be later. */
  #read(): number | undefined {
    try {
      return readSync(this.#reader, scratch);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
      throw error;
    }
  }
}

class ChildStreams implements OutputPipe {
  readonly target = "pipe";
  #child: ChildProcess | undefined;
  #ended = false;

  start(child: ChildProcess, onData: (chunk: Buffer) => void): void {
    this.#child = child;
    child.stdout?.on("data", onData);
    child.stderr?.on("data", onData);
    child.once("close", () => {
      this.#ended = true;
    });
  }

  abandon(): void {}

  drain(): boolean {
    return this.#ended;
  }

  async ended(graceMs?: number): Promise<boolean> {
    if (!this.#ended) await within(graceMs, (done) => this.#child?.once("close", done));
    return this.#ended;
  }

  close(): void {
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }
}

async function within(graceMs: number | undefined, listen: (done: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = graceMs === undefined ? undefined : setTimeout(resolve, graceMs);
  listen(resolve);
  await promise;
  clearTimeout(timer);
}
