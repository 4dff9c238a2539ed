import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { makeProject } from "../test-project.ts";
import { openCache } from "./cache.ts";
import { beginFirstLook } from "./first-look.ts";
import { noteKnown } from "./known-projects.ts";
import { ProjectIndex } from "./project-index.ts";
import { countedRows } from "./summary.ts";

async function lines(index: ProjectIndex): Promise<Record<string, number>> {
  const { table } = await index.refresh();
  return Object.fromEntries(
    countedRows(table).map((row) => [table.path(row), table.columns.lines[row]]),
  ) as Record<string, number>;
}

/** How many programs were started. */
async function startedWhile(action: () => Promise<void>): Promise<number> {
  let started = 0;
  const count = () => {
    started += 1;
  };
  subscribe("child_process", count);
  try {
    await action();
  } finally {
    unsubscribe("child_process", count);
  }
  return started;
}

describe("a look that was begun before the first question", () => {
  test("scans a project that nothing is known of, and its numbers are those of a later look", async () => {
    using project = makeProject({ "a.ts": "1\n", "b/c.py": "1\n2\n" });
    const first = beginFirstLook({ root: project.root, cacheFolder: undefined });
    expect(await first.found).toMatchObject({ kind: "scanning", source: "git" });
    const index = new ProjectIndex(project.root, undefined, first);
    expect(await lines(index)).toEqual({ "a.ts": 1, "b/c.py": 2 });
    expect(await lines(new ProjectIndex(project.root, undefined))).toEqual({ "a.ts": 1, "b/c.py": 2 });
  });

  test("what changed after it, and before the question, is in the answer", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n2\n", "c.ts": "1\n" });
    const first = beginFirstLook({ root: project.root, cacheFolder: undefined });
    await first.ended;
    const index = new ProjectIndex(project.root, undefined, first);
    project.write("a.ts", "1\n2\n3\n");
    project.write("d.ts", "1\n");
    project.remove("b.ts");
    expect(await lines(index)).toEqual({ "a.ts": 3, "c.ts": 1, "d.ts": 1 });
  });

  test("joins what an earlier process knew, and finds what changed since", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n2\n" });
    const cacheFolder = mkdtempSync(join(tmpdir(), "kari-first-look-"));
    try {
      const before = new ProjectIndex(project.root, openCache(cacheFolder));
      await before.refresh();
      before.close();
      const first = beginFirstLook({ root: project.root, cacheFolder });
      expect(await first.found).toMatchObject({ kind: "cached" });
      project.write("b.ts", "1\n2\n3\n4\n");
      const index = new ProjectIndex(project.root, undefined, first);
      expect(await lines(index)).toEqual({ "a.ts": 1, "b.ts": 4 });
    } finally {
      rmSync(cacheFolder, { recursive: true, force: true });
    }
  });

  test("from the third process on, git is not asked for a list that cannot have changed", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n2\n" });
    await delay(80);
    const listings: number[] = [];
    for (let process = 0; process < 4; process += 1) {
      const first = beginFirstLook({ root: project.root, cacheFolder: project.cache });
      await first.found;
      const index = new ProjectIndex(project.root, openCache(project.cache), first);
      listings.push(await startedWhile(async () => void (await lines(index))));
      if (process === 2) {
        project.write("c.ts", "1\n");
        expect(await lines(index)).toEqual({ "a.ts": 1, "b.ts": 2, "c.ts": 1 });
        project.remove("c.ts");
        expect(await lines(index)).toEqual({ "a.ts": 1, "b.ts": 2 });
      }
      index.close();
    }
    // Scanned, marked, spared; and after the changes marked again.
    expect(listings).toEqual([1, 1, 0, 1]);
  });

  test("lists the files while the thread starts, unless the cache knows them", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    const look = () => beginFirstLook({ root: project.root, cacheFolder: project.cache });
    expect(await startedWhile(async () => void (await look().found))).toBe(1);
    const index = new ProjectIndex(project.root, openCache(project.cache));
    await index.refresh();
    index.close();
    expect(await startedWhile(async () => void (await look().found))).toBe(0);
  });

  test("scans a project that the cache only seems to know", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n2\n" });
    noteKnown(project.cache, project.root);
    const first = beginFirstLook({ root: project.root, cacheFolder: project.cache });
    expect(await first.found).toMatchObject({ kind: "scanning" });
    const index = new ProjectIndex(project.root, undefined, first);
    expect(await lines(index)).toEqual({ "a.ts": 1, "b.ts": 2 });
  });

  test("leaves a folder alone that is no work tree, until somebody asks", async () => {
    const root = mkdtempSync(join(tmpdir(), "kari-no-work-tree-"));
    try {
      writeFileSync(join(root, "a.ts"), "1\n");
      const first = beginFirstLook({ root, cacheFolder: undefined });
      expect(await first.found).toBeUndefined();
      expect(await lines(new ProjectIndex(root, undefined, first))).toEqual({ "a.ts": 1 });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  test("when the helping thread is lost in the middle, the rest is scanned without it", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n2\n", "c.ts": "1\n" });
    const first = beginFirstLook({ root: project.root, cacheFolder: undefined });
    const news = await first.found;
    await first.ended;
    if (news?.kind !== "scanning") throw new Error("nothing was scanned");
    // As it is when a thread dies with rows that it has taken.
    news.columns.state.fill(0, 1);
    news.columns.seen.fill(0, 1);
    news.columns.lines.fill(0, 1);
    news.progress[1] = 1;
    const index = new ProjectIndex(project.root, undefined, first);
    expect(await lines(index)).toEqual({ "a.ts": 1, "b.ts": 2, "c.ts": 1 });
  });

  test("a thread that cannot look is done without", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    const nowhere = { root: project.root, found: Promise.resolve(undefined), ended: Promise.resolve() };
    expect(await lines(new ProjectIndex(project.root, undefined, nowhere))).toEqual({ "a.ts": 1 });
  });
});
