import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTemporaryServer, type TemporaryServer, textOf } from "./temporary-server.ts";

function write(server: TemporaryServer, ...names: readonly string[]): void {
  for (const name of names) {
    const path = join(server.folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, "x");
  }
}

/** The names of a listing, without types, sizes and times. */
function namesOf(listing: string): readonly string[] {
  return listing
    .split("\n")
    .filter((line) => /^[-dls?] /.test(line))
    .map((line) => line.slice(35));
}

test("a listing has types, sizes and times, sorted by name", async () => {
  await using server = startTemporaryServer();
  write(server, "b.txt", "a/inner.txt", "秋.md");
  writeFileSync(join(server.folder, "b.txt"), "12345");
  symlinkSync("b.txt", join(server.folder, "c"));
  const time = new Date(2026, 3, 5, 6, 7);
  for (const name of ["a", "b.txt", "秋.md"]) utimesSync(join(server.folder, name), time, time);
  const lines = (await server.say("list_files", {})).split("\n");
  expect(lines[0]).toBe(`${server.folder}: 4 entries`);
  expect(lines[1]).toBe("d                2026-04-05 06:07  a/");
  expect(lines[2]).toBe("-             5  2026-04-05 06:07  b.txt");
  expect(lines[3]).toMatch(/^l {16}\S+ \S+ {2}c -> b\.txt$/);
  expect(lines[4]).toBe("-             1  2026-04-05 06:07  秋.md");
  expect(lines).toHaveLength(5);
});

test("hidden names are counted and shown when asked for", async () => {
  await using server = startTemporaryServer();
  write(server, ".env", "a");
  expect(await server.say("list_files", {})).toMatch(/1 entry, 1 hidden not shown/);
  expect(namesOf(await server.say("list_files", { hidden: true }))).toEqual([".env", "a"]);
});

test("depth shows subdirectories in tree order, and names what it does not enter", async () => {
  await using server = startTemporaryServer();
  write(server, "src/a/x.ts", "src/b.ts", "node_modules/p/index.js", "z");
  expect(namesOf(await server.say("list_files", { depth: 3 }))).toEqual([
    "node_modules/ (not entered)",
    "src/",
    "src/a/",
    "src/a/x.ts",
    "src/b.ts",
    "z",
  ]);
  expect(namesOf(await server.say("list_files", { path: "node_modules", depth: 2 }))).toEqual([
    "p/",
    "p/index.js",
  ]);
});

describe("P13: pages", () => {
  test("a folder larger than a page comes in order, without gaps or repeats, with what is left counted", async () => {
    await using server = startTemporaryServer();
    const names = Array.from(
      { length: 2500 },
      (_, index) => `f${String((index * 7) % 2500).padStart(4, "0")}`,
    );
    write(server, ...names);
    const seen: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 10; page++) {
      const listing = await server.say("list_files", { limit: 600, ...(after !== undefined && { after }) });
      seen.push(...namesOf(listing));
      const more = /\[([\d,]+) more entries; go on with after: (".*")\]/.exec(listing);
      if (!more) break;
      expect(Number(more[1]?.replaceAll(",", ""))).toBe(2500 - seen.length);
      after = JSON.parse(more[2] ?? "") as string;
    }
    expect(seen).toEqual([...names].sort());
  });

  test("pages of a tree go on inside of folders", async () => {
    await using server = startTemporaryServer();
    write(server, "a/1", "a/2", "a/b/3", "a/b/4", "c/5", "d");
    const all = namesOf(await server.say("list_files", { depth: 5 }));
    for (let limit = 1; limit <= all.length; limit++) {
      const seen: string[] = [];
      for (let after: string | undefined; ; ) {
        const listing = await server.say("list_files", {
          depth: 5,
          limit,
          ...(after !== undefined && { after }),
        });
        seen.push(...namesOf(listing));
        const more = /go on with after: (".*")\]/.exec(listing);
        if (!more) break;
        after = JSON.parse(more[1] ?? "") as string;
      }
      expect(seen).toEqual(all);
    }
  });

  test("a page is bounded in characters too", async () => {
    await using server = startTemporaryServer();
    write(
      server,
      ...Array.from({ length: 400 }, (_, index) => `${String(index).padStart(4, "0")}${"n".repeat(240)}`),
    );
    const listing = await server.say("list_files", { limit: 5000 });
    expect(listing.length).toBeLessThan(41_000);
    expect(listing).toMatch(/more entries; go on with after/);
  });
});

test("C16: names that look like commands or lines are shown as what they are, and nothing runs", async () => {
  await using server = startTemporaryServer();
  const names = [
    "$(touch evil)",
    "`touch evil`",
    "; touch evil",
    "a\n-             9  2026-01-01 00:00  fake",
    "\u202egnp.exe",
    " lead",
  ];
  for (const name of names) writeFileSync(join(server.folder, name), "");
  const listing = await server.say("list_files", {});
  expect(namesOf(listing)).toEqual([
    '" lead"',
    "$(touch evil)",
    "; touch evil",
    "`touch evil`",
    '"a\\n-             9  2026-01-01 00:00  fake"',
    '"\\u202egnp.exe"',
  ]);
  expect(existsSync(join(server.folder, "evil"))).toBe(false);
});

test("a name that is no UTF-8 does not hide the others", async () => {
  await using server = startTemporaryServer();
  execFileSync("bash", ["-c", String.raw`touch $'\xff\xfe' ok`], { cwd: server.folder });
  const names = namesOf(await server.say("list_files", {}));
  expect(names[0]).toBe("ok");
  expect(names[1]).toMatch(/\ufffd.*\(not readable\)$/);
});

test("P11: pipes and sockets are only named", async () => {
  await using server = startTemporaryServer();
  execFileSync("mkfifo", [join(server.folder, "pipe")]);
  expect(await server.say("list_files", {})).toMatch(/^s .*pipe$/m);
});

test("symlinks to folders are not followed", async () => {
  await using server = startTemporaryServer();
  write(server, "a/x");
  symlinkSync("..", join(server.folder, "a/up"));
  expect(namesOf(await server.say("list_files", { depth: 8 }))).toEqual(["a/", "a/up -> ..", "a/x"]);
});

test.each([
  ["../", /traversal/],
  ["/etc", /outside/],
  ["link", /outside/],
  ["nowhere", /not found/],
  ["a\0", /null/],
])("P1–P4: %j is refused", async (path, reason) => {
  await using server = startTemporaryServer();
  symlinkSync("/etc", join(server.folder, "link"));
  const result = await server.call("list_files", { path });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(reason);
  expect(textOf(result)).not.toContain("passwd");
});

test.skipIf(process.getuid?.() === 0)("a folder that cannot be read does not hide the others", async () => {
  await using server = startTemporaryServer();
  write(server, "a/x", "b/y");
  chmodSync(join(server.folder, "a"), 0);
  expect(await server.say("list_files", { depth: 2 })).toMatch(/a\/ \(cannot be read: EACCES\)[\s\S]*b\/y/);
  chmodSync(join(server.folder, "a"), 0o700);
});

test("a file is described by its own line", async () => {
  await using server = startTemporaryServer();
  write(server, "a/x.txt");
  expect(await server.say("list_files", { path: "a/x.txt" })).toMatch(/^-\s+1\s.*x\.txt$/);
});
