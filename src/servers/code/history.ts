/**
 * What git remembers: commits, authors, which files change most and how that went over time. Read as a stream,
 * with everything switched off that the repository could make git run.
 */
import { spawn } from "node:child_process";
import { SAFE_GIT, SAFE_GIT_ENVIRONMENT } from "./listing.ts";

export interface HistoryRequest {
  readonly root: string;
  /** As git understands it: "1 year ago", "2025-01-01". */
  readonly since: string | undefined;
  readonly path: string | undefined;
  readonly maxCommits: number;
  readonly signal?: AbortSignal;
}

export interface FileChurn {
  readonly path: string;
  commits: number;
  added: number;
  deleted: number;
  readonly authors: Set<string>;
  last: string;
}

export interface History {
  readonly commits: number;
  readonly authors: readonly { readonly name: string; readonly commits: number }[];
  readonly months: readonly {
    readonly month: string;
    readonly commits: number;
    readonly added: number;
    readonly deleted: number;
  }[];
  readonly files: readonly FileChurn[];
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** There are older commits that were not read. */
  readonly cut: boolean;
  /** False when the numbers of lines could not be had (a partial clone). */
  readonly hasLines: boolean;
}

export class HistoryError extends Error {
  override readonly name = "HistoryError";
}

/** Between the commits, and between the fields of one. No name or date contains these. */
const COMMIT = "\u0001";
const FIELD = "\u0002";

export async function readHistory(request: HistoryRequest): Promise<History> {
  try {
    return await run(request, "--numstat");
  } catch (error) {
    if (
      !(error instanceof HistoryError) ||
      !/missing|promisor|unable to read|bad object/i.test(error.message)
    )
      throw error;
    return await run(request, "--name-only");
  }
}

async function run(request: HistoryRequest, detail: "--numstat" | "--name-only"): Promise<History> {
  const args = [
    ...SAFE_GIT,
    "log",
    "--no-merges",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "-z",
    detail,
  ];
  args.push(
    `--format=${COMMIT}%aN${FIELD}%aI${FIELD}`,
    `--max-count=${request.maxCommits + 1}`,
    "--relative",
  );
  if (request.since !== undefined) args.push(`--since=${request.since}`);
  args.push("HEAD", "--", request.path ?? ".");
  const child = spawn("git", args, {
    cwd: request.root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...SAFE_GIT_ENVIRONMENT },
    windowsHide: true,
    ...(request.signal && { signal: request.signal }),
  });
  const tally = new Tally(request.maxCommits, detail === "--numstat");
  const decoder = new TextDecoder();
  let rest = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\0");
    rest = parts.pop() ?? "";
    for (const part of parts) tally.add(part);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (stderr.length < 2000) stderr += chunk.toString();
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("error", (error) => reject(new HistoryError(`git cannot be run: ${error.message}`)));
  child.on("close", (code) => resolve(code ?? 1));
  if ((await promise) !== 0) throw new HistoryError(stderr.trim().split("\n")[0] || "git log failed");
  tally.add(rest);
  return tally.result();
}

class Tally {
  readonly #max: number;
  readonly #lines: boolean;
  readonly #authors = new Map<string, number>();
  readonly #months = new Map<string, { commits: number; added: number; deleted: number }>();
  readonly #files = new Map<string, FileChurn>();
  #commits = 0;
  #author = "";
  #date = "";
  #first: string | undefined;
  #last: string | undefined;

  constructor(max: number, lines: boolean) {
    this.#max = max;
    this.#lines = lines;
  }

  add(part: string): void {
    const at = part.indexOf(COMMIT);
    if (at >= 0) {
      const [author = "", date = "", rest = ""] = part.slice(at + 1).split(FIELD);
      this.#beginCommit(author, date);
      part = rest;
    }
    const line = part.replace(/^\n+/, "");
    if (line !== "" && this.#commits <= this.#max) this.#addFile(line);
  }

  #beginCommit(author: string, date: string): void {
    this.#commits += 1;
    if (this.#commits > this.#max) return;
    this.#author = author;
    this.#date = date;
    this.#last ??= date;
    this.#first = date;
    this.#authors.set(author, (this.#authors.get(author) ?? 0) + 1);
    this.#month().commits += 1;
  }

  #addFile(line: string): void {
    const match = this.#lines ? /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(line) : [line, "0", "0", line];
    if (!match) return;
    const path = match[3] as string;
    const [added, deleted] = [Number(match[1]) || 0, Number(match[2]) || 0];
    let file = this.#files.get(path);
    if (!file) {
      file = { path, commits: 0, added: 0, deleted: 0, authors: new Set(), last: this.#date };
      this.#files.set(path, file);
    }
    file.commits += 1;
    file.added += added;
    file.deleted += deleted;
    file.authors.add(this.#author);
    const month = this.#month();
    month.added += added;
    month.deleted += deleted;
  }

  #month(): { commits: number; added: number; deleted: number } {
    const key = this.#date.slice(0, 7);
    let month = this.#months.get(key);
    if (!month) {
      month = { commits: 0, added: 0, deleted: 0 };
      this.#months.set(key, month);
    }
    return month;
  }

  result(): History {
    return {
      commits: Math.min(this.#commits, this.#max),
      authors: [...this.#authors]
        .map(([name, commits]) => ({ name, commits }))
        .sort((a, b) => b.commits - a.commits),
      months: [...this.#months]
        .map(([month, counts]) => ({ month, ...counts }))
        .sort((a, b) => (a.month < b.month ? -1 : 1)),
      files: [...this.#files.values()].sort(
        (a, b) => b.commits - a.commits || b.added + b.deleted - a.added - a.deleted,
      ),
      first: this.#first,
      last: this.#last,
      cut: this.#commits > this.#max,
      hasLines: this.#lines,
    };
  }
}
