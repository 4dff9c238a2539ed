/**
 * Runs a program that says much, and reads it when it is done: it writes to a file and not to a pipe. Through a pipe
 * it would wait for us to read whenever the pipe is full, and wake us for every little that it says.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RunToFileOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

export interface RunToFileResult {
  readonly code: number | null;
  readonly stdout: Buffer;
  /** The beginning of it. */
  readonly stderr: string;
}

/** Rejects when the program cannot be started, or the signal ends it. */
export async function runToFile(
  command: string,
  args: readonly string[],
  options: RunToFileOptions,
): Promise<RunToFileResult> {
  const folder = mkdtempSync(join(tmpdir(), "kari-run-"));
  const file = join(folder, "stdout");
  const output = openSync(file, "w", 0o600);
  try {
    const child = spawn(command, args, { ...options, stdio: ["ignore", output, "pipe"], windowsHide: true });
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      if (stderr.length < 4096) stderr += chunk.toString();
    });
    const [code] = (await once(child, "close")) as [number | null];
    return { code, stdout: readFileSync(file), stderr };
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}
