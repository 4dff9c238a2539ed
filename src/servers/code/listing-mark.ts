/**
 * Whether git would list the same files again, told without asking it: a listing depends on the folders it went
 * through, the ignore files in them, git's own index, and its settings. Their times are kept beside the listing;
 * as long as none has changed, nothing was added, removed, staged or ignored anew.
 * A mark may fail to fit for no good reason, which costs a listing; it must never fit when the files are others.
 */
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { mayHaveChangedSince } from "./file-clock.ts";
import { capture, SAFE_GIT } from "./listing.ts";

export interface ListingMark {
  /** Relative to the root, or absolute; each with the times and the size it had, -1 when it was not there. */
  readonly places: readonly (readonly [path: string, modified: number, changed: number, size: number])[];
  /** What git reads from the environment. */
  readonly environment: string;
  /** When the marking began (milliseconds since 1970). */
  readonly taken: number;
}

/** A project of more folders is asked about as ever. */
const MAX_FOLDERS = 20_000;
const ABSENT = -1;

/**
 * Must be taken before the listing that it is for. `names` are the files of a listing: folders in which there are
 * none are asked about, and left out when git ignores them. Undefined when the project is not git's or too large.
 */
export async function takeListingMark(
  root: string,
  names: readonly string[],
): Promise<ListingMark | undefined> {
  // An index elsewhere: whoever sets this works on more than one, and git may be asked again.
  if (process.env["GIT_INDEX_FILE"]) return undefined;
  const taken = Date.now();
  const settings = await gitPlaces(root);
  if (!settings) return undefined;
  const folders = await walk(root, foldersOf(names));
  if (!folders) return undefined;
  const places = [...settings, ...folders].map((path) => [path, ...timesOf(root, path)] as const);
  return { places, environment: gitEnvironment(), taken };
}

export function stillFits(root: string, mark: ListingMark): boolean {
  if (mark.environment !== gitEnvironment()) return false;
  return mark.places.every(([path, modified, changed, size]) => {
    const [m, c, s] = timesOf(root, path);
    if (m !== modified || c !== changed || s !== size) return false;
    return m === ABSENT || !mayHaveChangedSince(Math.max(m, c), mark.taken);
  });
}

function timesOf(root: string, path: string): readonly [number, number, number] {
  const stats = lstatSync(isAbsolute(path) ? path : `${root}/${path}`, { throwIfNoEntry: false });
  return stats ? [stats.mtimeMs, stats.ctimeMs, stats.size] : [ABSENT, ABSENT, ABSENT];
}

/** Files outside the folders on which a listing depends: settings, also those that are not there yet, and the index. */
async function gitPlaces(root: string): Promise<string[] | undefined> {
  const [places, settings] = await Promise.all([
    capture(
      "git",
      [...SAFE_GIT, "rev-parse", "--absolute-git-dir", "--git-common-dir", "--show-toplevel"],
      root,
    ),
    capture("git", ["config", "--list", "--show-origin", "-z"], root),
  ]);
  if (places.code !== 0 || settings.code !== 0) return undefined;
  const [gitFolder = "", common = "", top = ""] = places.stdout.toString().split("\n");
  const config = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  const found = new Set([
    join(gitFolder, "index"),
    join(gitFolder, "config.worktree"),
    // Of a linked work tree it is absolute, and elsewhere.
    resolve(root, common, "config"),
    resolve(root, common, "info/exclude"),
    join(homedir(), ".gitconfig"),
    join(config, "git/config"),
    join(config, "git/ignore"),
    "/etc/gitconfig",
  ]);
  const parts = settings.stdout.toString().split("\0");
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const origin = parts[i] as string;
    const [key = "", value = ""] = (parts[i + 1] as string).split("\n");
    if (origin.startsWith("file:")) found.add(resolve(top, origin.slice("file:".length)));
    if (key === "core.excludesfile") found.add(resolve(top, value.replace(/^~(?=\/)/, homedir())));
  }
  // A project may be a folder of a repository: the ignore files above it count as well.
  for (let folder = root; folder !== top && folder !== dirname(folder); ) {
    folder = dirname(folder);
    found.add(folder);
    found.add(join(folder, ".gitignore"));
  }
  return [...found];
}

/** Every folder that git goes through, and the ignore files in them. */
async function walk(root: string, listed: ReadonlySet<string>): Promise<string[] | undefined> {
  const found: string[] = [];
  let folders = [""];
  while (folders.length > 0) {
    const next: string[] = [];
    const doubtful: string[] = [];
    for (const folder of folders) {
      found.push(folder);
      if (found.length > MAX_FOLDERS) return undefined;
      for (const entry of entriesOf(`${root}/${folder}`)) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) {
          if (listed.has(path)) next.push(path);
          else if (entry.name !== ".git" && entry.name !== "node_modules") doubtful.push(path);
        } else if (entry.name === ".gitignore") found.push(path);
      }
    }
    folders = [...next, ...(await notIgnored(root, doubtful))];
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function notIgnored(root: string, folders: readonly string[]): Promise<string[]> {
  if (folders.length === 0) return [];
  const input = folders.map((folder) => `${folder}/\0`).join("");
  const { stdout } = await capture("git", [...SAFE_GIT, "check-ignore", "-z", "--stdin"], root, { input });
  const ignored = new Set(stdout.toString().split("\0"));
  return folders.filter((folder) => !ignored.has(`${folder}/`));
}

/** All folders above the files. */
function foldersOf(names: readonly string[]): Set<string> {
  const folders = new Set<string>();
  let last = "";
  for (const name of names) {
    let slash = name.lastIndexOf("/");
    if (slash < 0 || (slash === last.length && name.startsWith(last))) continue;
    last = name.slice(0, slash);
    for (let folder = last; !folders.has(folder); folder = folder.slice(0, slash)) {
      folders.add(folder);
      slash = folder.lastIndexOf("/");
      if (slash < 0) break;
    }
  }
  return folders;
}

function gitEnvironment(): string {
  const used = Object.entries(process.env).filter(
    ([name]) => name.startsWith("GIT_") || name === "HOME" || name === "XDG_CONFIG_HOME",
  );
  return JSON.stringify(used.sort());
}
