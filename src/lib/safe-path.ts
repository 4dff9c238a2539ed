/**
 * Paths that a stranger names and that must stay inside one root folder.
 * A name is first judged by its letters, then by where it really leads (symlinks resolved), and a file that was
 * opened is judged once more by what was opened, so that a link swapped in between never leads outside.
 * Messages repeat what was asked and never say where a refused path led. Percent-decoding is the caller's.
 */
import * as fs from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

export interface OpenedFile {
  /** The caller closes it. */
  readonly fd: number;
  /** Absolute, with every symlink resolved. */
  readonly path: string;
  /** From the root, with forward slashes. */
  readonly relative: string;
  readonly stats: fs.Stats;
}

export interface ResolvedPath {
  readonly path: string;
  readonly relative: string;
  /** False only when `missing: "allow"` was asked: then everything above the missing part was checked. */
  readonly exists: boolean;
}

export interface ResolveOptions {
  /** Absolute paths are refused unless asked for; even then only those inside the root pass. */
  readonly absolute?: "refuse" | "inside";
  /** Whether a path that does not exist yet may be named, for what is about to be created. */
  readonly missing?: "refuse" | "allow";
}

export interface OpenOptions {
  readonly absolute?: ResolveOptions["absolute"];
  /** As of fs.constants; reading when absent. With O_CREAT the file may be missing, its folder may not. */
  readonly flags?: number;
  readonly mode?: number;
}

/**
 * - `empty`, `null-byte`, `traversal`, `absolute`, `not-portable`, `too-long`: refused by its letters alone.
 * - `outside`: it leads out of the root, through a link or by being absolute.
 * - `not-found`, `permission`, `failed`: the file system said so.
 * - `not-a-file`: a folder; `special`: a device, FIFO, socket or a file of the kernel.
 */
export type SafePathErrorCode =
  | "empty"
  | "null-byte"
  | "traversal"
  | "absolute"
  | "not-portable"
  | "too-long"
  | "outside"
  | "not-found"
  | "permission"
  | "not-a-file"
  | "special"
  | "failed";

export class SafePathError extends Error {
  override readonly name = "SafePathError";
  readonly code: SafePathErrorCode;
  constructor(code: SafePathErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const MAX_PATH_CHARACTERS = 4096;
/** Trees of the kernel: their files are regular by type and are not somebody's code. */
const KERNEL_TREES = ["/proc", "/sys", "/dev"];
const { O_CREAT, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_TRUNC } = fs.constants;

/** Opens a regular file inside `root`. What comes back was checked after it was opened. */
export function openInside(root: string, path: string, options: OpenOptions = {}): OpenedFile {
  const flags = options.flags ?? O_RDONLY;
  const creates = (flags & O_CREAT) !== 0;
  const resolved = resolveInside(root, path, {
    ...(options.absolute && { absolute: options.absolute }),
    missing: creates ? "allow" : "refuse",
  });
  const realRoot = fs.realpathSync.native(root);
  if (resolved.exists)
    refuseUnlessRegular(
      attempt(path, () => fs.lstatSync(resolved.path)),
      path,
    );
  const changes = creates || (flags & O_TRUNC) !== 0;
  // O_NONBLOCK: a FIFO that takes the place of the file must not hold us. O_NOFOLLOW: nor may a link.
  const guarded = flags | O_NOFOLLOW | O_NONBLOCK;
  const fd = attempt(path, () =>
    changes
      ? openInCheckedFolder(realRoot, resolved.path, path, guarded, options.mode)
      : fs.openSync(resolved.path, guarded),
  );
  try {
    const stats = fs.fstatSync(fd);
    refuseUnlessRegular(stats, path);
    const opened = pathOfOpened(fd, stats, resolved.path, path);
    refuseOutside(realRoot, opened, path);
    return { fd, path: opened, relative: fromRoot(realRoot, opened), stats };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** Where a path leads, inside the root. For names only: between this and a later open a link may be swapped. */
export function resolveInside(root: string, path: string, options: ResolveOptions = {}): ResolvedPath {
  const realRoot = attempt(path, () => fs.realpathSync.native(root));
  const wanted = isAbsolute(path) ? checkAbsolute(path, options) : join(realRoot, checkRelative(path));
  const real = realPathOrTwin(realRoot, wanted, path);
  if (real !== undefined) {
    refuseOutside(realRoot, real, path);
    return { path: real, relative: fromRoot(realRoot, real), exists: true };
  }
  // Absolute and not there: inside or outside, the answer says nothing about what lies outside.
  if (isAbsolute(path) && !isInside(realRoot, wanted) && !isInside(root, wanted)) refuseAsOutside(path);
  if (options.missing !== "allow") throw new SafePathError("not-found", `File not found: ${shown(path)}`);
  const planned = planMissing(wanted, path);
  refuseOutside(realRoot, planned, path);
  return { path: planned, relative: fromRoot(realRoot, planned), exists: false };
}

/** The checks that need no file system. Gives the path back, so that it can be used in an expression. */
export function checkRelative(path: string, platform: NodeJS.Platform = process.platform): string {
  checkLetters(path);
  if (path.startsWith("/")) refuseAsOutside(path);
  // A drive or a share is outside on every system: no project has a folder of that name.
  if (/^[A-Za-z]:/.test(path) || /^[\\/]{2}/.test(path)) refuseAsOutside(path);
  const segments = path.split(platform === "win32" ? /[\\/]/ : "/");
  if (segments.includes("..")) throw traversal(path);
  // `..\x` cannot climb here, but whoever asks for it means to.
  if (platform !== "win32" && path.split(/[\\/]/).includes("..")) throw traversal(path);
  if (platform === "win32") for (const segment of segments) checkWindowsSegment(segment, path);
  return path;
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function checkLetters(path: string): void {
  if (path === "") throw new SafePathError("empty", "File path cannot be empty");
  if (path.includes("\0")) throw new SafePathError("null-byte", "File path contains null bytes");
  if (path.length > MAX_PATH_CHARACTERS) {
    throw new SafePathError(
      "too-long",
      `File path is too long: ${path.length} characters, at most ${MAX_PATH_CHARACTERS}`,
    );
  }
}

function checkAbsolute(path: string, options: ResolveOptions): string {
  checkLetters(path);
  if (options.absolute !== "inside") refuseAsOutside(path);
  if (path.split(/[\\/]/).includes("..")) throw traversal(path);
  return path;
}

/** Names that Windows reads as something else: devices, streams, short names, names it cuts. */
function checkWindowsSegment(segment: string, path: string): void {
  const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?$/i;
  if (device.test(segment) || segment.includes(":") || /~\d/.test(segment) || /[. ]$/.test(segment)) {
    throw new SafePathError("not-portable", `Not a file name on Windows: ${shown(path)}`);
  }
}

/**
 * The real path of what exists. A name that is there in another Unicode form (a Mac wrote NFD, a keyboard types
 * NFC) is found too, when exactly one such name is there; the exact name always wins.
 */
function realPathOrTwin(realRoot: string, wanted: string, path: string): string | undefined {
  const real = realPathIfAny(wanted, path);
  if (real !== undefined || isAscii(wanted) || !isInside(realRoot, wanted)) return real;
  let folder = realRoot;
  for (const segment of relative(realRoot, wanted).split(sep)) {
    const exact = join(folder, segment);
    if (fs.existsSync(exact)) {
      folder = exact;
      continue;
    }
    const name = segment.normalize("NFC");
    const twins = listFolder(folder).filter((entry) => entry.normalize("NFC") === name);
    if (twins.length !== 1) return undefined;
    folder = join(folder, twins[0] as string);
  }
  return realPathIfAny(folder, path);
}

function realPathIfAny(wanted: string, path: string): string | undefined {
  try {
    return fs.realpathSync.native(wanted);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    throw asSafePathError(error, path);
  }
}

/** The nearest folder that exists, resolved, plus the rest of the name. A dangling link is not a missing name. */
function planMissing(wanted: string, path: string): string {
  const rest: string[] = [];
  for (let current = wanted; ; current = dirname(current)) {
    const real = realPathIfAny(current, path);
    if (real !== undefined) return join(real, ...rest);
    if (isLink(current)) refuseAsOutside(path);
    rest.unshift(basename(current));
    if (dirname(current) === current) return wanted;
  }
}

/**
 * Opening with O_CREAT or O_TRUNC acts before anything can be checked, so the folder is opened and checked
 * first and the file is opened in that very folder. Where the system has no such way, the check comes after.
 */
function openInCheckedFolder(
  realRoot: string,
  file: string,
  path: string,
  flags: number,
  mode: number | undefined,
): number {
  if (process.platform !== "linux") return fs.openSync(file, flags, mode);
  const folder = fs.openSync(dirname(file), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    refuseOutside(realRoot, fs.readlinkSync(`/proc/self/fd/${folder}`), path);
    return fs.openSync(`/proc/self/fd/${folder}/${basename(file)}`, flags, mode);
  } finally {
    fs.closeSync(folder);
  }
}

/** The path of an open file: the kernel knows it; elsewhere the name must still lead to the same file. */
function pathOfOpened(fd: number, stats: fs.Stats, opened: string, path: string): string {
  if (process.platform === "linux") {
    const link = attempt(path, () => fs.readlinkSync(`/proc/self/fd/${fd}`));
    // An editor that saves by renaming leaves us the old file: its name is still right.
    return stats.nlink === 0 ? link.replace(/ \(deleted\)$/, "") : link;
  }
  const real = attempt(path, () => fs.realpathSync.native(opened));
  const now = attempt(path, () => fs.lstatSync(real));
  if (now.dev !== stats.dev || now.ino !== stats.ino) refuseAsOutside(path);
  return real;
}

function refuseOutside(realRoot: string, real: string, path: string): void {
  if (!isInside(realRoot, real)) refuseAsOutside(path);
  const kernel = KERNEL_TREES.some((tree) => isInside(tree, real) && !isInside(tree, realRoot));
  if (kernel) throw new SafePathError("special", `Not a regular file: ${shown(path)}`);
}

function refuseUnlessRegular(stats: fs.Stats, path: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) {
    throw new SafePathError("not-a-file", `Not a file but a directory: ${shown(path)}`);
  }
  throw new SafePathError("special", `Not a regular file: ${shown(path)}`);
}

function refuseAsOutside(path: string): never {
  throw new SafePathError("outside", `Path is outside the root: ${shown(path)}`);
}

function traversal(path: string): SafePathError {
  return new SafePathError("traversal", `Path traversal not allowed: ${shown(path)}`);
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw asSafePathError(error, path);
  }
}

function asSafePathError(error: unknown, path: string): SafePathError {
  if (error instanceof SafePathError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new SafePathError("not-found", `File not found: ${shown(path)}`);
  }
  if (code === "EACCES" || code === "EPERM") {
    return new SafePathError("permission", `Permission denied: ${shown(path)}`);
  }
  // A link where a file was a moment ago: somebody is swapping.
  if (code === "ELOOP") return new SafePathError("outside", `Path is outside the root: ${shown(path)}`);
  if (code === "EISDIR") {
    return new SafePathError("not-a-file", `Not a file but a directory: ${shown(path)}`);
  }
  // The system's own message would name the resolved path: its code is enough.
  return new SafePathError("failed", `Cannot open ${shown(path)} (${code ?? "unknown error"})`);
}

/** What was asked, safe to print: control characters and direction overrides as escapes, and not endless. */
export function shown(path: string): string {
  const cut = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return cut.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function fromRoot(realRoot: string, real: string): string {
  return relative(realRoot, real).split(sep).join("/");
}

function listFolder(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function isLink(path: string): boolean {
  try {
    return fs.lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function isAscii(text: string): boolean {
  return !/[^\u0000-\u007f]/.test(text);
}
