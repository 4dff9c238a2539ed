/** Kari as a library: the program of the examples folder, run as its author would run it. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freshHome, type Home, root } from "../support/kari.ts";

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

test("C8: a program without any command line uses developer and platform through the library", () => {
  const result = spawnSync(process.execPath, [join(root, "examples", "session-builder.ts")], {
    cwd: home.work,
    env: { PATH: process.env["PATH"], HOME: home.path },
    encoding: "utf8",
  });
  expect(result.stderr).toBe("");
  expect(result.stdout.split("\n")).toEqual([
    "asked about developer__shell: yes",
    "developer__shell: 雁が音",
    "platform__list_resources: ## developer",
    '{"type":"done","text":"Both tools answered."}',
    "",
  ]);
  expect(readFileSync(join(home.work, "note.txt"), "utf8")).toBe("雁が音\n");
});

test("the types are shipped, and need no package that a user does not have", () => {
  // As installed from a registry: our files and none of our development packages.
  const installed = join(home.work, "node_modules", "kari-agent");
  cpSync(join(root, "dist", "types"), join(installed, "dist", "types"), { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  home.file("package.json", '{"type":"module"}');
  home.file(
    "use.ts",
    `import { buildSession, type AgentEvent } from "kari-agent";
const session = await buildSession({ approve: "ask" });
for await (const event of session.send("hi")) { const kind: AgentEvent["type"] = event.type; void kind; }
`,
  );
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"];
  const roots = ["--typeRoots", join(root, "node_modules", "@types")];
  const result = spawnSync(process.execPath, [compiler, ...flags, ...roots, "use.ts"], {
    cwd: home.work,
    encoding: "utf8",
  });
  expect(result.stdout).toBe("");
});
