import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const SERVER = new URL("../server.ts", import.meta.url).href;

/** A process of its own that serves commands: it can be killed. It prints the process ids that commands wrote. */
const PROGRAM = `
import { existsSync, readFileSync } from "node:fs";
const { createDeveloperServer } = await import(${JSON.stringify(SERVER)});
const server = createDeveloperServer({ workingDirectory: process.cwd(), version: "0" });
const shell = server.tools.find((tool) => tool.name === "shell");
const context = { signal: new AbortController().signal, progress() {} };
await shell.call({ command: "sleep 90 & echo $! > background" }, context);
void shell.call({ command: "echo $$ > leader; setsid sleep 89 & echo $! > daemon; sleep 88" }, context);
const written = (name) => existsSync(name) && readFileSync(name, "utf8").endsWith("\\n");
while (!["background", "leader", "daemon"].every(written)) await new Promise((resolve) => setTimeout(resolve, 10));
console.log("running");
`;

test("C6: no command outlives the server when it is killed with SIGKILL", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orphans-test-")));
  const { KARI_OWNER: _owner, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const pids = ["background", "leader", "daemon"].map((name) =>
    Number(readFileSync(join(folder, name), "utf8")),
  );
  expect(pids.every(isAlive)).toBe(true);
  child.kill("SIGKILL");
  // Ends by the test's own time limit when one of them stays.
  while (pids.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 20));
  rmSync(folder, { recursive: true, force: true });
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
