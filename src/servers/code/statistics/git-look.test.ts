import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, type TestProject } from "../test-project.ts";
import { type CachedProject, openCache, type StatisticsCache } from "./cache.ts";
import { askGit, believedRows, forgetGitLooks, prepareGitLook, WORTH_ASKING } from "./git-look.ts";
import { ProjectIndex } from "./project-index.ts";
import { beginLook } from "./scan-all.ts";
import { countRows } from "./settled-rows.ts";

/** So long must files have been left alone. */
const QUIET_MS = 5100;
const CONTENT = "one\n";
const OTHER_CONTENT = "o\n\n\n";

/** One project for all tests, because files must be some seconds old; each test changes files of its own. */
let project: TestProject;
let cache: StatisticsCache;
let saved: CachedProject;

beforeAll(async () => {
  const files: Record<string, string> = { "empty.ts": "", "picture.png": "never opened" };
  for (let file = 0; file < WORTH_ASKING + 500; file += 1) files[`many/${file % 50}/${file}.ts`] = CONTENT;
  project = makeProject(files);
  for (const folder of ["untracked", "assumed", "skipped"]) project.write(`${folder}/a.ts`, CONTENT);
  chmodSync(path("many/1/1.ts"), 0o755);
  project.git("add", "assumed", "skipped");
  project.git("update-index", "--assume-unchanged", "assumed/a.ts");
  project.git("update-index", "--skip-worktree", "skipped/a.ts");
  await delay(QUIET_MS);
  const opened = openCache(project.cache);
  if (!opened) throw new Error("no cache");
  cache = opened;
  saved = await lookAndSave(project.root);
}, 60_000);

afterAll(() => {
  cache?.close();
  project?.[Symbol.dispose]();
});

/** What a process that has looked leaves to the next. */
async function lookAndSave(root: string): Promise<CachedProject> {
  const index = new ProjectIndex(root, cache);
  await index.refresh();
  index.close();
  const known = cache.load(root);
  if (!known) throw new Error("nothing was saved");
  return known;
}

/** The files that a look finds changed; with git, or by ourselves alone. */
async function changed(known: CachedProject, how: "with git" | "alone"): Promise<string[]> {
  const { names, table } = known;
  const gitLook = how === "with git" ? known.gitLook : undefined;
  const rows = await beginLook({ root: project.root, table, names, since: Date.now(), gitLook })();
  return rows.map((row) => table.path(row));
}

async function believed(
  { names, gitLook }: CachedProject = saved,
  root = project.root,
): Promise<Uint8Array | undefined> {
  const found = gitLook && (await askGit(gitLook.folder, root));
  return gitLook && found && believedRows(names, gitLook, found);
}

const path = (name: string) => join(project.root, name);

/** Another content of the same length, with the same time of modification. */
function changeInSecret(name: string): void {
  const { atime, mtime } = lstatSync(path(name));
  writeFileSync(path(name), OTHER_CONTENT);
  utimesSync(path(name), atime, mtime);
}

describe("git looks for us", () => {
  test("at every file that was opened, tracked or not, and believes them all while nothing changes", async () => {
    const { gitLook, table } = saved;
    expect(gitLook && countRows(gitLook.settled)).toBe(table.length - 1);
    expect(await believed()).toEqual(gitLook?.settled);
    expect(await changed(saved, "with git")).toEqual([]);
  });

  const changes: Record<string, (name: string) => void> = {
    "a new content": (name) => writeFileSync(path(name), "two\nthree\n"),
    "a content of the same length, with the time set back": changeInSecret,
    "a file removed": (name) => rmSync(path(name)),
    "another file moved there, of the same length and time": (name) => {
      const { atime, mtime } = lstatSync(path(name));
      writeFileSync(path(`${name}.new`), OTHER_CONTENT);
      utimesSync(path(`${name}.new`), atime, mtime);
      renameSync(path(`${name}.new`), path(name));
    },
    "a link in its place": (name) => {
      rmSync(path(name));
      symlinkSync("/etc/passwd", path(name));
    },
    "a folder in its place": (name) => {
      rmSync(path(name));
      mkdirSync(path(name));
    },
    "a repository in its place": (name) => {
      rmSync(path(name));
      mkdirSync(path(name));
      spawnSync("git", ["init", "-q"], { cwd: path(name) });
    },
    "a file cut short": (name) => truncateSync(path(name), 1),
    "other permissions": (name) => chmodSync(path(name), 0o755),
  };
  for (const [i, [what, change]] of Object.entries(changes).entries()) {
    test(`and finds ${what}`, async () => {
      const name = `many/7/${7 + 50 * i}.ts`;
      change(name);
      expect(await changed(saved, "with git")).toContain(name);
      expect(await changed(saved, "with git")).toEqual(await changed(saved, "alone"));
    });
  }

  for (const folder of ["untracked", "assumed", "skipped"]) {
    test(`and finds a change in a file that is ${folder}, which git itself would not look at`, async () => {
      changeInSecret(`${folder}/a.ts`);
      expect(await changed(saved, "with git")).toContain(`${folder}/a.ts`);
    });
  }

  test("and finds a folder replaced by a link to a copy of it", async () => {
    cpSync(path("many/8"), join(project.root, "../copy"), { recursive: true, preserveTimestamps: true });
    renameSync(path("many/8"), join(project.root, "../moved"));
    symlinkSync("../../copy", path("many/8"));
    expect(await changed(saved, "with git")).toEqual(await changed(saved, "alone"));
    expect(await changed(saved, "with git")).toContain("many/8/8.ts");
  });

  test("and finds the same as we do, whatever was changed", async () => {
    const random = numbersFrom(20_26);
    const all = Object.values(changes);
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 40; i += 1) {
        const name = `many/${10 + random(30)}/`;
        const inside = readdirSync(path(name)).filter((file) => lstatSync(path(name + file)).isFile());
        all[random(all.length)]?.(name + inside[random(inside.length)]);
      }
      expect(await changed(saved, "with git")).toEqual(await changed(saved, "alone"));
    }
  });

  test("also at a folder in a repository", async () => {
    const root = path("many");
    const known = await lookAndSave(root);
    expect(await believed(known, root)).toBeDefined();
    changeInSecret("many/9/9.ts");
    const found = await beginLook({ root, ...known, since: Date.now(), gitLook: known.gitLook })();
    expect(found.map((row) => known.table.path(row))).toContain("9/9.ts");
  });

  test("not at a project of few files, which we have seen before git has started", async () => {
    using small = makeProject({ "a.ts": CONTENT });
    const index = new ProjectIndex(small.root, undefined);
    const { table } = await index.refresh();
    const request = { folder: join(small.cache, "git-look"), root: small.root, looked: Date.now() + 10_000 };
    expect(prepareGitLook({ ...request, table })).toBeUndefined();
    expect(existsSync(small.cache)).toBe(false);
  });
});

describe("what git says is not taken", () => {
  const indexFile = () => {
    const folder = join(project.cache, "git-look");
    const name = readdirSync(folder).find((file) => namesIn(join(folder, file)).includes("many/1/1.ts"));
    return join(folder, name ?? "none");
  };
  const namesIn = (file: string) => (file.endsWith(".index") ? readFileSync(file, "latin1") : "");

  /** Without the index as it was saved; afterwards it is there again. */
  async function withIndex(bytes: Uint8Array | undefined, action: () => Promise<void>): Promise<void> {
    const file = indexFile();
    const before = readFileSync(file);
    if (bytes) writeFileSync(file, bytes);
    else rmSync(file);
    try {
      await action();
    } finally {
      writeFileSync(file, before);
    }
  }

  async function expectOurLook(): Promise<void> {
    expect(await believed()).toBeUndefined();
    changeInSecret("many/2/2.ts");
    expect(await changed(saved, "with git")).toContain("many/2/2.ts");
  }

  test("when the index is gone, of which git would say that nothing has changed", async () => {
    await withIndex(undefined, expectOurLook);
  });

  test("when the index is broken", async () => {
    const bytes = readFileSync(indexFile());
    await withIndex(bytes.subarray(0, bytes.length / 2), expectOurLook);
    await withIndex(Buffer.alloc(0), expectOurLook);
  });

  test("when another process has put its own index there", async () => {
    const bytes = readFileSync(indexFile());
    await withIndex(bytes, async () => {
      const folder = join(project.cache, "git-look");
      const look = { folder, root: project.root, table: saved.table, looked: Date.now() };
      expect(prepareGitLook(look)?.witness).not.toBe(saved.gitLook?.witness);
      await expectOurLook();
    });
    expect(await believed()).toBeDefined();
  });

  test("when it names what is none of the rows", async () => {
    const { names } = await lookAndSave(path("many"));
    expect(await believed({ ...saved, names })).toBeUndefined();
  });

  async function withPath(folder: string, action: () => Promise<void>): Promise<void> {
    const { PATH } = process.env;
    process.env["PATH"] = folder;
    try {
      await action();
    } finally {
      process.env["PATH"] = PATH;
    }
  }

  test("when there is no git", async () => {
    await withPath("/nowhere", expectOurLook);
  });

  for (const end of ["exit 1", "kill -9 $$"]) {
    test(`when git ends with ${end}, whatever it has said before`, async () => {
      using programs = makeProject({}, { git: false });
      const said = `printf '%s\\0' '${saved.gitLook?.witness}'`;
      programs.write("git", `#!/bin/sh\n${said}\n`);
      chmodSync(join(programs.root, "git"), 0o755);
      await withPath(programs.root, async () => expect(await believed()).toBeDefined());
      programs.write("git", `#!/bin/sh\n${said}\n${end}\n`);
      await withPath(programs.root, expectOurLook);
    });
  }
});

describe("nothing but our index decides what git says", () => {
  /** With settings in the environment, which are as they were afterwards. */
  async function withEnvironment(settings: NodeJS.ProcessEnv, action: () => Promise<void>): Promise<void> {
    const before = { ...process.env };
    Object.assign(process.env, settings);
    try {
      await action();
    } finally {
      for (const name of Object.keys(settings)) delete process.env[name];
      Object.assign(process.env, before);
    }
  }

  const CARELESS = { "core.trustctime": "false", "core.checkstat": "minimal", "core.fsmonitor": "true" };

  test("not the environment", async () => {
    const settings = Object.entries(CARELESS).flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]);
    const environment = {
      ...Object.fromEntries(settings),
      GIT_CONFIG_COUNT: "3",
      GIT_DIR: "/nowhere",
      GIT_COMMON_DIR: "/nowhere",
      GIT_INDEX_FILE: "/nowhere",
    };
    await withEnvironment(environment, async () => {
      expect(await believed()).toBeDefined();
      changeInSecret("many/3/3.ts");
      expect(await changed(saved, "with git")).toContain("many/3/3.ts");
    });
  });

  test("not the settings of the user or of the project", async () => {
    using home = makeProject({}, { git: false });
    for (const [key, value] of Object.entries(CARELESS)) {
      project.git("config", key, value);
      spawnSync("git", ["config", "--file", join(home.root, ".gitconfig"), key, value]);
    }
    await withEnvironment({ HOME: home.root }, async () => {
      expect(await believed()).toBeDefined();
      changeInSecret("many/4/4.ts");
      expect(await changed(saved, "with git")).toContain("many/4/4.ts");
    });
    for (const key of Object.keys(CARELESS)) project.git("config", "--unset", key);
  });

  test("and no filter of the project is run, even when git compares contents", async () => {
    const marker = join(project.root, "../filter-was-run");
    project.git("config", "filter.hostile.clean", `touch '${marker}'; cat`);
    project.write("many/.gitattributes", "51.ts filter=hostile\n");
    // Older than all files: git does not believe times then.
    const { index, before } = age(join(project.cache, "git-look"));
    const rows = await believed();
    for (const file of index) utimesSync(file, before, before);
    // The empty one: the index says of all that they are empty.
    expect(rows && countRows(rows)).toBe(1);
    expect(existsSync(marker)).toBe(false);
    // It would have been, in the project's own repository.
    age(path(".git"));
    spawnSync("git", ["diff-files", "--name-only"], { cwd: project.root });
    expect(existsSync(marker)).toBe(true);
  });

  /** Makes the indexes in a folder seem older than the files. */
  function age(folder: string): { index: readonly string[]; before: Date } {
    const index = readdirSync(folder)
      .filter((name) => name.endsWith("index"))
      .map((name) => join(folder, name));
    for (const file of index) utimesSync(file, new Date(1e12), new Date(1e12));
    return { index, before: new Date() };
  }
});

test("the index of another process, which knows a newer file, is no word about our rows", async () => {
  changeInSecret("many/7/7.ts");
  const index = new ProjectIndex(project.root, undefined);
  const { table } = await index.refresh();
  const { folder } = saved.gitLook ?? { folder: "" };
  const newer = prepareGitLook({ folder, root: project.root, table, looked: Date.now() + 60_000 });
  const row = table.paths.indexOf("many/7/7.ts");
  expect(newer?.settled[row]).toBe(1);
  expect(await believed()).toBeUndefined();
  expect(await changed(saved, "with git")).toContain("many/7/7.ts");
});

test("git that finds nothing changed, not even the witness, has not read our index", () => {
  const { names, gitLook } = saved;
  if (!gitLook) throw new Error("nothing to look with");
  expect(believedRows(names, gitLook, [])).toBeUndefined();
  expect(believedRows(names, gitLook, ["many/7/7.ts"])).toBeUndefined();
  expect(believedRows(names, gitLook, [gitLook.witness])).toEqual(gitLook.settled);
});

describe("a process after another", () => {
  test("asks git, and knows what changed since", async () => {
    const before = await lookAndSave(project.root);
    expect(before.gitLook).toBeDefined();
    changeInSecret("many/5/5.ts");
    const index = new ProjectIndex(project.root, cache);
    const { table } = await index.refresh();
    const row = index.rowOf("many/5/5.ts");
    expect(table.columns.lines[row]).toBe(3);
    // Once more in the same process, whose rows are newer than the index.
    writeFileSync(path("many/5/5.ts"), CONTENT);
    await index.refresh();
    expect(table.columns.lines[row]).toBe(1);
    index.close();
  });

  test("knows files that came after the index", async () => {
    await lookAndSave(project.root);
    const index = new ProjectIndex(project.root, cache);
    await index.refresh();
    for (const content of [CONTENT, OTHER_CONTENT, CONTENT]) {
      writeFileSync(path("many/5/0-new.ts"), content);
      const { table } = await index.refresh();
      expect(table.columns.lines[index.rowOf("many/5/0-new.ts")]).toBe(content.split("\n").length - 1);
    }
    index.close();
  });

  test("looks at files by itself that were changed within some seconds of the last look", async () => {
    writeFileSync(path("many/6/6.ts"), CONTENT);
    const { gitLook, table } = await lookAndSave(project.root);
    const row = table.paths.indexOf("many/6/6.ts");
    expect(gitLook?.settled[row]).toBe(0);
    expect(gitLook?.settled[table.paths.indexOf("many/6/56.ts")]).toBe(1);
    // When they are left alone, the next one that has something to save settles them.
    await delay(QUIET_MS);
    writeFileSync(path("many/6/106.ts"), OTHER_CONTENT);
    expect((await lookAndSave(project.root)).gitLook?.settled[row]).toBe(1);
  });

  test("finds the index also when the cache was named from here", async () => {
    await lookAndSave(project.root);
    const same = openCache(relative(process.cwd(), project.cache));
    const known = same?.load(project.root);
    same?.close();
    // Git is not run where we are.
    expect(known?.gitLook?.folder).toBe(join(project.cache, "git-look"));
  });

  test("finds no index of a project that nobody has looked at for long", () => {
    const folder = join(project.cache, "git-look");
    expect(readdirSync(folder).filter((name) => name.endsWith(".index"))).toHaveLength(2);
    forgetGitLooks(folder, Date.now() - 600_000);
    expect(readdirSync(folder).filter((name) => name.endsWith(".index"))).toHaveLength(2);
    forgetGitLooks(folder, Date.now() + 600_000);
    expect(readdirSync(folder)).toEqual(["HEAD", "objects", "refs"]);
  });
});

/** The same numbers at every run, each below a limit. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
