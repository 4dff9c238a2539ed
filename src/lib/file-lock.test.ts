import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withFileLock } from "./file-lock.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-lock-"));
  file = join(folder, "config.yaml");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockOf = (pid: number, host = hostname()) => writeFileSync(`${file}.lock`, `${pid} ${host} x\n`);
const deadPid = () =>
  Number(spawnSync(process.execPath, ["-e", "console.log(process.pid)"]).stdout.toString());

describe("the lock of a file", () => {
  test("is there while the action runs and gone after it, also after a failure", async () => {
    const seen = await withFileLock(file, () => existsSync(`${file}.lock`));
    expect([seen, existsSync(`${file}.lock`)]).toEqual([true, false]);
    await expect(
      withFileLock(file, () => {
        throw new Error("broken");
      }),
    ).rejects.toThrow("broken");
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test("of a living process is waited for, and then said to be held", async () => {
    lockOf(process.pid);
    await expect(withFileLock(file, () => 1, { waitMs: 50 })).rejects.toThrow(
      `config.yaml.lock is held by process ${process.pid}`,
    );
    expect(readFileSync(`${file}.lock`, "utf8")).toContain(String(process.pid));
  });

  test("of a process that is gone is taken over", async () => {
    lockOf(deadPid());
    expect(await withFileLock(file, () => "mine", { waitMs: 1000 })).toBe("mine");
  });

  test("of another machine, or not yet written, is taken over only when it is old", async () => {
    for (const content of [() => lockOf(1, "elsewhere"), () => writeFileSync(`${file}.lock`, "")]) {
      content();
      await expect(withFileLock(file, () => 1, { waitMs: 30 })).rejects.toThrow(/is held by/);
      utimesSync(`${file}.lock`, 1, 1);
      expect(await withFileLock(file, () => 2, { waitMs: 1000 })).toBe(2);
    }
  });

  test("a folder that cannot be written to is an error and no endless wait", async () => {
    await expect(withFileLock(join(folder, "missing", "x"), () => 1)).rejects.toThrow(/ENOENT/);
  });
});
