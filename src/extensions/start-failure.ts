/** Why an extension did not start (MISSION C4): its name, its configuration, the method that failed, its last words. */
import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { describeConfig, type ExtensionConfig } from "./config.ts";
import { ExtensionError, type ExtensionErrorCode } from "./extension-error.ts";
import type { Peer } from "./peer.ts";

const STDERR_LINES = 10;

export function processStartFailure(
  config: ExtensionConfig,
  peer: Peer,
  error: unknown,
  startupTimeoutMs: number,
): ExtensionError {
  if (error instanceof ExtensionError) return error;
  const lines = peer.stderrLines(STDERR_LINES);
  const said =
    lines.length > 0 ? `\nIts last lines on stderr:\n${lines.map((line) => `  ${line}`).join("\n")}` : "";
  const stray = peer.stray();
  const noise =
    stray.count > 0
      ? `\nIt printed ${stray.count} line(s) on stdout that are no messages, such as: ${stray.samples[0]}`
      : "";
  const method = isSpawnError(error) ? "Starting the process failed" : "Call to 'initialize' failed";
  return startFailure(
    config,
    "start-failed",
    `${method}: ${processReason(error, peer, startupTimeoutMs)}${said}${noise}`,
    error,
  );
}

export function startFailure(
  config: ExtensionConfig,
  code: ExtensionErrorCode,
  reason: string,
  cause: unknown,
): ExtensionError {
  const words = `Extension ${config.key} did not start. Configuration: ${describeConfig(config)}. ${reason}`;
  return new ExtensionError(code, words, { cause, mayHaveRun: false });
}

export function isStartTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

function processReason(error: unknown, peer: Peer, startupTimeoutMs: number): string {
  if (isSpawnError(error)) return spawnReason(error);
  const ended = peer.ended();
  if (ended) return `the process ${ended}.`;
  if (isStartTimeout(error)) {
    const stopped = peer.state() === "stopped" ? ` Its process ${peer.pid} is stopped (SIGSTOP).` : "";
    return `no answer within ${startupTimeoutMs / 1000} s.${stopped}`;
  }
  return error instanceof Error ? error.message : String(error);
}

function spawnReason(error: NodeJS.ErrnoException): string {
  const program = error.path ?? "";
  switch (error.code) {
    case "ENOENT":
      return `there is no program "${program}" on the PATH (or its working directory is missing).`;
    case "EACCES":
      return `"${program}" may not be executed.`;
    case "EMFILE":
    case "ENFILE":
      return `too many files are open (${error.code}); close some, or raise the limit (ulimit -n).`;
    case "EAGAIN":
    case "ENOMEM":
      return `the system has no room for another process (${error.code}).`;
    default:
      return error.message;
  }
}

function isSpawnError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall?.startsWith("spawn") === true;
}
