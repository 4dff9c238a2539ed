import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PrivateFolder, sweepStaleFolders } from "./private-folder.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

test("the folder is there when first needed, private, and gone at the end", () => {
  const folder = new PrivateFolder();
  expect(folder.existing).toBeUndefined();
  const path = folder.newPath("output", ".txt");
  writeFileSync(path, "x");
  const made = folder.existing ?? "";
  expect(statSync(made).mode & 0o777).toBe(0o700);
  expect(folder.newPath("output", ".txt")).not.toBe(path);
  folder.close();
  folder.close();
  expect(existsSync(made)).toBe(false);
  expect(() => folder.path).toThrow(/closing/);
});

test("what a killed server left is removed days later, and nothing else is", () => {
  const parent = mkdtempSync(join(tmpdir(), "sweep-test-"));
  const noProcess = 2 ** 22 + 1;
  const folders = {
    stale: `kari-developer-${noProcess}-abcdef`,
    young: `kari-developer-${noProcess}-young1`,
    living: `kari-developer-${process.pid}-abcdef`,
    other: "kari-developer-notes",
  };
  const now = Date.now();
  for (const [kind, name] of Object.entries(folders)) {
    mkdirSync(join(parent, name));
    const age = kind === "young" ? 0 : 4 * DAY_MS;
    utimesSync(join(parent, name), (now - age) / 1000, (now - age) / 1000);
  }
  sweepStaleFolders(parent, now);
  const left = Object.entries(folders).filter(([, name]) => existsSync(join(parent, name)));
  expect(left.map(([kind]) => kind)).toEqual(["young", "living", "other"]);
  rmSync(parent, { recursive: true });
});
