import { spawnSync } from "node:child_process";
import { lstatSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeProject, type TestProject } from "../test-project.ts";
import { FileTable, noteStats } from "./file-table.ts";
import { encodeGitIndex } from "./git-index.ts";
import { packNames } from "./names.ts";

const FILES = {
  "a.ts": "1\n",
  "a/b.ts": "a folder whose name begins as a file's\n",
  "a-b.ts": "12\n",
  "empty.ts": "",
  "with space\nand line.ts": "1\n",
  "ä/雁.ts": "1\n",
  [`${"long/".repeat(40)}name.ts`]: "1\n",
};

/** The index of some rows, as the system knows their files, where git finds it beside its own. */
function writeIndex({ root }: TestProject, witness: string, wanted: (path: string) => boolean): string {
  const names = packNames(Buffer.from(Object.keys(FILES).join("\0").concat("\0")));
  const table = new FileTable(names);
  const { columns } = table;
  for (const [row, path] of table.paths.entries()) {
    noteStats(columns, row, lstatSync(join(root, path)));
  }
  const rows = Uint8Array.from(table.paths, (path) => Number(wanted(path)));
  const file = join(root, ".git/index-of-ours");
  writeFileSync(file, encodeGitIndex({ names, columns, rows, witness }));
  return file;
}

function git({ root }: TestProject, index: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_INDEX_FILE: index, LC_ALL: "C" };
  const { stdout, stderr } = spawnSync("git", args, { cwd: root, env, encoding: "utf8" });
  return stdout + stderr;
}

/** The entries as git tells them, but for fractions of seconds, the device and the content. */
function entriesIn(project: TestProject, index: string): (readonly string[])[] {
  const entry =
    /([^\0]+)\0 +ctime: (\d+):\d+\n +mtime: (\d+):\d+\n +dev: \d+\tino: (\d+)\n +uid: (\d+)\tgid: (\d+)\n +size: (\d+)\tflags: 0\n/g;
  return [...git(project, index, "ls-files", "-z", "--debug").matchAll(entry)].map((found) => found.slice(1));
}

describe("an index that we write", () => {
  for (const witness of [".first", "b-witness", "黒"]) {
    test(`says to git what its own says, and the witness ${witness} in its place`, () => {
      using project = makeProject(FILES);
      // Modified long before the system's own time of change.
      utimesSync(join(project.root, "a.ts"), new Date(1e12), new Date(1e12));
      project.git("add", "a.ts");
      const ours = entriesIn(
        project,
        writeIndex(project, witness, () => true),
      );
      const own = entriesIn(project, ".git/index");
      expect(own).toHaveLength(Object.keys(FILES).length);
      expect(ours.filter(([name]) => name !== witness)).toEqual(own);
      expect(ours.map(([name = ""]) => name)).toEqual(
        [...own.map(([name = ""]) => name), witness].sort((a, b) =>
          Buffer.compare(Buffer.from(a), Buffer.from(b)),
        ),
      );
    });
  }

  test("is whole as git sees it, to the last byte of its checksum", () => {
    using project = makeProject(FILES);
    const index = writeIndex(project, "b-witness", () => true);
    expect(git(project, index, "fsck")).not.toContain("bad");
    const bytes = readFileSync(index);
    writeFileSync(index, bytes.fill(~(bytes.at(-1) ?? 0), bytes.length - 1));
    expect(git(project, index, "fsck")).toContain("bad");
  });

  test("has only the rows that were wanted", () => {
    using project = makeProject(FILES);
    const index = writeIndex(project, "b-witness", (path) => path.startsWith("a"));
    expect(entriesIn(project, index).map(([name]) => name)).toEqual([
      "a-b.ts",
      "a.ts",
      "a/b.ts",
      "b-witness",
    ]);
  });

  test("of unchanged files lets git name the witness alone, also where a file is empty", () => {
    using project = makeProject(FILES);
    const index = writeIndex(project, "b-witness", () => true);
    // Later than all files: else git would compare contents, which the index does not have.
    const later = new Date(Date.now() + 10_000);
    utimesSync(index, later, later);
    expect(git(project, index, "diff-files", "--name-only")).toBe("b-witness\n");
  });
});
