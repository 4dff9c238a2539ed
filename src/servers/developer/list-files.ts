/**
 * The `list_files` tool: what is in a folder, in order, page by page. It only reads, stays inside the working
 * directory, follows no symlinks and runs no program, so ignore files are not consulted: instead, the folders
 * that nobody wants to see by thousands are named but not entered.
 */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { SafePathError } from "../../lib/safe-path.ts";
import { defineTool, failure, type KitTool, text } from "../kit/tool.ts";
import { formatCount } from "./amounts.ts";
import { readSortedNames } from "./files/sorted-names.ts";
import type { Workspace } from "./files/workspace.ts";
import { quoteName } from "./quote-name.ts";
import { adviseOnPath } from "./read-file.ts";

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 5000;
/** Below what the agent keeps elsewhere: a part that was asked for must arrive. */
const MAX_CHARACTERS = 20_000;
const MAX_DEPTH = 32;
const NOT_ENTERED = new Set([".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"]);

const input = z.object({
  path: z
    .string()
    .min(1)
    .optional()
    .describe("A directory inside the working directory, which is the default"),
  depth: z
    .int()
    .min(1)
    .max(MAX_DEPTH)
    .optional()
    .describe("How many levels to show; 1, the directory's own entries, when not given"),
  hidden: z.boolean().optional().describe("Also names that begin with a dot"),
  limit: z
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .optional()
    .describe(`Entries at most; ${DEFAULT_LIMIT} when not given`),
  after: z.string().min(1).optional().describe("Go on after this entry, as the previous answer says"),
});

export function createListFilesTool(workspace: Workspace): KitTool {
  return defineTool({
    name: "list_files",
    title: "List files",
    description:
      "List a directory of the working directory: type (d directory, - file, l symlink), size in bytes, time of the " +
      "last change, name; sorted by name. With depth, its subdirectories too " +
      `(not ${[...NOT_ENTERED].join(", ")}; name one of these as path to look inside). .gitignore is not considered.`,
    input,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ path = ".", depth = 1, hidden = false, limit = DEFAULT_LIMIT, after }, { signal }) {
      try {
        const folder = workspace.resolveInside(path);
        const name = folder.relative === "" ? folder.path : folder.relative;
        const stats = lstatSync(folder.path);
        if (!stats.isDirectory()) return text(describeEntry(folder.path, basename(folder.path), stats));
        const listing = new Listing({ folder: folder.path, depth, hidden, limit, signal });
        await listing.add(folder.path, "", after?.split("/"));
        return text(listing.describe(quoteName(name)));
      } catch (error) {
        if (error instanceof SafePathError)
          return failure(adviseOnPath(error, "List its parent directory first."));
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EACCES" || code === "EPERM") return failure(`Permission denied: ${path}`);
        throw error;
      }
    },
  });
}

interface ListingOptions {
  readonly folder: string;
  readonly depth: number;
  readonly hidden: boolean;
  readonly limit: number;
  readonly signal: AbortSignal;
}

class Listing {
  readonly #options: ListingOptions;
  readonly #lines: string[] = [];
  #characters = 0;
  #last = "";
  #more = false;
  #topRemaining = 0;
  #topTotal = 0;
  #hiddenCount = 0;

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  /** Adds a folder's entries in tree order. `after` is the rest of the path to go on from, by its names. */
  async add(folder: string, prefix: string, after?: readonly string[]): Promise<void> {
    const { depth, hidden, limit, signal } = this.#options;
    const level = prefix === "" ? 1 : prefix.split("/").length;
    const [resumeAt, ...resumeInside] = after ?? [];
    const found = await readSortedNames({
      folder,
      ...(resumeAt !== undefined && { after: resumeAt, inclusive: true }),
      limit: limit - this.#lines.length + 2,
      accept: (name) => hidden || !name.startsWith("."),
      signal,
    });
    this.#hiddenCount += found.rejected;
    if (prefix === "") this.#topTotal = found.total;
    for (const [index, name] of found.names.entries()) {
      const resumed = index === 0 && name === resumeAt;
      const stats = statIfAny(join(folder, name));
      const enters = stats?.isDirectory() === true && level < depth && !NOT_ENTERED.has(name);
      if (!resumed && !this.#push(join(folder, name), prefix + name, stats, enters || level === depth)) {
        if (prefix === "") this.#topRemaining = found.remaining + found.names.length - index;
        return;
      }
      if (!enters) continue;
      await this.#enter(join(folder, name), `${prefix}${name}/`, resumed ? resumeInside : []);
      if (this.#more) return;
    }
  }

  describe(name: string): string {
    const lines = [`${name}: ${this.#summary()}`, ...this.#lines];
    if (this.#more) {
      const left =
        this.#options.depth === 1
          ? `${formatCount(this.#topRemaining, "more entry", "more entries")}`
          : "more entries";
      lines.push(`[${left}; go on with after: ${JSON.stringify(this.#last)}]`);
    }
    return lines.join("\n");
  }

  #summary(): string {
    const total = formatCount(this.#topTotal, "entry", "entries");
    const leftOut = this.#hiddenCount > 0 ? `, ${this.#hiddenCount} hidden not shown` : "";
    return `${total}${leftOut}`;
  }

  async #enter(folder: string, prefix: string, after: readonly string[]): Promise<void> {
    try {
      await this.add(folder, prefix, after.length > 0 ? after : undefined);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      // One folder that cannot be read does not hide the others.
      this.#lines.push(
        `?  ${"".padStart(12)}  ${"".padEnd(16)}  ${quoteName(prefix)} (cannot be read: ${code})`,
      );
    }
  }

  /** False when there is no room for it. */
  #push(path: string, relative: string, stats: Stats | undefined, expected: boolean): boolean {
    const note = stats?.isDirectory() && !expected ? " (not entered)" : "";
    const line = describeEntry(path, relative, stats) + note;
    if (this.#lines.length >= this.#options.limit || this.#characters + line.length > MAX_CHARACTERS) {
      this.#more = true;
      return false;
    }
    this.#lines.push(line);
    this.#characters += line.length + 1;
    this.#last = relative;
    return true;
  }
}

function describeEntry(path: string, name: string, stats: Stats | undefined): string {
  if (stats === undefined)
    return `?  ${"".padStart(12)}  ${"".padEnd(16)}  ${quoteName(name)} (not readable)`;
  const size = stats.isFile() ? String(stats.size) : "";
  const target = stats.isSymbolicLink() ? ` -> ${quoteName(linkTarget(path))}` : "";
  const slash = stats.isDirectory() ? "/" : "";
  return `${letterOf(stats)}  ${size.padStart(12)}  ${formatTime(stats.mtime)}  ${quoteName(name)}${slash}${target}`;
}

function letterOf(stats: Stats): string {
  if (stats.isDirectory()) return "d";
  if (stats.isSymbolicLink()) return "l";
  return stats.isFile() ? "-" : "s";
}

function formatTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

function statIfAny(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "?";
  }
}
