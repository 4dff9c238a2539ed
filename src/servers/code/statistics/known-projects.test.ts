import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileNameOf, forgetKnown, isProbablyKnown, noteKnown } from "./known-projects.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-known-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a project is known when it was noted, and no other is", () => {
  expect(isProbablyKnown(folder, "/home/雁/project")).toBe(false);
  noteKnown(folder, "/home/雁/project");
  noteKnown(folder, "/home/雁/project");
  expect(isProbablyKnown(folder, "/home/雁/project")).toBe(true);
  expect(isProbablyKnown(folder, "/home/雁/projects")).toBe(false);
  expect(isProbablyKnown(join(folder, "another"), "/home/雁/project")).toBe(false);
});

test("what was noted long ago is forgotten", () => {
  noteKnown(folder, "/old");
  utimesSync(join(folder, "known", fileNameOf("/old")), 1000, 1000);
  noteKnown(folder, "/new");
  forgetKnown(folder, Date.now() - 60_000);
  expect(readdirSync(join(folder, "known"))).toEqual([fileNameOf("/new")]);
});

test("many paths, as like as they are in life, have names of their own, and short ones", () => {
  const paths = Array.from({ length: 20_000 }, (_, i) => `/home/someone/projects/${i % 100}/work-${i}/雁`);
  const names = new Set(paths.map(fileNameOf));
  expect(names.size).toBe(paths.length);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{16}$/);
});
