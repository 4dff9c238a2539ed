/**
 * Which files this server touches. Reading without anybody's yes, and resources, stay inside the working
 * directory and the folder of kept outputs; an edit, which needs a yes, may name any regular file.
 * Symlinks are resolved before anything is judged; files of the kernel and devices are never opened.
 */
import { homedir } from "node:os";
import { isAbsolute, join, parse, resolve } from "node:path";
import {
  isInside,
  type OpenedFile,
  openInside,
  type ResolvedPath,
  resolveInside,
} from "../../../lib/safe-path.ts";
import type { PrivateFolder } from "../private-folder.ts";
import { quoteName } from "../quote-name.ts";

export class Workspace {
  /** Absolute, with every symlink resolved. */
  readonly root: string;
  readonly #kept: PrivateFolder;

  constructor(root: string, kept: PrivateFolder) {
    this.root = root;
    this.#kept = kept;
  }

  /** For reading without a yes. Throws SafePathError. The caller closes it. */
  openInside(path: string): OpenedFile {
    return openInside(this.#rootFor(path), path, { absolute: "inside" });
  }

  resolveInside(path: string): ResolvedPath {
    return resolveInside(this.#rootFor(path), path, { absolute: "inside" });
  }

  /** For the editor: any regular file. Throws SafePathError. The caller closes it. */
  openAnywhere(path: string): OpenedFile {
    const absolute = this.absolute(path);
    return openInside(parse(absolute).root, absolute, { absolute: "inside" });
  }

  /** Where a file that may not exist yet is, or would be. */
  resolveAnywhere(path: string): ResolvedPath {
    const absolute = this.absolute(path);
    return resolveInside(parse(absolute).root, absolute, { absolute: "inside", missing: "allow" });
  }

  /** Whether it is an output that shell kept: program output, not somebody's file. */
  isKept(path: string): boolean {
    const kept = this.#kept.existing;
    return kept !== undefined && isInside(kept, path);
  }

  /** The path as it is best said to a model: short where it is inside. */
  display(path: string): string {
    const isBelow = isInside(this.root, path) && path !== this.root;
    return quoteName(isBelow ? path.slice(this.root.length + 1) : path);
  }

  absolute(path: string): string {
    if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
    return resolve(this.root, path);
  }

  #rootFor(path: string): string {
    const kept = this.#kept.existing;
    return kept !== undefined && isAbsolute(path) && this.isKept(path) ? kept : this.root;
  }
}
