/** The launcher keeps what V8 compiled (bin/load-script.js). Nothing that happens to that cache may do harm. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { finished, freshHome, type Home, root, startKari } from "../support/kari.ts";

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

function kari(args: readonly string[], environment: Record<string, string> = {}) {
  return spawnSync(process.execPath, [join(root, "bin/kari.js"), ...args], {
    cwd: home.work,
    env: { PATH: process.env["PATH"], HOME: home.path, ...environment },
    input: "",
    encoding: "utf8",
  });
}

const folder = () => join(home.path, ".cache/kari/compile");
/** All files of the cache, by the names of what they are used for. */
function kept(): Record<string, string> {
  if (!existsSync(folder())) return {};
  const files = readdirSync(folder()).flatMap((build) =>
    readdirSync(join(folder(), build)).map((name) => [name, join(folder(), build, name)]),
  );
  return Object.fromEntries(files) as Record<string, string>;
}
/** How many processes have added to a cache: its last byte. */
const addedTo = (file = "") => readFileSync(file).at(-1);

test("what a process compiled is kept for the next, for each command by itself", () => {
  const first = kari(["extensions", "list"]);
  expect(kari(["mcp", "developer"]).status).toBe(0);
  expect(Object.keys(kept()).sort()).toEqual(["extensions", "mcp-developer"]);
  expect(addedTo(kept()["extensions"])).toBe(1);
  expect(kari(["extensions", "list"]).stdout).toBe(first.stdout);
  expect(addedTo(kept()["extensions"])).toBe(2);
});

test("a thread of the code server keeps what it compiled as well, and is no less able for it", async () => {
  spawnSync("git", ["init", "-q"], { cwd: home.work });
  for (let file = 0; file < 50; file += 1) home.file(`${file}.ts`, "export const a = 1;\n");
  for (const processes of [1, 2]) {
    const server = startKari(["mcp", "code", "--no-cache"], { home });
    try {
      await expect.poll(() => kept()["code-scan-worker"], { timeout: 20_000 }).toBeDefined();
      await expect.poll(() => addedTo(kept()["code-scan-worker"])).toBe(processes);
    } finally {
      server.stdin.end();
      await finished(server);
    }
  }
});

test("some processes add to it, then it is only read", () => {
  for (let process = 0; process < 6; process += 1) expect(kari(["--help"]).status).toBe(0);
  expect(addedTo(kept()["help"])).toBe(4);
});

test("nobody else may read or write it", () => {
  kari(["--help"]);
  expect(statSync(kept()["help"] ?? "").mode & 0o777).toBe(0o600);
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
});

test("a process that failed keeps nothing", () => {
  expect(kari(["no-such-command"]).status).toBe(2);
  expect(kari(["mcp", "nosuchserver"]).status).toBe(2);
  expect(kept()).toEqual({});
});

test.each([
  ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 1000)],
  ["empty", () => Buffer.alloc(0)],
  ["of one byte", () => Buffer.of(4)],
  ["not a cache at all", () => Buffer.from("no cache\nno cache\n\u0001")],
  ["with a byte that changed", (bytes: Buffer) => flipped(bytes, Math.floor(bytes.length / 5))],
  [
    "with many bytes that changed",
    (bytes: Buffer) => flipped(bytes, ...[...bytes.keys()].filter((i) => i % 997 === 99)),
  ],
  [
    "full of zeros where there was data",
    (bytes: Buffer) => Buffer.from(bytes).fill(0, 4096, bytes.length >> 1),
  ],
])("a cache that is %s is not believed, and made anew", (_, breakIt) => {
  const whole = kari(["--help"]).stdout;
  const file = kept()["help"] ?? "";
  writeFileSync(file, breakIt(readFileSync(file)));
  const { status, stdout, stderr } = kari(["--help"]);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: whole, stderr: "" });
  expect(addedTo(file)).toBe(1);
});

function flipped(bytes: Buffer, ...places: number[]): Buffer {
  const broken = Buffer.from(bytes);
  for (const at of places) broken[at] = (broken[at] ?? 0) ^ 0x55;
  return broken;
}

test.runIf(process.getuid?.() === 0)("a cache that belongs to another user is not believed", () => {
  kari(["--help"]);
  kari(["--help"]);
  const file = kept()["help"] ?? "";
  expect(addedTo(file)).toBe(2);
  chownSync(file, 12_345, 12_345);
  expect(kari(["--help"]).status).toBe(0);
  expect(addedTo(file)).toBe(1);
  expect(statSync(file).uid).toBe(0);
});

test("where nothing can be kept, or shall not be, everything works", () => {
  const help = kari(["--help"], { NODE_DISABLE_COMPILE_CACHE: "1" });
  expect(help.status).toBe(0);
  expect(kept()).toEqual({});
  writeFileSync(join(home.path, "a-file"), "");
  const blocked = kari(["--help"], { XDG_CACHE_HOME: join(home.path, "a-file") });
  expect([blocked.status, blocked.stdout, blocked.stderr]).toEqual([0, help.stdout, ""]);
  const nowhere = kari(["--help"], { HOME: "" });
  expect([nowhere.status, nowhere.stdout, nowhere.stderr]).toEqual([0, help.stdout, ""]);
});

test("a cache in the folder where it is started is neither read nor written", () => {
  expect(kari(["--help"], { XDG_CACHE_HOME: "here" }).status).toBe(0);
  expect(kari(["--help"], { HOME: "." }).status).toBe(0);
  expect(readdirSync(home.work)).toEqual([]);
});

test("what other builds left behind is removed when it is old", () => {
  for (const name of ["old", "new"]) mkdirSync(join(folder(), name), { recursive: true, mode: 0o700 });
  const monthsAgo = Date.now() / 1000 - 100 * 24 * 60 * 60;
  utimesSync(join(folder(), "old"), monthsAgo, monthsAgo);
  chmodSync(folder(), 0o700);
  kari(["--help"]);
  expect(existsSync(join(folder(), "old"))).toBe(false);
  expect(existsSync(join(folder(), "new"))).toBe(true);
  expect(Object.keys(kept())).toEqual(["help"]);
});

test("a program that is not whole says so", () => {
  const bin = join(home.path, "elsewhere/bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["kari.js", "load-script.js", "package.json"]) {
    writeFileSync(join(bin, name), readFileSync(join(root, "bin", name)));
  }
  const { status, stderr } = spawnSync(process.execPath, [join(bin, "kari.js"), "--help"], {
    env: { HOME: home.path },
    encoding: "utf8",
  });
  expect(status).toBe(2);
  expect(stderr).toContain("kari is not whole");
  expect(stderr).toContain("cli.cjs");
});
