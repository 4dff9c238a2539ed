/**
 * Runs the built executable as a person would: through the launcher, with a home of its own and an environment
 * that knows nothing of this machine's keys. Every process started here carries a mark, so that afterwards the
 * suite can tell whether one was left behind (no-orphans.ts).
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const launcher = join(root, "bin", "kari.js");

export interface Home {
  readonly path: string;
  /** An empty working directory inside it. */
  readonly work: string;
  file(name: string, content: string): string;
  remove(): void;
}

export function freshHome(): Home {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "kari-e2e-")));
  const work = mkdtempSync(join(path, "work-"));
  return {
    path,
    work,
    file(name, content) {
      const file = join(work, name);
      writeFileSync(file, content);
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export interface RunOptions {
  readonly home: Home;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function startKari(args: readonly string[], options: RunOptions): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [launcher, ...args], {
    cwd: options.cwd ?? options.home.work,
    env: environment(options),
  });
}

/** As `startKari`, in a terminal of its own (util-linux `script`): what is written to stdin are keys. Linux only. */
export function startKariInTerminal(
  args: readonly string[],
  options: RunOptions,
): ChildProcessWithoutNullStreams {
  const words = [process.execPath, launcher, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return spawn("script", ["-qefc", words.join(" "), "/dev/null"], {
    cwd: options.cwd ?? options.home.work,
    env: { ...environment(options), TERM: "xterm-256color", SHELL: "/bin/sh" },
  });
}

export async function kari(args: readonly string[], options: RunOptions): Promise<Finished> {
  const child = startKari(args, options);
  child.stdin.end(options.input ?? "");
  return await finished(child);
}

export function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Of this checkout alone: what the tests of another one started is not ours to find or to end. */
export const MARK = `e2e-of-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`;

function environment({ home, env }: RunOptions): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home.path,
    // Listed by every child too: the allow-list passes XDG names on, so the mark travels to all descendants.
    XDG_RUNTIME_DIR: `${home.path}/${MARK}`,
    LANG: "C.UTF-8",
    ...env,
  };
}
