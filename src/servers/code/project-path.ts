/** The folder that a project path means. Light: it is looked at before anything of the server is loaded. */
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { shown } from "../../lib/safe-path.ts";

export class ProjectPathError extends Error {
  override readonly name = "ProjectPathError";
}

/** The real path of a folder that exists; says what is wrong with any other. */
export function resolveFolder(path: string, base: string): string {
  if (path === "") throw new ProjectPathError("Project path cannot be empty");
  if (path.includes("\0")) throw new ProjectPathError("Project path contains null bytes");
  const wanted = isAbsolute(path) ? path : resolve(base, path);
  try {
    const real = realpathSync.native(wanted);
    if (!statSync(real).isDirectory())
      throw new ProjectPathError(`Project path is not a directory: ${shown(path)}`);
    return real;
  } catch (error) {
    if (error instanceof ProjectPathError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES") throw new ProjectPathError(`Permission denied: ${shown(path)}`);
    throw new ProjectPathError(`Project path does not exist: ${shown(path)}`);
  }
}
