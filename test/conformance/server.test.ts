import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the official conformance suite finds no scored failure in a server built on the kit", () => {
  const run = spawnSync(process.execPath, ["scripts/conformance.ts", "server"], { encoding: "utf8" });
  const scored = [...run.stdout.matchAll(/^(server \S+) +(\d+) +(\d+) +\d+ +\d+$/gm)];
  expect(scored.map(([, title, passed, failed]) => [title, passed, failed])).toEqual([
    ["server 2025-11-25", "70", "0"],
    ["server 2026-07-28", "120", "0"],
  ]);
  expect(run.stdout).toContain("server 2025-11-25: conforms");
  expect(run.stdout).toContain("server 2026-07-28: conforms");
  expect(run.status).toBe(0);
});
