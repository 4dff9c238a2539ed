import { spawnSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { makeProject, type TestProject } from "../test-project.ts";
import { openCache } from "./cache.ts";
import { ProjectIndex } from "./project-index.ts";
import { countedRows, fileEntry, skippedOf } from "./summary.ts";

async function lines(index: ProjectIndex): Promise<Record<string, number>> {
  const { table } = await index.refresh();
  return Object.fromEntries(
    countedRows(table).map((row) => [table.path(row), table.columns.lines[row]]),
  ) as Record<string, number>;
}

function indexOf(project: TestProject): ProjectIndex {
  return new ProjectIndex(project.root, undefined);
}

describe("a project that changes", () => {
  test("new, changed and removed files are seen at the next look", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n2\n" });
    const index = indexOf(project);
    expect(await lines(index)).toEqual({ "a.ts": 1, "b.ts": 2 });
    project.write("a.ts", "1\n2\n3\n");
    project.write("c.ts", "1\n");
    project.remove("b.ts");
    expect(await lines(index)).toEqual({ "a.ts": 3, "c.ts": 1 });
  });

  test("the version moves only when something changed", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    const index = indexOf(project);
    const first = await index.refresh();
    const second = await index.refresh();
    expect(second.version).toBe(first.version);
    expect(second.updated).toEqual(first.updated);
    project.write("a.ts", "1\n2\n");
    expect((await index.refresh()).version).toBeGreaterThan(first.version);
  });

  test("a change with the same size and the same modification time is seen", async () => {
    using project = makeProject({ "a.ts": "ab\n" });
    const time = new Date("2020-01-01T00:00:00Z");
    utimesSync(join(project.root, "a.ts"), time, time);
    const index = indexOf(project);
    expect(await lines(index)).toEqual({ "a.ts": 1 });
    project.write("a.ts", "a\n\n");
    utimesSync(join(project.root, "a.ts"), time, time);
    expect(await lines(index)).toEqual({ "a.ts": 2 });
  });

  test("a change in the same moment as the look is seen at the next", async () => {
    using project = makeProject({ "a.ts": "ab\n" });
    const index = indexOf(project);
    for (let round = 0; round < 30; round += 1) {
      project.write("a.ts", round % 2 === 0 ? "ab\n" : "a\n\n");
      expect(await lines(index)).toEqual({ "a.ts": round % 2 === 0 ? 1 : 2 });
    }
  });

  test("an ignore file that changes changes the list", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n" });
    project.git("rm", "-q", "--cached", "b.ts");
    const index = indexOf(project);
    expect(Object.keys(await lines(index))).toEqual(["a.ts", "b.ts"]);
    project.write(".gitignore", "b.ts\n");
    expect(Object.keys(await lines(index))).toEqual([".gitignore", "a.ts"]);
  });

  test("many readers at once agree, and each sees what was there when it asked", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    const index = indexOf(project);
    for (let round = 2; round < 12; round += 1) {
      const early = index.refresh();
      project.write("a.ts", "1\n".repeat(round));
      const answers = await Promise.all([early, ...Array.from({ length: 8 }, () => lines(index))]);
      expect(new Set(answers.slice(1).map((answer) => JSON.stringify(answer)))).toEqual(
        new Set([`{"a.ts":${round}}`]),
      );
    }
  });

  test("questions that come together get one look", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    const index = indexOf(project);
    let started = 0;
    const count = () => {
      started += 1;
    };
    subscribe("child_process", count);
    const questions = Array.from({ length: 4 }, () => index.refresh());
    // As when a client writes them one by one: the last comes with the next piece that is read.
    await new Promise(setImmediate);
    await Promise.all([...questions, index.refresh()]);
    unsubscribe("child_process", count);
    expect(started).toBe(1);
  });

  test("while a watcher is on, only what it reports is looked at", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n" });
    const index = indexOf(project);
    index.watcherStarted();
    await index.refresh();
    project.write("a.ts", "1\n2\n");
    project.write("b.ts", "1\n2\n");
    expect(await lines(index)).toEqual({ "a.ts": 1, "b.ts": 1 });
    index.report(["a.ts"]);
    expect(await lines(index)).toEqual({ "a.ts": 2, "b.ts": 1 });
    project.write("new.ts", "1\n");
    index.report(["new.ts"]);
    expect(await lines(index)).toEqual({ "a.ts": 2, "b.ts": 2, "new.ts": 1 });
  });
});

describe("what is left out", () => {
  test("every reason is said", async () => {
    using project = makeProject({
      "a.ts": "1\n",
      "picture.png": Buffer.from("89504e470d0a1a0a00", "hex"),
      "binary.ts": Buffer.from([0, 1, 2, 3, 255, 0]),
      "data.unknown": "x",
      LICENSE: "text\n",
    });
    project.write("large.ts", Buffer.alloc(17 * 1024 * 1024, "a\n"));
    symlinkSync("/etc/passwd", join(project.root, "link.ts"));
    spawnSync("mkfifo", [join(project.root, "pipe.ts")]);
    project.git("add", "-A", "--", ":!pipe.ts");
    project.write("gone.ts", "");
    project.git("add", "gone.ts");
    project.remove("gone.ts");
    const snapshot = await indexOf(project).refresh();
    expect(Object.fromEntries(skippedOf(snapshot).map(({ path, reason }) => [path, reason]))).toEqual({
      "picture.png": "binary",
      "binary.ts": "binary",
      "data.unknown": "unknown language",
      "large.ts": "too large",
      "link.ts": "not a regular file (symbolic link, submodule or special file)",
      "gone.ts": "listed but missing",
    });
    expect(countedRows(snapshot.table).map((row) => snapshot.table.path(row))).toEqual(["LICENSE", "a.ts"]);
  });

  test("a file that cannot be read is unreadable, and nothing else fails", async () => {
    using project = makeProject({ "a.ts": "1\n", "secret.ts": "1\n" });
    chmodSync(join(project.root, "secret.ts"), 0);
    const script = `
      import { ProjectIndex } from ${JSON.stringify(fileURLToPath(new URL("./project-index.ts", import.meta.url)))};
      import { skippedOf } from ${JSON.stringify(fileURLToPath(new URL("./summary.ts", import.meta.url)))};
      process.chdir("/");
      if (process.getuid() === 0) { process.initgroups?.("nobody", 65534); process.setgid(65534); process.setuid(65534); }
      console.log(JSON.stringify(skippedOf(await new ProjectIndex(process.argv[2], undefined).refresh())));`;
    chmodSync(join(project.root, ".."), 0o755);
    writeFileSync(join(project.root, "../look.ts"), script);
    const { stdout, stderr } = spawnSync(process.execPath, [join(project.root, "../look.ts"), project.root], {
      encoding: "utf8",
    });
    expect(stdout, stderr).toContain('{"path":"secret.ts","reason":"unreadable"}');
  });

  test("scripts without an extension are known by their first line", async () => {
    using project = makeProject({
      run: "#!/usr/bin/env python3\nif a:\n  pass\n",
      tool: "#!/bin/bash -e\necho\n",
      notes: "nothing\n",
    });
    const { table } = await indexOf(project).refresh();
    expect(countedRows(table).map((row) => [table.path(row), fileEntry(table, row).language])).toEqual([
      ["run", "python"],
      ["tool", "shell"],
    ]);
  });

  test("sources in other encodings are counted in their letters", async () => {
    // 0x95 0x5C is one letter in Shift_JIS, whose second byte is a backslash: read as bytes it would swallow the quote.
    const shiftJis = Buffer.concat([
      Buffer.from('const a = "'),
      Buffer.from([0x95, 0x5c]),
      Buffer.from('";\nif (a && b) {}\n'),
    ]);
    const utf16 = Buffer.from("\ufeffif (a && b) {}\n// 表\n", "utf16le");
    using project = makeProject({ "sjis.js": shiftJis, "wide.js": utf16 });
    const { table } = await indexOf(project).refresh();
    const { decisions, lines: counts, comments } = table.columns;
    expect(
      [...table.paths.entries()].map(([row, path]) => [path, decisions[row], counts[row], comments[row]]),
    ).toEqual([
      ["sjis.js", 2, 2, 0],
      ["wide.js", 2, 2, 1],
    ]);
  });

  test("a header is C or C++ by what is in it, and a Qt translation is no TypeScript", async () => {
    using project = makeProject({
      "a.h": "int f(void);\n",
      "b.h": "#pragma once\nclass A {};\n",
      "c.ts": "<?xml version='1.0'?>\n<TS></TS>\n",
      // Shorter than what would tell, and read into the same room.
      "d.ts": "",
      "e.ts": "<",
      "f.h": "",
    });
    const { table } = await indexOf(project).refresh();
    const languages = countedRows(table).map((row) => fileEntry(table, row).language);
    expect(languages).toEqual(["c", "cpp", "xml", "typescript", "typescript", "c"]);
  });
});

describe("the cache", () => {
  async function look(project: TestProject): Promise<{ seen: number[]; lines: Record<string, number> }> {
    const cache = openCache(project.cache);
    const index = new ProjectIndex(project.root, cache);
    const result = await lines(index);
    const { table } = index.snapshot();
    index.close();
    cache?.close();
    return { seen: [...table.columns.seen], lines: result };
  }
  const old = (project: TestProject, ...paths: string[]) => {
    for (const path of paths) utimesSync(join(project.root, path), new Date(1e12), new Date(1e12));
  };

  test("a new process believes what has not changed and looks at what has", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n" });
    old(project, "a.ts", "b.ts");
    // Its change of times is a moment ago: only what was seen well after it is believed.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const first = await look(project);
    project.write("b.ts", "1\n2\n");
    const second = await look(project);
    expect(second.lines).toEqual({ "a.ts": 1, "b.ts": 2 });
    expect(second.seen[0]).toBe(first.seen[0]);
    expect(second.seen[1]).not.toBe(first.seen[1]);
  });

  test("it lies outside the repository, for its owner only", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    await look(project);
    expect(readdirSync(project.root).sort()).toEqual([".git", "a.ts"]);
    expect(statSync(project.cache).mode & 0o777).toBe(0o700);
    expect(statSync(join(project.cache, "code-statistics.sqlite")).mode & 0o777).toBe(0o600);
  });

  test("S5: a broken cache is thrown away", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    mkdirSync(project.cache);
    writeFileSync(
      join(project.cache, "code-statistics.sqlite"),
      "this is no database, but it is long enough to be taken for one".repeat(100),
    );
    expect((await look(project)).lines).toEqual({ "a.ts": 1 });
    expect((await look(project)).lines).toEqual({ "a.ts": 1 });
  });

  test("S4: a cache that cannot be made is done without", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    writeFileSync(project.cache, "a file where the folder should be");
    expect((await look(project)).lines).toEqual({ "a.ts": 1 });
  });

  test("several processes at once leave a good cache", async () => {
    using project = makeProject(
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}.ts`, "1\n".repeat(i)])),
    );
    const script = `
      import { openCache } from ${JSON.stringify(fileURLToPath(new URL("./cache.ts", import.meta.url)))};
      import { ProjectIndex } from ${JSON.stringify(fileURLToPath(new URL("./project-index.ts", import.meta.url)))};
      const [, , root, folder] = process.argv;
      for (let i = 0; i < 5; i += 1) {
        const cache = openCache(folder);
        const index = new ProjectIndex(root, cache);
        const { table } = await index.refresh();
        if (table.columns.lines.reduce((a, b) => a + b, 0) !== 19900) throw new Error("wrong sum");
        index.close();
        cache.close();
      }`;
    writeFileSync(join(project.root, "../look.ts"), script);
    const { spawn } = await import("node:child_process");
    const codes = await Promise.all(
      Array.from({ length: 4 }, () => {
        const child = spawn(
          process.execPath,
          [join(project.root, "../look.ts"), project.root, project.cache],
          { stdio: ["ignore", "ignore", "inherit"] },
        );
        return new Promise((resolve) => child.once("exit", resolve));
      }),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(Object.keys((await look(project)).lines)).toHaveLength(200);
  });
});
