/** The walls of the house hold: the checker sees the rooms, and refuses an import that goes through a wall. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "../support/kari.ts";

let house: string;
beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), "kari-house-"));
  for (const file of [".dependency-cruiser.mjs", "tsconfig.json", "package.json"])
    cpSync(join(root, file), join(house, file));
  for (const folder of ["src", "test", "scripts"])
    cpSync(join(root, folder), join(house, folder), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(house, "node_modules"));
});
afterEach(() => rmSync(house, { recursive: true, force: true }));

function check(): { code: number | null; output: string } {
  const depcruise = join(root, "node_modules", ".bin", "depcruise");
  const result = spawnSync(depcruise, ["--config", ".dependency-cruiser.mjs", "src"], {
    cwd: house,
    encoding: "utf8",
  });
  return { code: result.status, output: result.stdout + result.stderr };
}

function plant(room: string, code: string): void {
  mkdirSync(join(house, "src", room), { recursive: true });
  writeFileSync(join(house, "src", room, "planted.ts"), code);
}

test("the house as it is passes, and more than 100 modules were looked at", () => {
  const { code, output } = check();
  expect(code).toBe(0);
  expect(Number(/\((\d+) modules/.exec(output)?.[1])).toBeGreaterThan(100);
});

test("planted imports through walls are refused, each by its rule", () => {
  plant(
    "agent",
    `import { createModel } from "../providers/index.ts";\nimport { readFileSync } from "node:fs";\nexport { createModel, readFileSync };\n`,
  );
  plant(
    "servers/developer",
    `import type { Message } from "../../conversation/index.ts";\nexport type { Message };\n`,
  );
  plant(
    "cli",
    `import { Client } from "@modelcontextprotocol/client";\nimport { decide } from "../policy/index.ts";\nexport { Client, decide };\n`,
  );
  plant("attic", `export { decide } from "../policy/index.ts";\n`);
  const { code, output } = check();
  expect(code).not.toBe(0);
  for (const rule of [
    "unknown-room",
    "wall-agent",
    "pure-rooms",
    "wall-servers",
    "wall-cli",
    "package-mcp-client",
  ])
    expect(output).toContain(rule);
});
