import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { listFiles } from "./listing.ts";
import { type ListingMark, stillFits, takeListingMark } from "./listing-mark.ts";
import { makeProject, type TestProject } from "./test-project.ts";

const FILES = {
  "a.ts": "1\n",
  "src/b.ts": "1\n",
  "src/deep/c.ts": "1\n",
  ".gitignore": "*.log\nbuild/\n",
  "src/.gitignore": "*.tmp\n.gitignore\n",
  "logs/x.log": "ignored, in a folder that is not\n",
  "build/out.js": "ignored with its folder\n",
};

/** A project whose files are older than the tick of the clock, so that its mark is believed. */
async function settled(files: Record<string, string> = FILES): Promise<TestProject> {
  const project = makeProject(files);
  mkdirSync(join(project.root, "empty/inner"), { recursive: true });
  await delay(80);
  return project;
}

async function namesOf(root: string): Promise<string[]> {
  return (await listFiles(root)).names.toString().split("\0").filter(Boolean);
}

async function markOf(root: string): Promise<ListingMark> {
  const mark = await takeListingMark(root, await namesOf(root));
  if (!mark) throw new Error("no mark");
  return mark;
}

describe("the mark of a listing", () => {
  test("fits while nothing changes, and when files are only edited or ignored ones come", async () => {
    using project = await settled();
    const mark = await markOf(project.root);
    expect(stillFits(project.root, mark)).toBe(true);
    writeFileSync(join(project.root, "a.ts"), "another content\n");
    project.write("build/more.js", "1\n");
    project.write("build/deep/more.js", "1\n");
    expect(stillFits(project.root, mark)).toBe(true);
  });

  test("survives JSON", async () => {
    using project = await settled();
    const mark = JSON.parse(JSON.stringify(await markOf(project.root))) as ListingMark;
    expect(stillFits(project.root, mark)).toBe(true);
  });

  const changes: Record<string, (project: TestProject) => void> = {
    "a new file": (project) => project.write("new.ts", "1\n"),
    "a new file in a folder": (project) => project.write("src/deep/new.ts", "1\n"),
    "a new file in an empty folder": (project) => project.write("empty/inner/new.ts", "1\n"),
    "a new file in a folder of ignored files": (project) => project.write("logs/new.ts", "1\n"),
    "a new folder with a file": (project) => project.write("other/new.ts", "1\n"),
    "a file removed": (project) => project.remove("src/b.ts"),
    "an ignore file edited": (project) => project.write(".gitignore", "*.log\nbuild/\nb.ts\n"),
    "an ignore file edited that ignores itself": (project) =>
      project.write("src/.gitignore", "*.tmp\n.gitignore\nb.ts\n"),
    "a folder that is no longer ignored": (project) => project.write(".gitignore", "*.log\n"),
    "the repository's own exclusions": (project) => project.write(".git/info/exclude", "a.ts\n"),
    "a setting of the repository": (project) => project.git("config", "core.excludesFile", "/nowhere"),
    "a file taken from the index": (project) => project.git("rm", "-q", "--cached", "a.ts"),
    "a file that git is told to track": (project) => project.git("add", "-f", "logs/x.log"),
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`does not fit after ${what}`, async () => {
      using project = await settled();
      const mark = await markOf(project.root);
      change(project);
      expect(stillFits(project.root, mark)).toBe(false);
    });
  }

  test("is not taken where git is told of another index", async () => {
    using project = await settled();
    process.env["GIT_INDEX_FILE"] = join(project.root, "another-index");
    try {
      expect(await takeListingMark(project.root, ["a.ts"])).toBeUndefined();
    } finally {
      delete process.env["GIT_INDEX_FILE"];
    }
  });

  test("does not fit with other settings in the environment", async () => {
    using project = await settled();
    const mark = await markOf(project.root);
    process.env["GIT_CONFIG_COUNT"] = "0";
    try {
      expect(stillFits(project.root, mark)).toBe(false);
    } finally {
      delete process.env["GIT_CONFIG_COUNT"];
    }
  });

  test("of a folder in a repository, does not fit when an ignore file above it is edited", async () => {
    using project = await settled();
    const root = join(project.root, "src");
    const mark = await markOf(root);
    expect(stillFits(root, mark)).toBe(true);
    project.write(".gitignore", "b.ts\n");
    expect(stillFits(root, mark)).toBe(false);
  });

  test("of a linked work tree, does not fit when the exclusions that it shares are edited", async () => {
    using project = await settled();
    project.git("commit", "-q", "-m", "one");
    const root = join(project.root, "..", "linked");
    project.git("worktree", "add", "-q", root);
    await delay(80);
    const mark = await markOf(root);
    expect(stillFits(root, mark)).toBe(true);
    project.write(".git/info/exclude", "a.ts\n");
    expect(stillFits(root, mark)).toBe(false);
  });

  test("a file that is excluded by a file of the user's own is looked at through that file", async () => {
    using project = await settled();
    using elsewhere = makeProject({ excludes: "z.ts\n" }, { git: false });
    project.git("config", "core.excludesFile", join(elsewhere.root, "excludes"));
    await delay(80);
    const mark = await markOf(project.root);
    expect(stillFits(project.root, mark)).toBe(true);
    elsewhere.write("excludes", "a.ts\n");
    expect(stillFits(project.root, mark)).toBe(false);
  });

  test("what changed in the moment of marking is not believed", async () => {
    using project = makeProject(FILES);
    expect(stillFits(project.root, await markOf(project.root))).toBe(false);
  });

  test("there is none where git is not asked", async () => {
    using project = makeProject({ "a.ts": "1\n" }, { git: false });
    expect(await takeListingMark(project.root, ["a.ts"])).toBeUndefined();
  });
});
