/**
 * The `developer://environment` resource: where the model works. Only what is cheap and no secret: names of
 * variables and their values stay out. Of most tools it says only that they are there: asking a version costs a
 * process each, and a Java machine is not cheap to start.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { arch, availableParallelism, release, totalmem, type } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { formatBytes } from "./amounts.ts";
import { findProgram } from "./shell/shell-program.ts";

export const ENVIRONMENT_URI = "developer://environment";

const WITH_VERSION = ["git", "node", "python3"];
const BY_NAME =
  "npm pnpm yarn bun deno uv pip cargo go java mvn gradle ruby php gcc clang make cmake rg fd jq docker kubectl gh".split(
    " ",
  );
const VERSION_TIMEOUT_MS = 3000;

export class EnvironmentSummary {
  readonly #workingDirectory: string;
  readonly #shell: string;
  readonly #env: Readonly<Record<string, string>>;
  #versions: Promise<readonly string[]> | undefined;

  constructor(options: { workingDirectory: string; shell: string; env: Readonly<Record<string, string>> }) {
    this.#workingDirectory = options.workingDirectory;
    this.#shell = options.shell;
    this.#env = options.env;
  }

  async text(): Promise<string> {
    this.#versions ??= Promise.all(WITH_VERSION.map((name) => versionOf(name, this.#env))).then((lines) =>
      lines.filter((line) => line !== undefined),
    );
    const present = BY_NAME.filter((name) => findProgram(name, this.#env) !== undefined);
    const branch = gitBranch(this.#workingDirectory);
    return [
      `Working directory: ${this.#workingDirectory}`,
      `Git: ${branch ?? "not a repository"}`,
      `System: ${type()} ${release()} (${arch()}), ${availableParallelism()} processors, ${formatBytes(totalmem())} memory`,
      `Shell: ${this.#shell}`,
      `Language: ${this.#env["LC_ALL"] ?? this.#env["LANG"] ?? "not set"}`,
      `Time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
      `Tools: ${[...(await this.#versions), ...present].join(", ")}`,
      "",
    ].join("\n");
  }
}

/** Read from the repository's files, because that costs no process. Undefined outside of a repository. */
export function gitBranch(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    const head = readHead(join(current, ".git"));
    if (head !== undefined) {
      const branch = /^ref: refs\/heads\/(.+)$/.exec(head.trim())?.[1];
      return branch === undefined ? `detached at ${head.trim().slice(0, 12)}` : `branch ${branch}`;
    }
    if (dirname(current) === current) return undefined;
  }
}

function readHead(gitPath: string): string | undefined {
  const direct = readIfAny(join(gitPath, "HEAD"));
  if (direct !== undefined) return direct;
  // In a worktree .git is a file that says where the folder is.
  const elsewhere = /^gitdir: (.+)$/m.exec(readIfAny(gitPath) ?? "")?.[1];
  if (elsewhere === undefined) return undefined;
  return readIfAny(join(isAbsolute(elsewhere) ? elsewhere : join(dirname(gitPath), elsewhere), "HEAD"));
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function versionOf(name: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const options = { env, timeout: VERSION_TIMEOUT_MS, windowsHide: true };
  const child = execFile(name, ["--version"], options, (error, stdout) => {
    const version = /\d+(\.\d+)+/.exec(stdout)?.[0];
    resolve(error ? undefined : `${name} ${version ?? ""}`.trimEnd());
  });
  child.stdin?.end();
  return promise;
}
