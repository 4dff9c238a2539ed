/**
 * Runs one command in a shell and gives back how it ended and what it printed. The shell leads a session of its
 * own with nothing to read; it is over when the shell itself is over, whoever still holds its output. Timeout,
 * cancellation and too much output end everything it started. Words for the model live in shell-tool.ts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { PrivateFolder } from "../private-folder.ts";
import type { BackgroundProcesses } from "./background.ts";
import { endCommand } from "./end-command.ts";
import { OutputLog } from "./output-log.ts";
import type { OutputPipe, PipePool } from "./output-pipe.ts";
import type { ReadyShells, StartedShell } from "./ready-shells.ts";
import type { ShellProgram } from "./shell-program.ts";

export interface CommandRequest {
  readonly command: string;
  readonly shell: ShellProgram;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** How long a writer that outlives the shell a little, such as `>(tee log)`, is waited for. */
  readonly lastWordsMs?: number;
  readonly signal: AbortSignal;
  /** Called about once a second while it runs. */
  onTick(elapsedMs: number, output: OutputLog): void;
}

export interface CommandHost {
  readonly folder: PrivateFolder;
  readonly pipes: PipePool;
  readonly background: BackgroundProcesses;
  /** Shells that wait already, where there are some. */
  readonly ready?: ReadyShells;
}

export type CommandEnd =
  | { readonly type: "exited"; readonly code: number }
  | { readonly type: "signalled"; readonly signal: NodeJS.Signals }
  | { readonly type: "timeout" }
  | { readonly type: "cancelled" }
  | { readonly type: "too-much-output" };

export interface CommandOutcome {
  readonly end: CommandEnd;
  readonly output: OutputLog;
  readonly elapsedMs: number;
  /** Something it started is still running. */
  readonly leftRunning: boolean;
}

const TICK_MS = 1000;
const LAST_WORDS_MS = 100;
const POLL_MS = 5;

/** Rejects with the system's error when the shell cannot be started. */
export async function runCommand(request: CommandRequest, host: CommandHost): Promise<CommandOutcome> {
  const startedAt = performance.now();
  const output = new OutputLog(host.folder, request.maxOutputBytes);
  if (request.signal.aborted) return { end: { type: "cancelled" }, output, elapsedMs: 0, leftRunning: false };
  const { child, pid, pipe } =
    host.ready?.run(request.command, request.cwd) ?? (await start(request, await host.pipes.take()));

  const { promise: exited, resolve } = Promise.withResolvers<CommandEnd>();
  child.once("exit", (code, signal) =>
    resolve(signal ? { type: "signalled", signal } : { type: "exited", code: code ?? 0 }),
  );
  let forced: CommandEnd | undefined;
  let ending: Promise<void> | undefined;
  const force = (end: CommandEnd) => {
    forced ??= end;
    ending ??= endCommand(pid);
  };
  let inForeground = true;
  pipe.start(child, (chunk) => {
    if (!output.push(chunk) && inForeground) force({ type: "too-much-output" });
  });
  const unwatch = host.background.watch(pid);
  const ticker = setInterval(() => request.onTick(performance.now() - startedAt, output), TICK_MS);
  const timer = setTimeout(() => force({ type: "timeout" }), request.timeoutMs);
  const cancel = () => force({ type: "cancelled" });
  request.signal.addEventListener("abort", cancel, { once: true });
  if (request.signal.aborted) cancel();

  const end = await exited;
  clearInterval(ticker);
  clearTimeout(timer);
  request.signal.removeEventListener("abort", cancel);
  await ending;
  const isOver = await settle(pid, pipe, host.background, request.lastWordsMs ?? LAST_WORDS_MS);
  const leftRunning = forced === undefined && !isOver;
  inForeground = false;
  if (leftRunning) {
    output.keepInFile();
    host.background.adopt(pid, pipe, output);
  } else {
    pipe.close();
    output.close();
  }
  unwatch();
  return { end: forced ?? end, output, elapsedMs: performance.now() - startedAt, leftRunning };
}

/** Reads the last words. False when something of the command is still there after the time. */
async function settle(
  pid: number,
  pipe: OutputPipe,
  background: BackgroundProcesses,
  graceMs: number,
): Promise<boolean> {
  if (pipe.drain() && !background.isAlive(pid)) return true;
  const startedAt = performance.now();
  if (!(await pipe.ended(graceMs))) return false;
  // Whoever closed the pipe may still be on its way out.
  while (background.isAlive(pid)) {
    if (performance.now() - startedAt > graceMs) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Some failures of a spawn are thrown, some come as an event: both reject here, and the pipe goes back. */
async function start(request: CommandRequest, pipe: OutputPipe): Promise<StartedShell> {
  const [file, ...args] = request.shell.argv(request.command);
  try {
    const child = spawn(file, args, {
      cwd: request.cwd,
      env: request.env,
      stdio: ["ignore", pipe.target, pipe.target],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    const { pid } = child;
    if (pid !== undefined) return { child, pid, pipe };
    await once(child, "spawn");
    throw new Error(`${file} was not started`);
  } catch (error) {
    pipe.abandon();
    throw error;
  }
}
