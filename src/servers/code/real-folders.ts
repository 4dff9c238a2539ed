/**
 * Whether a file's folders are folders and none is a link: git lists what it tracks even where a folder has since
 * become a link that leads out of the project. Each folder is looked at once in a scan.
 */
import { lstatSync } from "node:fs";

export class RealFolders {
  readonly #root: string;
  readonly #known = new Map<string, boolean>();
  #last = "";
  #lastIsReal = true;

  constructor(root: string) {
    this.#root = root;
  }

  /** For the path of a file, relative to the root. */
  has(path: string): boolean {
    const slash = path.lastIndexOf("/");
    if (slash < 0) return true;
    // Names come sorted, so that the next file is mostly a neighbour.
    if (slash === this.#last.length && path.startsWith(this.#last)) return this.#lastIsReal;
    this.#last = path.slice(0, slash);
    this.#lastIsReal = this.#isReal(this.#last);
    return this.#lastIsReal;
  }

  #isReal(folder: string): boolean {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    const slash = folder.lastIndexOf("/");
    const real = (slash < 0 || this.#isReal(folder.slice(0, slash))) && !isLink(`${this.#root}/${folder}`);
    this.#known.set(folder, real);
    return real;
  }
}

/** What is gone or closed to us is no link; opening the file will say what is wrong with it. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
