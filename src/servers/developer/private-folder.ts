/**
 * A folder of the server's own for what it keeps besides its answers: full outputs, pipes.
 * Made when first needed, readable by nobody else (0700), removed with everything in it at the end.
 */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class PrivateFolder {
  #path: string | undefined;
  #closed = false;
  #count = 0;

  /** Undefined while nothing was kept. */
  get existing(): string | undefined {
    return this.#path;
  }

  get path(): string {
    if (this.#closed) throw new Error("the server is closing: nothing more can be kept");
    // Resolved, because later paths are compared after their links are resolved.
    this.#path ??= realpathSync.native(mkdtempSync(join(tmpdir(), "kari-developer-")));
    return this.#path;
  }

  /** A name that nothing else in the folder has. */
  newPath(prefix: string, suffix = ""): string {
    this.#count += 1;
    return join(this.path, `${prefix}-${this.#count}${suffix}`);
  }

  close(): void {
    this.#closed = true;
    if (this.#path === undefined) return;
    chmodSync(this.#path, 0o700);
    rmSync(this.#path, { recursive: true, force: true, maxRetries: 2 });
  }
}
