/**
 * Tells a stopped process (SIGSTOP, Ctrl-Z, a debugger) from a busy one. Linux says so in /proc; elsewhere nobody
 * is asked, and a server that does not answer is simply silent.
 */
import { readFileSync } from "node:fs";

export type ProcessState = "running" | "stopped" | "gone" | "unknown";

export function processState(pid: number): ProcessState {
  if (process.platform !== "linux") return "unknown";
  try {
    // "pid (name) S …": the name may hold anything, parentheses too.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const letter = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
    if (letter === "T" || letter === "t") return "stopped";
    return letter === "Z" || letter === "X" ? "gone" : "running";
  } catch {
    return "gone";
  }
}

const LOOK_EVERY_MS = 500;
/** A process may be stopped for a moment and go on. */
const PATIENCE_MS = 3000;

/** Calls back once when the process has been stopped for a while. Returns the function that ends the watch. */
export function watchStopped(pid: number, onStopped: () => void): () => void {
  let since: number | undefined;
  const timer = setInterval(() => {
    if (processState(pid) !== "stopped") {
      since = undefined;
      return;
    }
    since ??= performance.now();
    if (performance.now() - since < PATIENCE_MS) return;
    clearInterval(timer);
    onStopped();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
