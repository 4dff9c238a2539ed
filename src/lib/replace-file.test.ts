import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFile } from "./replace-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-replace-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("S12: what is written is the person's alone, whatever it was before", () => {
  const file = join(folder, "雁.yaml");
  writeFileSync(file, "old", { mode: 0o644 });
  replaceFile(file, "新しい");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["新しい", 0o600]);
  expect(readdirSync(folder)).toEqual(["雁.yaml"]);
});

test("a refusal at the last moment leaves the old file and no draft", () => {
  const file = join(folder, "a");
  writeFileSync(file, "old");
  const confirm = () => {
    throw new Error("changed");
  };
  expect(() => replaceFile(file, "new", { confirm })).toThrow("changed");
  expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["old", ["a"]]);
});
