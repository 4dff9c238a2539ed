import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles } from "./listing.ts";
import { makeProject } from "./test-project.ts";

async function paths(root: string): Promise<string[]> {
  const { names } = await listFiles(root);
  return names.toString("utf8").split("\0").filter(Boolean).sort();
}

test("tracked and untracked files are listed, ignored ones are not", async () => {
  using project = makeProject({ "a.ts": "", ".gitignore": "out/\n", "src/b.ts": "" });
  project.write("new.ts", "");
  project.write("out/c.ts", "");
  expect(await listFiles(project.root)).toMatchObject({ source: "git" });
  expect(await paths(project.root)).toEqual([".gitignore", "a.ts", "new.ts", "src/b.ts"]);
});

test("an untracked node_modules is left out even when nothing ignores it", async () => {
  using project = makeProject({ "a.ts": "" });
  project.write("node_modules/x/index.js", "");
  project.write("packages/b/node_modules/y/index.js", "");
  expect(await paths(project.root)).toEqual(["a.ts"]);
});

test("names with line ends, quotes and Japanese letters come as they are", async () => {
  const names = ["a\nb.ts", 'a"b.ts', "日本語.ts", "が.ts".normalize("NFD"), "a b.ts"].sort();
  using project = makeProject(Object.fromEntries(names.map((name) => [name, ""])));
  expect(await paths(project.root)).toEqual(names);
});

test("without git, ripgrep lists, with hidden files and by the ignore files", async () => {
  using project = makeProject(
    { "a.ts": "", ".hidden/b.ts": "", ".gitignore": "out/\n", "out/c.ts": "" },
    { git: false },
  );
  project.write("node_modules/x.js", "");
  expect(await listFiles(project.root)).toMatchObject({ source: "ripgrep" });
  expect(await paths(project.root)).toEqual([".gitignore", ".hidden/b.ts", "a.ts"]);
});

test("a folder that an outer repository ignores is listed all the same", async () => {
  using project = makeProject({ ".gitignore": "build/\n" });
  project.write("build/a.ts", "");
  expect(await paths(join(project.root, "build"))).toEqual(["a.ts"]);
});

test("a part of a repository is listed from that part", async () => {
  using project = makeProject({ "a.ts": "", "src/b.ts": "" });
  expect(await paths(join(project.root, "src"))).toEqual(["b.ts"]);
});

test("links to folders are not entered", async () => {
  using project = makeProject({ "src/a.ts": "" });
  symlinkSync("/etc", join(project.root, "etc"));
  expect(await paths(project.root)).toEqual(["etc", "src/a.ts"]);
});

test("nothing that the repository says is run", async () => {
  using project = makeProject({ "a.ts": "" });
  const marker = join(project.root, "../ran");
  const script = join(project.root, "../monitor.sh");
  project.write("../monitor.sh", `#!/bin/sh\ntouch '${marker}'\n`);
  chmodSync(script, 0o755);
  project.git("config", "core.fsmonitor", script);
  project.git("config", "core.hooksPath", join(project.root, ".."));
  expect(await paths(project.root)).toEqual(["a.ts"]);
  expect(existsSync(marker)).toBe(false);
});

test("an empty folder has no files", async () => {
  using project = makeProject({}, { git: false });
  mkdirSync(join(project.root, "empty"));
  expect(await paths(project.root)).toEqual([]);
});
