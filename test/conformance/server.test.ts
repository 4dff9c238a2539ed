import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the official conformance suite finds no scored failure in a server built on the kit", () => {
  const run = spawnSync(process.execPath, ["scripts/conformance.ts"], { encoding: "utf8" });
  expect(run.stdout).toContain("server 2025-11-25: conforms");
  expect(run.stdout).toContain("server 2026-07-28: conforms");
  const scored = [...run.stdout.matchAll(/^ {2}scored +(\d+) +(\d+)$/gm)].map(([, passed, failed]) => [
    passed,
    failed,
  ]);
  expect(scored).toEqual([
    ["70", "0"],
    ["120", "0"],
  ]);
  expect(run.status).toBe(0);
});
