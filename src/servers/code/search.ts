/**
 * Searches contents with ripgrep. It runs in the project's root with nothing of the user's own configuration,
 * follows no links, and is stopped as soon as enough is known. The answer is sorted by path, although ripgrep
 * finds files in any order; only when there is too much to sort is it run again in order.
 */
import { spawn } from "node:child_process";
import { LineFramer } from "../../lib/line-framer.ts";
import { decodeText } from "../../lib/text-encoding.ts";
import { runToFile } from "./run-to-file.ts";

export interface SearchRequest {
  readonly root: string;
  readonly query: string;
  readonly regex: boolean;
  readonly word: boolean;
  readonly caseMode: "smart" | "sensitive" | "insensitive";
  readonly multiline: boolean;
  readonly context: number;
  readonly countOnly: boolean;
  /** Globs, as ripgrep takes them. */
  readonly globs: readonly string[];
  readonly folder: string | undefined;
  readonly encoding: string | undefined;
  /** How many matches the caller will show, from the first. */
  readonly wanted: number;
  readonly signal: AbortSignal;
}

export interface SearchMatch {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before: string[];
  readonly after: string[];
}

export interface SearchFile {
  readonly path: string;
  count: number;
  readonly matches: SearchMatch[];
}

export interface SearchResult {
  /** By path; matches in the order of the file. */
  readonly files: readonly SearchFile[];
  /** False when the search was stopped because it found more than can be sorted. */
  readonly complete: boolean;
}

export class SearchError extends Error {
  override readonly name = "SearchError";
}

const MAX_MATCHES = 20_000;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_TEXT = 300;

export async function search(request: SearchRequest): Promise<SearchResult> {
  if (request.countOnly) return { files: await countMatches(request), complete: true };
  const found = await run(request, { sorted: false, stopAt: MAX_MATCHES });
  if (found.complete) return found;
  return await run(request, { sorted: true, stopAt: Math.min(MAX_MATCHES, request.wanted + 1) });
}

interface RunOptions {
  readonly sorted: boolean;
  readonly stopAt: number;
}

async function run(request: SearchRequest, options: RunOptions): Promise<SearchResult> {
  const { rgPath } = await import("@vscode/ripgrep");
  const child = spawn(rgPath, argumentsOf(request, options), {
    cwd: request.root,
    stdio: ["ignore", "pipe", "pipe"],
    signal: request.signal,
    windowsHide: true,
  });
  const reader = new MatchReader(request.context);
  let complete = true;
  let stderr = "";
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const framer = new LineFramer({
    maxLineBytes: MAX_LINE_BYTES,
    onLine(line) {
      if (!complete) return;
      reader.read(line);
      if (reader.total < options.stopAt) return;
      complete = false;
      child.kill();
    },
    onOversize: () => {},
  });
  child.stdout.on("data", (chunk: Buffer) => framer.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => {
    if (stderr.length < 2000) stderr += chunk.toString();
  });
  child.on("error", reject);
  child.on("close", (code) => {
    framer.end();
    // 1: nothing found; 2: an error, which may be one unreadable file among many.
    if (code === 2 && reader.total === 0 && stderr !== "" && complete)
      reject(new SearchError(explain(stderr)));
    else resolve();
  });
  await promise;
  return { files: reader.files.sort(byPath), complete };
}

/** Only numbers: ripgrep's threads would wake us for every file, which takes a third of the search's time. */
async function countMatches(request: SearchRequest): Promise<SearchFile[]> {
  const { rgPath } = await import("@vscode/ripgrep");
  const args = argumentsOf(request, { sorted: false, stopAt: 0 });
  const { root: cwd, signal } = request;
  const { code, stdout, stderr } = await runToFile(rgPath, args, { cwd, signal });
  const files = readCounts(stdout.toString("utf8"));
  if (code === 2 && files.length === 0 && stderr !== "") throw new SearchError(explain(stderr));
  return files.sort(byPath);
}

/** `path NUL count`, line by line; a path may have line ends in it. */
function readCounts(text: string): SearchFile[] {
  const files: SearchFile[] = [];
  for (let at = 0; ; ) {
    const middle = text.indexOf("\0", at);
    if (middle < 0) return files;
    const end = text.indexOf("\n", middle);
    files.push({
      path: clean(text.slice(at, middle)),
      count: Number(text.slice(middle + 1, end)),
      matches: [],
    });
    at = end + 1;
  }
}

function byPath(a: SearchFile, b: SearchFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function argumentsOf(request: SearchRequest, { sorted }: RunOptions): string[] {
  const args = [
    "--no-config",
    "--hidden",
    "--no-require-git",
    "--no-messages",
    "-g",
    "!.git",
    "-g",
    "!node_modules",
  ];
  args.push(...(request.countOnly ? ["--count-matches", "--null", "--with-filename"] : ["--json"]));
  if (!request.regex) args.push("--fixed-strings");
  if (request.word) args.push("--word-regexp");
  if (request.multiline) args.push("--multiline", "--multiline-dotall");
  args.push(
    { smart: "--smart-case", sensitive: "--case-sensitive", insensitive: "--ignore-case" }[request.caseMode],
  );
  if (request.context > 0 && !request.countOnly) args.push("--context", String(request.context));
  for (const glob of request.globs) args.push("--iglob", glob);
  if (request.encoding) args.push("--encoding", request.encoding);
  if (sorted) args.push("--sort", "path");
  args.push("--regexp", request.query, "--", request.folder ?? "./");
  return args;
}

/** ripgrep's own words, without its program name and the pattern drawn in ASCII. */
function explain(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const error = lines.find((line) => line.startsWith("error:")) ?? lines[0] ?? "unknown error";
  return error.replace(/^rg: /, "").trim();
}

interface RgText {
  readonly text?: string;
  readonly bytes?: string;
}

interface RgMessage {
  readonly type: string;
  readonly data: {
    readonly path?: RgText;
    readonly lines?: RgText;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly start: number }[];
  };
}

class MatchReader {
  readonly files: SearchFile[] = [];
  total = 0;
  #file: SearchFile | undefined;
  #before: string[] = [];
  #last: { match: SearchMatch; line: number } | undefined;
  readonly #context: number;

  constructor(context: number) {
    this.#context = context;
  }

  read(line: string): void {
    const { type, data } = JSON.parse(line) as RgMessage;
    if (type === "begin") {
      this.#file = { path: clean(decode(data.path)), count: 0, matches: [] };
      this.files.push(this.#file);
      this.#before = [];
      this.#last = undefined;
    } else if (type === "context") this.#addContext(decode(data.lines), data.line_number ?? 0);
    else if (type === "match" && this.#file) this.#match(this.#file, data);
  }

  /** A line between two matches belongs to the one before as long as it is near enough, else to the next. */
  #addContext(text: string, line: number): void {
    const shown = shorten(text.replace(/\r?\n$/, ""), 0);
    if (this.#last && line <= this.#last.line + this.#context) this.#last.match.after.push(shown);
    else this.#before.push(shown);
  }

  #match(file: SearchFile, data: RgMessage["data"]): void {
    const text = decode(data.lines).replace(/\r?\n$/, "");
    const bytesBefore = data.submatches?.[0]?.start ?? 0;
    const column = Buffer.from(text).subarray(0, bytesBefore).toString("utf8").length;
    const match: SearchMatch = {
      line: data.line_number ?? 0,
      column: column + 1,
      text: shorten(text, column),
      before: this.#before,
      after: [],
    };
    file.matches.push(match);
    file.count += data.submatches?.length ?? 1;
    this.total += 1;
    this.#before = [];
    this.#last = { match, line: match.line + text.split("\n").length - 1 };
  }
}

/** Lines that are not UTF-8 come as bytes: their encoding is found as for files. */
function decode(value: RgText | undefined): string {
  if (value?.text !== undefined) return value.text;
  const bytes = Buffer.from(value?.bytes ?? "", "base64");
  return decodeText(bytes)?.text ?? bytes.toString("latin1");
}

function clean(path: string): string {
  return (path.startsWith("./") ? path.slice(2) : path).replaceAll(
    "\\",
    process.platform === "win32" ? "/" : "\\",
  );
}

/** Long lines (minified code) are cut around the match. */
function shorten(text: string, column: number): string {
  if (text.length <= MAX_TEXT) return text;
  const from = Math.max(0, Math.min(column - 80, text.length - MAX_TEXT));
  return `${from > 0 ? "…" : ""}${text.slice(from, from + MAX_TEXT)}${from + MAX_TEXT < text.length ? "…" : ""}`;
}
