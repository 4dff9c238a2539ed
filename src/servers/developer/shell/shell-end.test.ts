import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PrivateFolder } from "../private-folder.ts";
import { startTemporaryServer, textOf } from "../temporary-server.ts";
import { BackgroundProcesses } from "./background.ts";
import { PipePool } from "./output-pipe.ts";
import { readProcessTable } from "./process-table.ts";
import { runCommand } from "./run-command.ts";
import { findShell } from "./shell-program.ts";

describe("a command that does not end", () => {
  test("C17: times out with what it had printed, and all of it is gone", async () => {
    await using server = startTemporaryServer();
    // `timeout` makes a process group of its own, the trap ignores the first signal, setsid leaves the session.
    const command =
      "echo before; trap '' TERM; timeout 97 sleep 98 & setsid sleep 99 & sleep 96 & wait; wait; wait";
    const result = await server.call("shell", { command, timeout: 3 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^before\n\[timed out after 3\.0 s and was ended\. What it had printed stands above/,
    );
    expect(sleepers(server.folder)).toEqual([]);
  });

  test("is ended when the call is cancelled", async () => {
    await using server = startTemporaryServer();
    const controller = new AbortController();
    const call = server.call(
      "shell",
      { command: "echo $$ > pid; sleep 95; echo after > done" },
      { signal: controller.signal },
    );
    await until(() => existsSync(join(server.folder, "pid")));
    controller.abort();
    expect(textOf(await call)).toMatch(/^\[cancelled after .* It had printed nothing/);
    expect(sleepers(server.folder)).toEqual([]);
    expect(existsSync(join(server.folder, "done"))).toBe(false);
  });

  test("is not started when the call was cancelled before", async () => {
    await using server = startTemporaryServer();
    const answer = await server.say("shell", { command: "sleep 94" }, { signal: AbortSignal.abort() });
    expect(answer).toMatch(/^\[cancelled/);
    expect(sleepers(server.folder)).toEqual([]);
  });

  test("tells how it goes while it runs", async () => {
    await using server = startTemporaryServer();
    const messages: string[] = [];
    const command = "echo one; echo 二; until [ -e go ]; do sleep 0.05; done";
    const result = await server.call(
      "shell",
      { command, timeout: 25 },
      {
        onProgress({ message = "" }) {
          messages.push(message);
          if (message.endsWith("二")) writeFileSync(join(server.folder, "go"), "");
        },
      },
    );
    expect(messages.at(-1)).toMatch(/^\d+ s, 2 lines: 二$/);
    expect(textOf(result)).toBe("one\n二\n[exit code 0]");
  });
});

describe("a command that leaves something running", () => {
  test("C17: gives its answer when the shell ends, and what it left ends with the server", async () => {
    const server = startTemporaryServer();
    const answer = await server.say("shell", { command: "sleep 93 & echo started" });
    expect(answer).toMatch(
      /^started\n\[exit code 0 · processes it started are still running and print into \S+; they end with this server\.\]$/,
    );
    await until(() => sleepers(server.folder).length === 1);
    await server.definition.close?.();
    expect(sleepers(server.folder)).toEqual([]);
    await server[Symbol.asyncDispose]();
  });

  test("its later output is in the file", async () => {
    await using server = startTemporaryServer();
    const answer = await server.say("shell", {
      command: "(until [ -e go ]; do sleep 0.05; done; echo later; touch said) & echo now",
    });
    const path = / print into (\S+); /.exec(answer)?.[1] ?? "";
    writeFileSync(join(server.folder, "go"), "");
    await until(
      () => existsSync(join(server.folder, "said")) && readFileSync(path, "utf8").includes("later"),
    );
    expect(readFileSync(path, "utf8")).toBe("now\nlater\n");
    expect(await server.say("read_file", { path })).toContain("2\tlater");
  });

  test("is noticed with its output sent elsewhere too", async () => {
    await using server = startTemporaryServer();
    expect(await server.say("shell", { command: "sleep 92 >/dev/null 2>&1 &" })).toMatch(/still running/);
  });

  test("waits for a writer that outlives the shell a little", async () => {
    const folder = new PrivateFolder();
    const background = new BackgroundProcesses();
    const outcome = await runCommand(
      {
        command: "echo a > >(sleep 0.02; cat)",
        shell: findShell(),
        cwd: "/",
        env: { PATH: process.env["PATH"] ?? "" },
        timeoutMs: 30_000,
        maxOutputBytes: 1000,
        lastWordsMs: 20_000,
        signal: new AbortController().signal,
        onTick() {},
      },
      { folder, pipes: new PipePool(folder), background },
    );
    expect(outcome).toMatchObject({ end: { type: "exited", code: 0 }, leftRunning: false });
    expect(outcome.output.shown()).toEqual({ type: "whole", bytes: Buffer.from("a\n") });
    folder.close();
  });

  test("C17: a daemon in a session of its own ends with the server too", async () => {
    const server = startTemporaryServer();
    await server.call("shell", { command: "setsid sleep 91 >/dev/null 2>&1 & sleep 0.1" });
    await until(() => sleepers(server.folder).length === 1);
    await server.definition.close?.();
    expect(sleepers(server.folder)).toEqual([]);
    await server[Symbol.asyncDispose]();
  });
});

test("C14: with no descriptor left the command is reported as not started, and the next one runs", () => {
  const program = `
    import { closeSync, openSync } from "node:fs";
    const { createDeveloperServer } = await import(${JSON.stringify(new URL("../server.ts", import.meta.url).href)});
    const server = createDeveloperServer({ workingDirectory: "/", version: "0" });
    const run = (command) => server.tools[0].call({ command }, { signal: new AbortController().signal, progress() {} });
    await run("true");
    const answers = [];
    for (let spare = 0; spare < 6; spare++) {
      const opened = [];
      try { for (;;) opened.push(openSync("/dev/null")); } catch {}
      for (const fd of opened.splice(0, spare)) closeSync(fd);
      const result = await run("echo one");
      answers.push(result.content[0].text);
      for (const fd of opened) closeSync(fd);
      answers.push((await run("echo two")).content[0].text);
    }
    await server.close();
    console.log(JSON.stringify(answers));
  `;
  const line = `ulimit -n 60; exec "$0" --input-type=module -e "$1"`;
  const answers = JSON.parse(
    execFileSync("bash", ["-c", line, process.execPath, program], { encoding: "utf8" }),
  ) as string[];
  const [first, ...rest] = answers;
  expect(first).toMatch(/could not be started \(EMFILE\); nothing was run/);
  for (const answer of rest) expect(answer).toMatch(/EMFILE|^(one|two)\n\[exit code 0\]$/);
  expect(answers.filter((_, index) => index % 2 === 1)).toEqual(Array(6).fill("two\n[exit code 0]"));
});

test("a command that runs when the server closes is ended, even one that does not want to", async () => {
  const server = startTemporaryServer();
  const call = server.call("shell", { command: "trap '' TERM; touch on; sleep 87; sleep 86; sleep 85" });
  await until(() => existsSync(join(server.folder, "on")));
  await server.definition.close?.();
  expect(textOf(await call)).toMatch(/ended by signal SIGKILL/);
  expect(sleepers(server.folder)).toEqual([]);
  const late = await server.call("shell", { command: "touch late" });
  expect(late.isError).toBe(true);
  await server[Symbol.asyncDispose]();
});

/** Sleeping processes whose working directory is the folder. */
function sleepers(folder: string): readonly number[] {
  return readProcessTable()
    .map(({ pid }) => pid)
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === folder &&
          readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n"
        );
      } catch {
        return false;
      }
    });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
