/**
 * The root of the collection and where it really lies. Resolving takes a system call for each part of the path,
 * so it is done again only when the root is another folder than before.
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { stateOf } from "./stat-cache.ts";

export class RealRoot {
  /** Absolute, as it was given. */
  readonly path: string;
  #known: { readonly dev: number; readonly ino: number; readonly real: string } | undefined;

  constructor(root: string) {
    this.path = resolve(root);
  }

  /** With every link resolved. Throws when there is no such folder. */
  get real(): string {
    const state = stateOf(this.path);
    const known = this.#known;
    if (state && known && known.ino === state.ino && known.dev === state.dev) return known.real;
    const real = realpathSync.native(this.path);
    this.#known = state && { dev: state.dev, ino: state.ino, real };
    return real;
  }
}
