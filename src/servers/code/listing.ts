/**
 * Which files a project has: what git tracks or would track, else what ripgrep finds. Ignored files are left out,
 * and so is whatever lies in an untracked `node_modules`.
 * Git is run so that nothing the repository says is executed: no hooks, no monitors, no lazy fetching.
 */
import { type SpawnOptions, spawn } from "node:child_process";
import { runToFile } from "./run-to-file.ts";

export interface Listing {
  /** Relative to the root, with forward slashes, NUL-separated as the tools give them. */
  readonly names: Buffer;
  readonly source: "git" | "ripgrep";
}

export class ListingError extends Error {
  override readonly name = "ListingError";
}

/** Settings of a repository that would run something, set to nothing. */
export const SAFE_GIT = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.quotePath=false",
  "-c",
  "log.showSignature=false",
] as const;

export const SAFE_GIT_ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Folders that nobody means when they speak of their code. */
const NEVER_LISTED = ["node_modules/"];

export async function listFiles(
  root: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Listing> {
  const git = await listWithGit(root, options);
  if (git !== undefined && git.length > 0) return { names: git, source: "git" };
  const found = await listWithRipgrep(root, options);
  return { names: found, source: "ripgrep" };
}

/** Undefined when this is no work tree, or git is not there. */
async function listWithGit(
  root: string,
  options: { readonly signal?: AbortSignal },
): Promise<Buffer | undefined> {
  const exclude = NEVER_LISTED.flatMap((pattern) => ["-x", pattern]);
  const args = [...SAFE_GIT, "ls-files", "-co", "--exclude-standard", ...exclude, "-z", "--deduplicate"];
  const env = { ...process.env, ...SAFE_GIT_ENVIRONMENT };
  const result = await runToFile("git", args, { cwd: root, env, ...options }).catch(() => undefined);
  options.signal?.throwIfAborted();
  return result?.code === 0 ? result.stdout : undefined;
}

async function listWithRipgrep(root: string, options: { readonly signal?: AbortSignal }): Promise<Buffer> {
  const { rgPath } = await import("@vscode/ripgrep");
  const globs = [".git", ".hg", ".svn", "node_modules"].flatMap((name) => ["-g", `!${name}`]);
  const args = ["--no-config", "--files", "-0", "--hidden", "--no-require-git", "--no-messages", ...globs];
  const result = await runToFile(rgPath, args, { cwd: root, ...options });
  // 1: there are no files; 2: some could not be looked at.
  if (result.code === 0 || result.code === 1 || result.code === 2) return result.stdout;
  throw new ListingError(
    `Cannot list the files of the project: ripgrep failed (${result.code}) ${result.stderr.trim()}`,
  );
}

interface Captured {
  readonly code: number | string;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface CaptureOptions {
  readonly signal?: AbortSignal;
  readonly input?: string;
  /** Ours, made safe for git, when it is absent. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Runs a program to its end and keeps what it said. Never rejects: a program that is not there has a code too. */
export function capture(
  command: string,
  args: readonly string[],
  cwd: string,
  options: CaptureOptions = {},
): Promise<Captured> {
  const spawning: SpawnOptions = {
    cwd,
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    env: options.environment ?? { ...process.env, ...SAFE_GIT_ENVIRONMENT },
    windowsHide: true,
    ...(options.signal && { signal: options.signal }),
  };
  const { promise, resolve } = Promise.withResolvers<Captured>();
  const stdout: Buffer[] = [];
  let stderr = "";
  const child = spawn(command, args, spawning);
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => {
    if (stderr.length < 4096) stderr += chunk.toString();
  });
  child.on("error", (error: NodeJS.ErrnoException) =>
    resolve({ code: error.code ?? "failed", stdout: Buffer.alloc(0), stderr: error.message }),
  );
  child.on("close", (code, signal) =>
    resolve({ code: code ?? signal ?? "failed", stdout: Buffer.concat(stdout), stderr }),
  );
  if (options.input !== undefined) child.stdin?.end(options.input);
  return promise;
}
