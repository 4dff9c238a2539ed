/** For tests: a small project in a temporary folder, with or without git, that removes itself. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TestProject extends Disposable {
  readonly root: string;
  /** A folder of its own for a cache. */
  readonly cache: string;
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  git(...args: string[]): void;
}

export function makeProject(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly git?: boolean } = {},
): TestProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "code-server-")));
  const root = join(base, "project");
  mkdirSync(root);
  const project: TestProject = {
    root,
    cache: join(base, "cache"),
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    git(...args) {
      const identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"];
      const result = spawnSync("git", [...identity, "-c", "init.defaultBranch=main", ...args], {
        cwd: root,
        encoding: "utf8",
      });
      if (result.status !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr}`);
    },
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
  for (const [path, content] of Object.entries(files)) project.write(path, content);
  if (options.git !== false) {
    project.git("init", "-q");
    project.git("add", "-A");
  }
  return project;
}
