import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const SERVER = new URL("../server.ts", import.meta.url).href;

// Without its environment a process is known by its group alone; out of its session, by its mark alone.
/** A process of its own that serves commands: it can be killed. It says when the commands have written their ids. */
const program = (commands: string) => `
import { existsSync, readFileSync } from "node:fs";
const { createDeveloperServer } = await import(${JSON.stringify(SERVER)});
const server = createDeveloperServer({ workingDirectory: process.cwd(), version: "0" });
const shell = server.tools.find((tool) => tool.name === "shell");
const context = { signal: new AbortController().signal, progress() {} };
const run = (command) => shell.call({ command }, context);
${commands}
const written = (name) => existsSync(name) && readFileSync(name, "utf8").endsWith("\\n");
while (!process.argv.slice(1).every(written)) await new Promise((resolve) => setTimeout(resolve, 10));
console.log("running");
`;

test.each([
  [
    "of its first command",
    'void run("echo $$ > leader; setsid sleep 89 & echo $! > daemon; sleep 88");',
    ["leader", "daemon"],
  ],
  [
    "of what an earlier one left, without its environment",
    'await run("env -i sleep 90 >/dev/null 2>&1 & echo $! > background"); void run("echo $$ > leader; sleep 87");',
    ["background", "leader"],
  ],
])("C6: after SIGKILL of the server nothing is left %s", async (_name, commands, names) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orphans-test-")));
  const { KARI_OWNER: _owner, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program(commands), ...names], {
    cwd: folder,
    env: { ...env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const pids = names.map((name) => Number(readFileSync(join(folder, name), "utf8")));
  expect(pids.every(isAlive)).toBe(true);
  child.kill("SIGKILL");
  // Ends by the test's own time limit when one of them stays.
  while (pids.some(isAlive) || processesIn(folder).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  rmSync(folder, { recursive: true, force: true });
});

/** Also the shells that wait for a command they will never get. */
function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
